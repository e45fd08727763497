import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, until } from '@community/testing'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'

const server = await openTestServer()
// Rejects updates that leave `updated_at` as it was before their transaction.
await server.sql`
  create function require_updated_at() returns trigger language plpgsql as $$ begin
    raise exception '% was changed, its updated_at was not', tg_table_name; end $$`
for (const table of ['teams', 'challenges', 'submissions'])
  await server.sql`
    create trigger require_updated_at before update on ${server.sql(table)} for each row
    when (new.updated_at < date_trunc('milliseconds', now())) execute function require_updated_at()`
const [admin, chef, mate] = await Promise.all([server.createAdmin(), server.createMember(), server.createMember()])
const team = await server.createTeam(chef)
const challenge = await server.createChallenge(admin, { maxSubmissions: 5 })
afterAll(() => server.close())

const request = async (user: TestUser, line: Parameters<ReturnType<TestServer['rest']>>[0], body?: object) => {
  const response = await server.rest(user)(line, body)
  if (!response.body.success) throw new Error(`${line}: ${response.status} ${response.body.message}`)
  return response.body.data
}
const updatedAtOf = async (kind: 'team' | 'challenge', id: string): Promise<number> =>
  Date.parse((await request(admin, `GET /${kind}s/${id}`))[kind].updatedAt)

/** Whether an action updates the team and the challenge. */
async function findUpdatedBy(action: () => Promise<unknown>) {
  const read = () => Promise.all([updatedAtOf('team', team.id), updatedAtOf('challenge', challenge.id)])
  const before = await read()
  // Times have a precision of a millisecond.
  const readAt = Date.now()
  await until('the clock moves on', () => Date.now() > readAt + 1)
  await action()
  const after = await read()
  return { team: after[0] > before[0], challenge: after[1] > before[1] }
}

describe('updatedAt', () => {
  const change: [string, { team: boolean; challenge: boolean }, () => Promise<unknown>][] = [
    [
      'a change of its fields',
      { team: true, challenge: false },
      () => request(chef, `PUT /teams/${team.id}`, { description: 'We build small, useful things.' }),
    ],
    ['a member who joins', { team: true, challenge: false }, () => server.join(team, mate)],
    [
      'another chef',
      { team: true, challenge: false },
      () => request(chef, `POST /teams/${team.id}/transfer-ownership`, { newOwnerId: mate.id }),
    ],
    ['a member who leaves', { team: true, challenge: false }, () => request(mate, `POST /teams/${team.id}/leave`)],
    [
      'a deactivation',
      { team: true, challenge: false },
      () => request(admin, `POST /admin/teams/${team.id}/deactivate`),
    ],
    ['an activation', { team: true, challenge: false }, () => request(admin, `POST /admin/teams/${team.id}/activate`)],
    [
      'a change of the challenge',
      { team: false, challenge: true },
      () => request(admin, `PUT /admin/challenges/${challenge.id}`, { points: 300, password: PASSWORD }),
    ],
    [
      'an account’s new name',
      { team: false, challenge: false },
      () => request(chef, 'PUT /users/profile', { name: 'New' }),
    ],
  ]
  it.each(change)('follows %s: %o', async (_what, expected, action) => {
    expect(await findUpdatedBy(action)).toEqual(expected)
  })

  it('follows a submission from its application to its removal', async () => {
    const times: number[] = []
    const submissionTime = (data: { submission: { id: string; updatedAt: string } }) => {
      times.push(Date.parse(data.submission.updatedAt))
      return data.submission.id
    }
    let id = ''
    const body = { teamId: team.id, type: 'link', content: 'https://github.com/atlas/app' }
    const apply = async () =>
      void (id = submissionTime(await request(chef, `POST /challenges/${challenge.id}/apply`, body)))
    const evaluate = async (verdict: object) =>
      submissionTime(await request(admin, `POST /submissions/${id}/evaluate`, verdict))
    expect(await findUpdatedBy(apply)).toEqual({ team: false, challenge: true })
    expect(await findUpdatedBy(() => evaluate({ status: 'approved', score: 80 }))).toEqual({
      team: true,
      challenge: false,
    })
    await request(admin, `POST /submissions/${id}/reset-evaluation`).then(submissionTime)
    await evaluate({ status: 'rejected' })
    await request(chef, `PUT /submissions/${id}/status`, { status: 'pending' }).then(submissionTime)
    expect(times).toHaveLength(5)
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
    const remove = () => request(admin, `DELETE /submissions/${id}`, { password: PASSWORD })
    expect((await findUpdatedBy(remove)).challenge).toBe(true)
  })

  it('follows the deletion of the account that submitted or evaluated work', async () => {
    const [author, judge] = [await server.createMember('Zineb Gone'), await server.createAdmin()]
    const { id: teamId } = await server.createTeam(author, { name: 'Left Alone' })
    const work = { teamId, type: 'link', content: 'https://github.com/atlas/app' }
    const { submission } = await request(author, `POST /challenges/${challenge.id}/apply`, work)
    await request(judge, `POST /submissions/${submission.id}/evaluate`, { status: 'approved', score: 80 })
    const deletions = [
      () => request(admin, `DELETE /admin/users/${judge.id}`, { password: PASSWORD }),
      () => request(author, `DELETE /users/${author.id}`, { password: PASSWORD }),
    ]
    for (const [index, deleteAccount] of deletions.entries()) {
      const since = Date.now() + 1
      await until('the clock moves on', () => Date.now() > since)
      await deleteAccount()
      const { submissions } = await request(
        admin,
        `GET /submissions/approved?updatedSince=${new Date(since).toISOString()}`,
      )
      expect(submissions).toMatchObject([{ id: submission.id, evaluatedBy: null }])
      expect(submissions[0].submittedBy === null).toBe(index === 1)
    }
  })
})

