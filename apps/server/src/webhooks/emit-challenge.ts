import { limits } from '@community/contract'
import type { Tx } from '@community/db'
import { readDatabaseClock } from '../challenges/commands.ts'
import type { ChallengeRow } from '../challenges/queries.ts'
import type { Deps } from '../context.ts'
import { emitToAll } from './emit-to-all.ts'
import { insertFinishedEvent } from './event-commands.ts'

type Challenge = Pick<ChallengeRow, 'id' | 'title' | 'deadline' | 'isActive'>
type Sealing = Pick<Deps, 'secret'>

const toData = ({ id, title, deadline }: Omit<Challenge, 'isActive'>) => ({
  challenge: { id, title, deadline: deadline.toISOString() },
})
const deadlineKey = ({ id, deadline }: Pick<Challenge, 'id' | 'deadline'>) =>
  `challenge.closed:${id}:${deadline.getTime()}`

/** Emits, once per deadline, that a challenge closed because it passed. */
export const emitDeadline = (tx: Tx, deps: Sealing, challenge: Omit<Challenge, 'isActive'>): Promise<void> =>
  emitToAll(tx, deps, {
    name: 'challenge.closed',
    data: { ...toData(challenge), reason: 'deadline' },
    at: challenge.deadline,
    key: deadlineKey(challenge),
  })

/** Emits that a challenge opened for applications or no longer takes them; `before` is null for a new one. */
export async function emitIfOpenedOrClosed(
  tx: Tx,
  deps: Sealing,
  before: Challenge | null,
  after: Challenge,
): Promise<{ hasOpened: boolean }> {
  const at = await readDatabaseClock(tx)
  const isOpen = (challenge: Challenge | null) => challenge !== null && challenge.isActive && challenge.deadline > at
  const hasJustPassed = ({ isActive, deadline }: Challenge) =>
    isActive && deadline <= at && at.getTime() - deadline.getTime() < limits.DAY * 1000
  // The job that looks for deadlines each minute may have missed this one, and cannot see it after the change.
  if (before && hasJustPassed(before)) await emitDeadline(tx, deps, before)
  // Opened again after its deadline, a challenge does not close a second time.
  else if (hasJustPassed(after)) await insertFinishedEvent(tx, deadlineKey(after))
  const change = { hasOpened: !isOpen(before) && isOpen(after) }
  if (isOpen(before) === isOpen(after)) return change
  const data = toData(after)
  if (isOpen(after)) await emitToAll(tx, deps, { name: 'challenge.published', data, at })
  else await emitToAll(tx, deps, { name: 'challenge.closed', data: { ...data, reason: 'deactivated' }, at })
  return change
}
