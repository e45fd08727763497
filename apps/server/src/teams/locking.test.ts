import { setTimeout as pause } from 'node:timers/promises'
import { blacklist, teams, users, webhooks } from '@community/db/schema'
import type { Tx } from '@community/db'
import { validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { expectInvariants } from '@community/testing/database/invariants'
import { openFixture, errorCodeOf } from '../../test/fixture.ts'
import { ban as banUser } from '../admin/ban.ts'
import type { Caller } from '../context.ts'

const fixture = await openFixture()
const [needed] = await rolesOf(fixture.db)
afterAll(() => fixture.close())

const newTeam = async () =>
  (await fixture.as(await fixture.createMember()).create(validInput('teams.create', { rolesNeeded: [needed] }))).data
    .team.id

/** Resolves once a call waits for a lock; throws if it completes without waiting. */
async function waitForLock(call: Promise<unknown>): Promise<void> {
  let isSettled = false
  const settled = call.then(
    () => (isSettled = true),
    () => (isSettled = true),
  )
  for (;;) {
    const [row] = await fixture.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row?.waiting) return
    if (isSettled) throw new Error('the call did not wait')
    await Promise.race([settled, pause(5)])
  }
}

/** Starts a call while another transaction holds a lock; the call must wait for the end of that transaction. */
async function whileLocked<T>(
  lock: (tx: Tx) => Promise<unknown>,
  call: () => Promise<T>,
  whileWaiting?: () => Promise<unknown>,
) {
  const { started } = await fixture.openPool({ max: 1 }).db.transaction(async (tx) => {
    await lock(tx)
    const pending = call()
    await waitForLock(pending)
    await whileWaiting?.()
    // Wrapped, because a promise returned as is would be awaited inside the transaction.
    return { started: pending }
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
    const banned = await fixture.createMember()
    const join = whileLocked(ban(banned), () =>
      fixture.as(banned).join(validInput('teams.join', { id: teamId, role: needed })),
    )
    expect(await errorCodeOf(join)).toBe('BANNED')
  })

  it('blocks a creation, which is then rejected', async () => {
    const banned = await fixture.createMember()
    const create = whileLocked(ban(banned), () =>
      fixture.as(banned).create(validInput('teams.create', { rolesNeeded: [needed] })),
    )
    expect(await errorCodeOf(create)).toBe('BANNED')
  })

  it('blocks a leave, which locks the user before the team', async () => {
    const teamId = await newTeam()
    const leaver = await fixture.createMember()
    await fixture.as(leaver).join(validInput('teams.join', { id: teamId, role: needed }))
    const lockUser = (tx: Tx) => tx.select().from(users).where(eq(users.id, leaver.id)).for('update')
    const left = await whileLocked(lockUser, () => fixture.as(leaver).leave({ id: teamId }))
    expect(left.data).toEqual({})
  })
})

describe('the ban of a chef', () => {
  it('locks the team before its webhooks, like the deletion of the team', async () => {
    const chef = await fixture.createMember()
    const { data } = await fixture.as(chef).create(validInput('teams.create', { rolesNeeded: [needed] }))
    const teamId = data.team.id
    await fixture.db.insert(webhooks).values({
      teamId,
      url: 'https://hook.example/',
      events: ['team.member.joined'],
      secret: 'sealed',
      createdBy: chef.id,
    })
    const admin = await fixture.createAdmin()
    await whileLocked(
      (tx) => tx.select().from(teams).where(eq(teams.id, teamId)).for('update'),
      () => banUser(fixture.contextOf(admin), { userId: chef.id, reason: 'spam' }),
      () => fixture.db.select().from(webhooks).where(eq(webhooks.teamId, teamId)).for('update', { noWait: true }),
    )
    expect(await fixture.db.select().from(webhooks).where(eq(webhooks.teamId, teamId))).toMatchObject([
      { isActive: false },
    ])
  })
})

describe('the time of joining', () => {
  it('is when the seat was taken, not when the transaction started', async () => {
    const teamId = await newTeam()
    const [early, late] = [await fixture.createMember(), await fixture.createMember()]
    const lockEarly = (tx: Tx) => tx.select().from(users).where(eq(users.id, early.id)).for('update')
    const { data } = await whileLocked(
      lockEarly,
      () => fixture.as(early).join(validInput('teams.join', { id: teamId, role: needed })),
      () => fixture.as(late).join(validInput('teams.join', { id: teamId, role: needed })),
    )
    expect(data.team.members.slice(1).map(({ userId }) => userId)).toEqual([late.id, early.id])
    await expectInvariants(fixture.db)
  })
})
