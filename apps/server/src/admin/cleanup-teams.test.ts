import { afterAll, expect, it } from 'vitest'
import { openTestServer } from '../../test/test-server.ts'

const server = await openTestServer()
const admin = await server.createAdmin()
afterAll(() => server.close())

/** Creates a team with one member, who leaves it unless `isManned`. */
async function createTeam({ isManned = false, challengeId = '' } = {}) {
  const chef = await server.createMember()
  const team = await server.createTeam(chef)
  if (challengeId) {
    const work = { teamId: team.id, type: 'link', content: 'https://github.com/atlas-lions/app' }
    expect((await server.rest(chef)(`POST /challenges/${challengeId}/apply`, work)).status).toBe(201)
  }
  if (!isManned) expect((await server.rest(chef)(`POST /teams/${team.id}/leave`)).status).toBe(200)
  return { id: team.id, name: team.name }
}

it('deletes the teams that have neither members nor submissions, and audits their names', async () => {
  const { id: challengeId } = await server.createChallenge(admin)
  const unused = await createTeam()
  const submitted = await createTeam({ challengeId })
  const manned = await createTeam({ isManned: true })

  const response = await server.rest(admin)('POST /admin/cleanup-teams')
  expect([response.status, response.body.data]).toEqual([200, { deleted: 1, deactivated: 0 }])
  const left = await server.sql`select id, is_active from teams order by member_count`
  expect(left).toEqual([
    { id: submitted.id, is_active: false },
    { id: manned.id, is_active: true },
  ])
  const [entry] = await server.sql`select details from audit_log where action = 'admin.cleanupTeams'`
  expect(entry?.['details']).toEqual({ deleted: 1, teams: [unused] })
})

it('deletes ten thousand at most, and five hundred in one transaction', async () => {
  await server.sql`
    insert into teams (name, name_key, description, is_active)
    select 'Empty ' || n, 'empty ' || n, '', false from generate_series(1, 10001) n`
  const [before] = await server.sql`select coalesce(max(id), 0)::int as id from audit_log`
  const cleanUp = async () => (await server.rest(admin)('POST /admin/cleanup-teams')).body.data.deleted
  expect(await cleanUp()).toBe(10_000)
  expect(await cleanUp()).toBe(1)
  const entries = await server.sql`
    select (details ->> 'deleted')::int as deleted from audit_log
    where action = 'admin.cleanupTeams' and id > ${before?.['id']} order by id`
  expect(entries.map(({ deleted }) => deleted)).toEqual([...Array<number>(20).fill(500), 1])
})
