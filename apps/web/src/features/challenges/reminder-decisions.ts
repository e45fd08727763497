import { currentUser } from '../../lib/session.ts'
import { tabStore } from '../../lib/storage.ts'

interface Team {
  challengeId: string
  teamId: string
}

const storageKey = ({ challengeId, teamId }: Team): string =>
  `reminderDecided ${currentUser()?.id ?? ''} ${challengeId} ${teamId}`

/** Whether this user has switched a team's reminders in this tab, or a draft has: no draft does so again. */
export const wasDecided = (team: Team): boolean => tabStore.read(storageKey(team)) !== null

export const markDecided = (team: Team): void => tabStore.write(storageKey(team), 'true')
