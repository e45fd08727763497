import { currentUser } from '../../lib/session.ts'
import { tabStore } from '../../lib/storage.ts'

interface ReminderKey {
  challengeId: string
  teamId: string
}

const storageKey = ({ challengeId, teamId }: ReminderKey): string =>
  `reminderSwitched ${currentUser()?.id ?? ''} ${challengeId} ${teamId}`

/** Whether this team's reminders were switched in this tab, by the user or by leaving a draft. If so, leaving a draft does not turn them on. */
export const wasReminderSwitched = (key: ReminderKey): boolean => tabStore.read(storageKey(key)) !== null

export const markReminderSwitched = (key: ReminderKey): void => tabStore.write(storageKey(key), 'true')

/** Call when turning them on failed. */
export const unmarkReminderSwitched = (key: ReminderKey): void => tabStore.remove(storageKey(key))