describe('updatedSince', () => {
  const ids = { team: '', challenge: '' }
  let author: TestUser
  beforeAll(async () => {
    author = await server.createMember()
    ids.team = (await server.createTeam(author)).id
    for (const name of ['Own One', 'Own Two']) await server.createTeam(author, { name })
    ids.challenge = (await server.createChallenge(admin, { maxSubmissions: 5 })).id
    for (const name of ['Late One', 'Late Two', 'Late Three']) {
      const owner = await server.createMember()
      const { id } = await server.createTeam(owner, { name })
      const late = await server.createChallenge(admin, { title: name, category: 'Design', difficulty: 'Expert' })
      const work = { teamId: id, type: 'link', content: 'https://github.com/atlas/app' }
      const { submission } = await request(owner, `POST /challenges/${late.id}/apply`, work)
      await request(admin, `POST /submissions/${submission.id}/evaluate`, { status: 'approved', score: 50 })
      await request(author, `POST /challenges/${ids.challenge}/apply`, { ...work, teamId: ids.team })
    }
  })

  it.each([
    ['/teams', 'teams'],
    ['/teams?search=late', 'teams'],
    ['/challenges', 'challenges'],
    ['/challenges?search=late', 'challenges'],
    ['/challenges/active', 'challenges'],
    ['/challenges/category/Design', 'challenges'],
    ['/challenges/difficulty/Expert', 'challenges'],
    ['/admin/challenges?sort=newest', 'challenges'],
    ['/submissions', 'submissions'],
    ['/submissions?search=late', 'submissions'],
    ['/submissions/approved', 'submissions'],
    ['/submissions/approved?search=late', 'submissions'],
    ['/submissions/pending', 'submissions'],
    ['/challenges/{challenge}/submissions', 'submissions'],
    ['/teams/{team}/submissions', 'submissions'],
    ['/users/submissions', 'submissions'],
    ['/users/{author}/teams', 'teams'],
    ['/challenges/my-team-applications', 'applications'],
    ['/challenges/my-team-applications?onlyOpen=true', 'applications'],
  ])('%s returns what changed at or after it, by pages', async (template, list) => {
    const path = template
      .replace('{team}', ids.team)
      .replace('{challenge}', ids.challenge)
      .replace('{author}', author.id)
    const join = path.includes('?') ? '&' : '?'
    const reader = /users|my-team/.test(path) ? author : admin
    const all = (await request(reader, `GET ${path}${join}limit=100`))[list] as { id: string; updatedAt: string }[]
    const [oldest] = all
      .map(({ updatedAt }) => updatedAt)
      .toSorted()
      .slice(-2)
    const since = encodeURIComponent(oldest ?? '')
    const expected = all.filter(({ updatedAt }) => updatedAt >= (oldest ?? ''))
    const found: string[] = []
    let cursor = ''
    do {
      const page = await request(reader, `GET ${path}${join}limit=1&updatedSince=${since}${cursor}`)
      // Lists with cursors only have no total.
      if (!path.startsWith(`/users/${author.id}`)) expect(page.pagination.total).toBe(expected.length)
      found.push(...page[list].map(({ id }: { id: string }) => id))
      cursor = page.pagination.nextCursor ? `&cursor=${page.pagination.nextCursor}` : ''
    } while (cursor !== '')
    expect(found).toEqual(expected.map(({ id }) => id))
    expect((await request(reader, `GET ${path}${join}updatedSince=2999-01-01T00:00:00Z`))[list]).toEqual([])
  })

  it.each([
    'yesterday',
    '2026-02-30T00:00:00Z',
    '0000-12-31T23:00:00Z',
    '0001-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-23:59',
  ])('rejects %s', async (time) => {
    const { status, body } = await server.rest(null)(`GET /teams?updatedSince=${encodeURIComponent(time)}`)
    expect([status, body.errors]).toEqual([
      400,
      [{ msg: 'Not a valid date and time', path: 'updatedSince', code: 'INVALID_FORMAT' }],
    ])
  })
})
