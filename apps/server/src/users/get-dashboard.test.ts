import { contract, limits } from '@community/contract'
import { afterAll, expect, it } from 'vitest'
import { createProcedureBuilder } from '../../test/fixture.ts'
import { type FixtureTeam, openWorkFixture } from '../../test/work-fixture.ts'
import type { Caller } from '../context.ts'
import { findUserStats } from './queries.ts'
import { usersUseCases } from './router.ts'

const fixture = await openWorkFixture()
afterAll(() => fixture.close())

const findDashboard = async (user: Caller) => {
  const call = createProcedureBuilder(fixture.db, user, fixture.deps)
  return (await call(contract.users.dashboard, usersUseCases.dashboard)()).data.dashboard
}

/** Copies a team's pending submission. */
const copySubmission = ({ id, chef }: FixtureTeam, copies: number) => fixture.sql`
  insert into submissions (challenge_id, team_id, submitted_by, type, content)
  select challenge_id, team_id, ${chef.id}, type, content from submissions, generate_series(1, ${copies}) where team_id = ${id}`

it('counts the rows that it returns like all rows of the database', async () => {
  const team = await fixture.createTeam()
  const submissions: string[] = []
  for (let remaining = 4; remaining > 0; remaining--)
    submissions.push(await fixture.applyWithLink(team, (await fixture.createChallenge({ points: 150 })).id))
  const [approved, second, rejected] = submissions as [string, string, string]
  const judge = fixture.as(fixture.judge)
  await judge.evaluate({ id: approved, status: 'approved', score: 87 })
  await judge.evaluate({ id: second, status: 'approved', score: 10 })
  await judge.evaluate({ id: rejected, status: 'rejected' })
  const stats = { teams: 1, points: 146, challengesCompleted: 2, submissions: 4, pending: 1, approved: 2, rejected: 1 }
  expect((await findDashboard(team.chef)).stats).toEqual(stats)
  expect(await findUserStats(fixture.db, team.chef.id)).toEqual(stats)
})

it('counts submissions beyond those that it returns', async () => {
  const team = await fixture.createTeam()
  await fixture.applyWithLink(team, (await fixture.createChallenge()).id)
  for (const copies of [limits.PAGE_SIZE.max - 1, 1]) {
    await copySubmission(team, copies)
    const { stats, submissions } = await findDashboard(team.chef)
    expect(submissions).toHaveLength(limits.PAGE_SIZE.max)
    expect(stats).toEqual(await findUserStats(fixture.db, team.chef.id))
    expect(stats.submissions).toBeGreaterThanOrEqual(limits.PAGE_SIZE.max)
  }
})

it('counts teams beyond those that it returns', async () => {
  const { id, chef } = await fixture.createTeam()
  await fixture.sql`
    with copied as (
      insert into teams (name, name_key, description, search_text, owner_id, member_count, max_members, points)
      select name || n, name_key || n, description, search_text, owner_id, member_count, max_members, 7
      from teams, generate_series(1, ${limits.PAGE_SIZE.max}) n where id = ${id} returning id)
    insert into team_members (team_id, user_id, is_chef, name, email)
    select copied.id, user_id, true, name, email from copied, team_members where team_id = ${id}`
  const { stats, teams } = await findDashboard(chef)
  expect(teams).toHaveLength(limits.PAGE_SIZE.max)
  expect(stats).toMatchObject({ teams: limits.PAGE_SIZE.max + 1, points: 7 * limits.PAGE_SIZE.max })
})
