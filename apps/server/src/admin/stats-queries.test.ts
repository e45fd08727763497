import { times } from '@community/testing'
import { afterAll, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'
import { findScores } from './stats-queries.ts'

const server = await openTestServer()
const [chef, admin] = await Promise.all([server.createMember(), server.createAdmin()])
await server.createTeam(chef)
for (const number of times(12, (n) => n)) await server.createChallenge(admin, { title: `Challenge ${number}` })
afterAll(() => server.close())

/** Inserts approved submissions to each challenge whose title matches, in the order of their numbers. */
const approve = (titles: string, works: number, minutesAgo: number) => server.sql`
  insert into submissions (challenge_id, team_id, type, content, status, score, points, evaluated_at)
  select c.id, t.id, 'link', 'https://example.ma', 'approved', 95, 95,
    now() - make_interval(mins => ${minutesAgo}) - make_interval(secs => substring(c.title from '[0-9]+')::int)
  from challenges c cross join teams t cross join generate_series(1, ${works}) where c.title ~ ${titles}`
const findTopScores = async () =>
  (await findScores(server.deps.db)).map(({ challenge, counts }) => [challenge.title, counts.at(-1)])

it('returns the scores of the ten challenges evaluated most recently', async () => {
  expect(await findTopScores()).toEqual([])
  await approve('^Challenge [0-2]$', 1, 60)
  expect(await findTopScores()).toEqual([
    ['Challenge 0', 1],
    ['Challenge 1', 1],
    ['Challenge 2', 1],
  ])
  await approve('^Challenge', 1, 30)
  expect(await findTopScores()).toEqual(times(10, (n) => [`Challenge ${n}`, n < 3 ? 2 : 1]))
})

it('returns them after hundreds of approvals of one challenge', async () => {
  await approve('^Challenge 11$', 600, 1)
  expect(await findTopScores()).toEqual([['Challenge 11', 601], ...times(9, (n) => [`Challenge ${n}`, n < 3 ? 2 : 1])])
})

it('counts points that are taken back in the week in which they are, below zero', async () => {
  await server.sql`
    insert into points_ledger (team_id, reason, delta, created_at)
    select id, reason, delta, now() - make_interval(days => age) from teams
      cross join (values ('award'::points_reason, 40, 8), ('reset', -40, 0)) as entry (reason, delta, age)`
  const { status, body } = await server.rest(await server.createAdmin())('GET /admin/stats')
  expect(status).toBe(200)
  expect(body.data.stats.weeks.at(-1).points).toBe(-40)
})
