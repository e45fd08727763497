import type { Tx } from '@community/db'
import { PASSWORD } from '@community/testing'
import { expectInvariants } from '@community/testing/database/invariants'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { createJobHandlers } from '../jobs/handlers.ts'
import { startWorker } from '../jobs/worker.ts'
import { LEAVE_TEAMS_JOB } from '../admin/ban.ts'
import { detachAccount } from './erase-account.ts'
import { lockActiveUser } from './lock-user.ts'

let server: TestServer
let admin: TestUser
beforeAll(async () => {
  server = await openTestServer()
  admin = await server.createAdmin()
})
afterEach(() => expectInvariants(server.db))
afterAll(() => server.close())

/** Makes a user the chef of 250 teams, more than two transactions leave, with a mate in each. */
async function joinManyTeams(chef: TestUser) {
  const mate = await server.createMember()
  await server.sql`
    with created as (
      insert into teams (name, name_key, description, member_count, owner_id)
      select ${chef.id} || n, ${chef.id} || n, '', 2, ${chef.id} from generate_series(1, 250) n returning id)
    insert into team_members (team_id, user_id, is_chef, name, email)
    select id, user_id, user_id = ${chef.id}, 'Sara', 'sara@example.ma' from created, unnest(array[${chef.id}, ${mate.id}]::uuid[]) user_id`
  return mate
}
/** Inserts 2,500 rejected submissions, more than two transactions change, that a user evaluated. */
async function insertEvaluations(judge: TestUser) {
  const { id } = await server.createChallenge(admin)
  await server.sql`
    with created as (
      insert into teams (name, name_key, description, is_active)
      select ${id} || n, ${id} || n, '', false from generate_series(1, 2500) n returning id),
    works as (
      insert into submissions (challenge_id, team_id, type, content, status, evaluated_by, evaluated_at)
      select ${id}, id, 'link', 'https://github.com/atlas-lions/app', 'rejected', ${judge.id}, now() from created)
    update challenges set submission_count = 2500 where id = ${id}`
  return id
}
const findTeams = (user: TestUser) => server.sql`select team_id from team_members where user_id = ${user.id}`
const ban = (userId: string) =>
  server.rest(admin)('POST /admin/ban', { userId, reason: 'Spam in every team', password: PASSWORD })

describe('deleting an account', () => {
  it('changes at most a thousand submissions in one transaction', async () => {
    const judge = await server.createAdmin()
    const challengeId = await insertEvaluations(judge)
    const deleted = await server.rest(admin)(`DELETE /admin/users/${judge.id}`, { password: PASSWORD })
    expect(deleted.status).toBe(200)
    const transactions = await server.sql`
      select count(*)::int as works, count(evaluated_by)::int as named, bool_and(updated_at > created_at) as "isUpdated"
      from submissions where challenge_id = ${challengeId} group by xmin::text order by 1`
    expect(transactions.map(({ works }) => works)).toEqual([500, 1000, 1000])
    for (const transaction of transactions) expect(transaction).toMatchObject({ named: 0, isUpdated: true })
  })

  it('leaves a webhook alone that a new chef resumed between two batches', async () => {
    const chef = await server.createMember()
    await joinManyTeams(chef)
    await server.sql`
      insert into webhooks (team_id, created_by, url, events, secret)
      select team_id, user_id, 'https://hooks.example.com', '{team.member.left}', '' from team_members where user_id = ${chef.id}
      order by team_id limit 1`
    const areActive = async () =>
      (await server.sql`select is_active from webhooks where created_by = ${chef.id}`).map((row) => row['is_active'])
    let batches = 0
    const lockOnce = async (tx: Tx) => {
      if (++batches > 1) throw new Error('interrupted')
      return lockActiveUser(tx, chef.id, 'no key update')
    }
    await expect(detachAccount(server.db, lockOnce)).rejects.toThrow('interrupted')
    expect(await areActive()).toEqual([false])
    await server.sql`update webhooks set is_active = true where created_by = ${chef.id}`
    await expect(detachAccount(server.db, (tx) => lockActiveUser(tx, chef.id, 'no key update'))).resolves.toBe(true)
    expect(await areActive()).toEqual([true])
    expect((await server.rest(admin)(`DELETE /admin/users/${chef.id}`, { password: PASSWORD })).status).toBe(200)
    expect(await server.sql`select is_active from webhooks where url = 'https://hooks.example.com'`).toMatchObject([
      { is_active: true },
    ])
  })

  it('is audited once, in the first transaction, and goes on when it is repeated after an interruption', async () => {
    const judge = await server.createAdmin()
    const challengeId = await insertEvaluations(judge)
    const onBegin = vi.fn(async () => {})
    let batches = 0
    const lockOnce = async (tx: Tx) => {
      if (++batches > 1) throw new Error('interrupted')
      return lockActiveUser(tx, judge.id, 'no key update')
    }
    await expect(detachAccount(server.db, lockOnce, onBegin)).rejects.toThrow('interrupted')
    expect(onBegin).toHaveBeenCalledTimes(1)
    const findNamed = () => server.sql`select id from submissions where evaluated_by = ${judge.id}`
    expect(await findNamed()).toHaveLength(1500)

    expect((await server.rest(admin)(`DELETE /admin/users/${judge.id}`, { password: PASSWORD })).status).toBe(200)
    expect(
      await server.sql`select id from submissions where challenge_id = ${challengeId} and evaluated_by is not null`,
    ).toEqual([])
    const entries =
      await server.sql`select id from audit_log where action = 'admin.deleteUser' and target_id = ${judge.id}`
    expect(entries).toHaveLength(1)
  })

  it('leaves at most a hundred teams in one transaction', async () => {
    const chef = await server.createMember()
    const mate = await joinManyTeams(chef)
    expect((await server.rest(chef)(`DELETE /users/${chef.id}`, { password: PASSWORD })).status).toBe(200)
    const transactions = await server.sql`
      select count(*)::int as teams from teams where owner_id = ${mate.id} and member_count = 1 group by xmin::text order by 1`
    expect(transactions.map(({ teams }) => teams)).toEqual([50, 100, 100])
  })
})

describe('banning a member of hundreds of teams', () => {
  const runJobs = () => {
    const handlers = createJobHandlers(server.deps, { stopping: new AbortController().signal })
    return startWorker(server.deps, { [LEAVE_TEAMS_JOB]: handlers[LEAVE_TEAMS_JOB]! })
  }

  it('removes them from a hundred at once; a job does the rest', async () => {
    const chef = await server.createMember()
    const mate = await joinManyTeams(chef)
    expect((await ban(chef.id)).status).toBe(200)
    expect(await findTeams(chef)).toHaveLength(150)
    const worker = runJobs()
    await expect.poll(() => findTeams(chef)).toEqual([])
    await worker.stop()
    const [led] = await server.sql`select count(*)::int as teams from teams where owner_id = ${mate.id}`
    expect(led?.['teams']).toBe(250)
  })

  it('ends with the ban', async () => {
    const chef = await server.createMember()
    await joinManyTeams(chef)
    await ban(chef.id)
    expect((await server.rest(admin)(`POST /admin/unban/${chef.id}`, { password: PASSWORD })).status).toBe(200)
    const worker = runJobs()
    const findPending = () => server.sql`select id from jobs where kind = ${LEAVE_TEAMS_JOB} and status = 'pending'`
    await expect.poll(findPending).toEqual([])
    await worker.stop()
    expect(await findTeams(chef)).toHaveLength(150)
  })
})
