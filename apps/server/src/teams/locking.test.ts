import { setTimeout as pause } from 'node:timers/promises'
import { blacklist, users } from '@community/db/schema'
import type { Tx } from '@community/db'
import { validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openStage, refusalOf, type Stage } from '../../test/stage.ts'
import type { Caller } from '../context.ts'

let stage: Stage
let needed: { id: string }

beforeAll(async () => {
  stage = await openStage()
  const [role] = await rolesOf(stage.db)
  if (!role) throw new Error('no seeded roles')
  needed = role
})
afterAll(() => stage.close())

const newTeam = async () =>
  (await stage.as(await stage.member()).create(validInput('teams.create', { rolesNeeded: [needed] }))).data.team.id

/** Waits until a call waits for a lock; fails if it completes without. */
async function untilWaiting(call: Promise<unknown>): Promise<void> {
  let isThrough = false
  const settled = call.then(
    () => (isThrough = true),
    () => (isThrough = true),
  )
  for (;;) {
    const [row] = await stage.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row?.waiting) return
    if (isThrough) throw new Error('the call did not wait')
    await Promise.race([settled, pause(5)])
  }
}

/** Starts a call while another transaction holds a lock; the call must wait for the end of that transaction. */
async function whileHeld<T>(
  hold: (tx: Tx) => Promise<unknown>,
  call: () => Promise<T>,
  meanwhile?: () => Promise<unknown>,
) {
  const { started } = await stage.anotherPool({ max: 1 }).db.transaction(async (tx) => {
    await hold(tx)
    const begun = call()
    await untilWaiting(begun)
    await meanwhile?.()
    // Wrapped, because a promise returned as is would be awaited inside the transaction.
    return { started: begun }
  })
  return started
}

const ban =
  ({ id, email }: Caller) =>
  async (tx: Tx) => {
    await tx.insert(blacklist).values({ email, emailKey: email, reason: 'spam' })
    await tx.update(users).set({ isBanned: true, banReason: 'spam', bannedAt: sql`now()` }).where(eq(users.id, id))
  }

describe('a concurrent ban', () => {
  it('blocks a join, which is then rejected', async () => {
    const teamId = await newTeam()
    const banned = await stage.member()
    const join = whileHeld(ban(banned), () =>
      stage.as(banned).join(validInput('teams.join', { id: teamId, role: needed })),
    )
    expect(await refusalOf(join)).toBe('BANNED')
  })

  it('blocks a creation, which is then rejected', async () => {
    const banned = await stage.member()
    const create = whileHeld(ban(banned), () =>
      stage.as(banned).create(validInput('teams.create', { rolesNeeded: [needed] })),
    )
    expect(await refusalOf(create)).toBe('BANNED')
  })

  it('blocks a leave, which locks the user before the team', async () => {
    const teamId = await newTeam()
    const leaver = await stage.member()
    await stage.as(leaver).join(validInput('teams.join', { id: teamId, role: needed }))
    const lockPerson = (tx: Tx) => tx.select().from(users).where(eq(users.id, leaver.id)).for('update')
    const left = await whileHeld(lockPerson, () => stage.as(leaver).leave({ id: teamId }))
    expect(left.data).toEqual({})
  })
})

describe('the time of joining', () => {
  it('is when the seat was taken, not when the transaction started', async () => {
    const teamId = await newTeam()
    const [early, late] = [await stage.member(), await stage.member()]
    const lockEarly = (tx: Tx) => tx.select().from(users).where(eq(users.id, early.id)).for('update')
    const { data } = await whileHeld(
      lockEarly,
      () => stage.as(early).join(validInput('teams.join', { id: teamId, role: needed })),
      () => stage.as(late).join(validInput('teams.join', { id: teamId, role: needed })),
    )
    expect(data.team.members.slice(1).map(({ userId }) => userId)).toEqual([late.id, early.id])
    await expectInvariants(stage.db)
  })
})
