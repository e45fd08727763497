import { limits, type ReminderStep } from '@community/contract'
import type { Tx } from '@community/db'
import type { Deps } from '../context.ts'
import { notifyLater } from './notify-later.ts'

/** A challenge that has teams to remind, and the step that is due. */
export interface DueReminder {
  challengeId: string
  challenge: string
  deadline: Date
  step: ReminderStep
}

/** Reminds the teams of a challenge, once per deadline and step. */
export function notifyOfDeadline(
  tx: Tx,
  deps: Pick<Deps, 'secret'>,
  { challengeId, challenge, deadline: at, step }: DueReminder,
): Promise<void> {
  const deadline = at.toISOString()
  const key = `challenge.reminder:${challengeId}:${at.getTime()}:${step}`
  const askedBy = new Date(at.getTime() - limits.REMINDER_STEPS[step] * 1000).toISOString()
  return notifyLater(
    tx,
    deps,
    { name: 'reminded', challengeId, askedBy, deadline },
    {
      kind: 'challenge.reminder',
      params: { challengeId, challenge, deadline, step },
      challengeId,
      actorId: null,
      key,
    },
    key,
  )
}
