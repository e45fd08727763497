import type { Team } from '@community/contract'
import { useState } from 'react'
import { tabStore } from '../../lib/storage.ts'

/** Stored for the tab, as leaving a team, removing a member and renaming reload the page. */
const KEY = 'dashboardTeam'

/** Selects a team for the next visit of the dashboard. */
export const selectTeam = (teamId: string): void => tabStore.write(KEY, teamId)

/** The selected team; by default the first active one, or else the first. */
export function useSelectedTeam(teams: readonly Team[]): [selected: Team | null, select: (teamId: string) => void] {
  const [teamId, setTeamId] = useState(() => tabStore.read(KEY))
  const selected = teams.find(({ id }) => id === teamId) ?? teams.find(({ isActive }) => isActive) ?? teams[0] ?? null
  const select = (next: string) => {
    selectTeam(next)
    setTeamId(next)
  }
  return [selected, select]
}
