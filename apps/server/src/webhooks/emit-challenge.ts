import type { Tx } from '@community/db'
import type { challenges } from '@community/db/schema'
import { readDatabaseClock } from '../challenges/commands.ts'
import { emit } from './emit.ts'

type Challenge = Pick<typeof challenges.$inferSelect, 'id' | 'title' | 'deadline' | 'isActive'>

export const toChallengeData = ({ id, title, deadline }: Omit<Challenge, 'isActive'>) => ({
  id,
  title,
  deadline: deadline.toISOString(),
})

/** Emits that a challenge opened for applications or no longer takes them; `before` is null for a new one. */
export async function emitIfOpenedOrClosed(tx: Tx, before: Challenge | null, after: Challenge): Promise<void> {
  const now = await readDatabaseClock(tx)
  const isOpen = (challenge: Challenge | null) => challenge !== null && challenge.isActive && challenge.deadline > now
  if (isOpen(before) === isOpen(after)) return
  const challenge = toChallengeData(after)
  if (isOpen(after)) await emit(tx, { name: 'challenge.published', data: { challenge } })
  else await emit(tx, { name: 'challenge.closed', data: { challenge, reason: 'deactivated' } })
}
