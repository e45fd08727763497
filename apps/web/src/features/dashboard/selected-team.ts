import type { Team } from '@community/contract'
import { useState } from 'react'
import { rememberChoice } from '../../lib/memory-state.ts'
import { tabStore } from '../../lib/storage.ts'
import type { TeamTab } from './team-panel.tsx'

/** Stored for the tab, as leaving a team, removing a member and renaming reload the page. */
const KEY = 'dashboardTeam'
/** The chosen tab of a team. */
export const TAB_KEY = 'dashboardTab'

/** Selects a team for the next visit of the dashboard. */
const selectTeam = (teamId: string): void => tabStore.write(KEY, teamId)

/** Makes the next visit of the dashboard show the submissions of a team. */
export function selectSubmissionsOf(teamId: string): void {
  selectTeam(teamId)
  rememberChoice(TAB_KEY, 'submissions' satisfies TeamTab)
}

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
