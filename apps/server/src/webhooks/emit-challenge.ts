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

/** Emits that a challenge closed because its deadline passed; once per deadline. */
export const emitDeadline = (tx: Tx, deps: SecretDeps, challenge: Omit<Challenge, 'isActive'>): Promise<void> =>
  emitToAll(tx, deps, {
    name: 'challenge.closed',
    data: { ...toData(challenge), reason: 'deadline' },
    at: challenge.deadline,
    key: deadlineKey(challenge),
  })

/** Emits that a challenge opened or closed for applications; `before` is null for a new one. */
export async function emitIfOpenedOrClosed(
  tx: Tx,
  deps: SecretDeps,
  before: Challenge | null,
  after: Challenge,
): Promise<{ hasOpened: boolean }> {
  const at = await readDatabaseClock(tx)
  const isOpen = (challenge: Challenge | null) => challenge !== null && challenge.isActive && challenge.deadline > at
  const hasJustPassed = ({ isActive, deadline }: Challenge) =>
    isActive && deadline <= at && at.getTime() - deadline.getTime() < limits.DAY * 1000
  // The minutely job may not have seen this deadline yet, and cannot see it after the change.
  if (before && hasJustPassed(before)) await emitDeadline(tx, deps, before)
  // The challenge was activated after its deadline, or got a passed one, so it does not close a second time.
  else if (hasJustPassed(after)) await insertFinishedEvent(tx, deadlineKey(after))
  const change = { hasOpened: !isOpen(before) && isOpen(after) }
  if (isOpen(before) === isOpen(after)) return change
  const data = toData(after)
  if (isOpen(after)) await emitToAll(tx, deps, { name: 'challenge.published', data, at })
  else await emitToAll(tx, deps, { name: 'challenge.closed', data: { ...data, reason: 'deactivated' }, at })
  return change
}
