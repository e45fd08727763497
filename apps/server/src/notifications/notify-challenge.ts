import type { Tx } from '@community/db'
import type { AuthenticatedContext } from '../context.ts'
import { notifyLater } from './notify-later.ts'

interface Challenge {
  id: string
  title: string
  deadline: Date
  isActive: boolean
}

/**
 * Notifies everyone when a challenge opens for the first time. When the deadline of an active challenge changes, notifies the teams that
 * applied to it or asked for reminders.
 */
export async function notifyChallengeChange(
  tx: Tx,
  { deps, user }: AuthenticatedContext,
  before: Challenge | null,
  after: Challenge,
  { hasOpened }: { hasOpened: boolean },
): Promise<void> {
  const { id: challengeId, title: challenge, deadline } = after
  const about = { params: { challenge, challengeId, deadline: deadline.toISOString() }, challengeId, actorId: user.id }
  // The key leaves out everyone who was notified when it opened before.
  if (hasOpened)
    await notifyLater(
      tx,
      deps,
      { name: 'everyone' },
      { ...about, kind: 'challenge.published', key: `challenge.published:${challengeId}` },
    )
  if (before && after.isActive && before.deadline.getTime() !== deadline.getTime())
    await notifyLater(tx, deps, { name: 'involved', challengeId }, { ...about, kind: 'challenge.deadline-moved' })
}
