import { inTransaction } from '@community/db'
import { expectInvariants } from '@community/testing/database/invariants'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { errorCodeOf } from '../../test/fixture.ts'
import { LINK_WORK, openWorkFixture, type FixtureTeam } from '../../test/work-fixture.ts'
import { createJobHandlers } from '../jobs/handlers.ts'
import { startWorker } from '../jobs/worker.ts'
import { DELETE_CHALLENGE_JOB, deleteNextBatch } from './delete-challenge.ts'
import { findCounts, findScores } from './stats-queries.ts'

const password = 'Zellige-2026'

const fixture = await openWorkFixture()
afterEach(() => expectInvariants(fixture.db))
afterAll(() => fixture.close())

async function createApproved(id: string) {
  const team = await fixture.createTeam()
  const work = await fixture.applyWithLink(team, id)
  await fixture.as(fixture.judge).evaluate({ id: work, status: 'approved', score: 70 })
  return { team, work }
}

/**
 * Creates a challenge with more submissions than two transactions delete, all approved for 70 points; that of `first` is the oldest, that
 * of `last` the newest.
 */
async function createLargeChallenge() {
  const { id } = await fixture.createChallenge({ points: 100 })
  const { team: first } = await createApproved(id)
  await fixture.sql`
    with newTeams as (
      insert into teams (name, name_key, description, is_active, points, challenges_completed, points_reached_at)
      select ${id} || n, ${id} || n, '', false, 70, 1, now() from generate_series(1, 450) n returning id),
    works as (
      insert into submissions (challenge_id, team_id, type, content, status, score, points, evaluated_at)
      select ${id}, id, 'link', 'https://github.com/atlas-lions/app', 'approved', 70, 70, now() from newTeams returning id, team_id),
    entries as (
      insert into points_ledger (team_id, challenge_id, submission_id, reason, delta)
      select team_id, ${id}, id, 'award', 70 from works)
    update challenges set submission_count = 451 where id = ${id}`
  const { team: last, work } = await createApproved(id)
  return { id, first, last, work }
}

const findRemaining = (id: string) => fixture.sql`select team_id from submissions where challenge_id = ${id}`
const findPoints = async () => {
  const [row] = await fixture.sql`select coalesce(sum(points), 0)::int as points from teams`
  return row?.['points']
}
const findNotices = (team: FixtureTeam) => fixture.sql`
  select params ->> 'points' as points from notifications
  where user_id = ${team.chef.id} and kind = 'challenge.deleted'`

describe('deleting a challenge with hundreds of submissions', () => {
  it('hides and closes it at once; a job deletes the rest', async () => {
    const { id, first, last, work } = await createLargeChallenge()
    const judge = fixture.as(fixture.judge)
    await judge.deleteChallenge({ id, password })
    expect(await findRemaining(id)).toHaveLength(252)

    expect(await errorCodeOf(fixture.as(null).challenge({ id }))).toBe('CHALLENGE_MISSING')
    expect(await errorCodeOf(judge.challenge({ id }))).toBe('CHALLENGE_MISSING')
    expect((await judge.allChallenges({})).data.challenges).toEqual([])
    const { totalChallenges } = await findCounts(fixture.db)
    expect([totalChallenges, await findScores(fixture.db)]).toEqual([0, []])
    expect(await errorCodeOf(judge.deleteChallenge({ id, password }))).toBe('CHALLENGE_MISSING')
    expect(await errorCodeOf(judge.updateChallenge({ id, password, isActive: true }))).toBe('CHALLENGE_MISSING')
    expect(await errorCodeOf(judge.reset({ id: work }))).toBe('SUBMISSION_MISSING')
    expect(await errorCodeOf(fixture.as(last.chef).apply({ id, teamId: last.id, ...LINK_WORK }))).toBe(
      'CHALLENGE_MISSING',
    )
    expect(await findNotices(first)).toEqual([{ points: '70' }])
    expect(await findNotices(last)).toEqual([])

    const handlers = createJobHandlers(fixture.deps, { stopping: new AbortController().signal })
    const worker = startWorker(fixture.deps, { [DELETE_CHALLENGE_JOB]: handlers[DELETE_CHALLENGE_JOB]! })
    const findRow = () => fixture.sql`select id from challenges where id = ${id}`
    await expect.poll(findRow, { timeout: 20_000 }).toEqual([])
    await worker.stop()
    expect(await findPoints()).toBe(0)
    expect(await findNotices(last)).toEqual([{ points: '70' }])
    const [job] = await fixture.sql`select status from jobs where kind = ${DELETE_CHALLENGE_JOB}`
    expect(job?.['status']).toBe('done')
    const [entry] =
      await fixture.sql`select details from audit_log where target_id = ${id} and action = 'admin.deleteChallenge'`
    expect(entry?.['details']).toMatchObject({ teams: 452 })
  })

  it('by two processes at once takes points away and notifies once', async () => {
    const { id, first, last } = await createLargeChallenge()
    await fixture.as(fixture.judge).deleteChallenge({ id, password })
    const deleteRest = async () => {
      const { db } = fixture.openPool()
      const deleted = { id, actorId: fixture.judge.id }
      while (await inTransaction(db, (tx) => deleteNextBatch(tx, fixture.deps, deleted)));
    }
    await Promise.all([deleteRest(), deleteRest()])
    expect(await findRemaining(id)).toEqual([])
    expect(await findPoints()).toBe(0)
    expect(await findNotices(first)).toEqual([{ points: '70' }])
    expect(await findNotices(last)).toEqual([{ points: '70' }])
  })
})
