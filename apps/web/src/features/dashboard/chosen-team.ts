import type { Team } from '@community/contract'
import { useState } from 'react'

/** Kept for the visit: leaving, taking out and renaming reload the page. */
const KEY = 'dashboardTeam'

function kept(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

function keep(teamId: string): void {
  try {
    sessionStorage.setItem(KEY, teamId)
  } catch {
    // A full or forbidden storage: the choice does not survive a reload, no more.
  }
}

/** Whose detail is shown: the team chosen before, else the first that is active, else the first. */
export function useChosenTeam(teams: readonly Team[]): [chosen: Team | null, choose: (teamId: string) => void] {
  const [teamId, setTeamId] = useState(kept)
  const chosen = teams.find(({ id }) => id === teamId) ?? teams.find(({ isActive }) => isActive) ?? teams[0] ?? null
  const choose = (next: string) => {
    keep(next)
    setTeamId(next)
  }
  return [chosen, choose]
}
