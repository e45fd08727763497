import { limits } from '@community/contract'
import type { Tx } from '@community/db'
import { readDatabaseClock } from '../challenges/commands.ts'
import type { ChallengeRow } from '../challenges/queries.ts'
import type { Deps } from '../context.ts'
import { emitToAll } from './emit-to-all.ts'
import { insertFinishedEvent } from './event-commands.ts'

type Challenge = Pick<ChallengeRow, 'id' | 'title' | 'deadline' | 'isActive'>
type SecretDeps = Pick<Deps, 'secret'>

const toData = ({ id, title, deadline }: Omit<Challenge, 'isActive'>) => ({
  challenge: { id, title, deadline: deadline.toISOString() },
})
const deadlineKey = ({ id, deadline }: Pick<Challenge, 'id' | 'deadline'>) =>
  `challenge.closed:${id}:${deadline.getTime()}`

/** Emits `challenge.closed` for a passed deadline, once per deadline. */
export const emitDeadline = (tx: Tx, deps: SecretDeps, challenge: Omit<Challenge, 'isActive'>): Promise<void> =>
  emitToAll(tx, deps, {
    name: 'challenge.closed',
    data: { ...toData(challenge), reason: 'deadline' },
    at: challenge.deadline,
    key: deadlineKey(challenge),
  })

/** Emits `challenge.published` or `challenge.closed` if a change opened or closed the challenge; `before` is null for a new one. */
export async function emitIfOpenedOrClosed(
  tx: Tx,
  deps: SecretDeps,
  before: Challenge | null,
  after: Challenge,
): Promise<{ hasOpened: boolean }> {
  const at = await readDatabaseClock(tx)
  const isOpen = (challenge: Challenge | null) => challenge !== null && challenge.isActive && challenge.deadline > at
  const closedWithinADay = ({ isActive, deadline }: Challenge) =>
    isActive && deadline <= at && at.getTime() - deadline.getTime() < limits.DAY * 1000
  if (before && closedWithinADay(before)) {
    // The job that runs every minute may have missed this deadline, and cannot see it after the change.
    await emitDeadline(tx, deps, before)
  } else if (closedWithinADay(after)) {
    // It was activated after its deadline, or the new deadline has passed: the job must not report it a second time.
    await insertFinishedEvent(tx, deadlineKey(after))
  }
  const hasOpened = !isOpen(before) && isOpen(after)
  const hasClosed = isOpen(before) && !isOpen(after)
  const data = toData(after)
  if (hasOpened) await emitToAll(tx, deps, { name: 'challenge.published', data, at })
  if (hasClosed) await emitToAll(tx, deps, { name: 'challenge.closed', data: { ...data, reason: 'deactivated' }, at })
  return { hasOpened }
}
