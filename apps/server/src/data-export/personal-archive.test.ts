import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { fileForm, PASSWORD } from '@community/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readZip } from '../../test/read-zip.ts'
import { pdf } from '../../test/sample-files.ts'
import { openTestServer, type TestServer, type TestUser } from '../../test/test-server.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { hashToken } from '../auth/hash-token.ts'
import { StorageUnavailable } from '../integrations/storage.ts'
import { createFileStorage } from '../integrations/storage-files.ts'
import { DATA_COLUMNS } from './data-columns.ts'
import type { Decision } from './decision.ts'

/** Replaces the body of every stored object. */
let fault: (() => Readable) | undefined
const folder = temporaryFolder()
let server: TestServer
let origin: string
let admin: TestUser
beforeAll(async () => {
  const storage = createFileStorage(folder)
  server = await openTestServer(
    {},
    {
      storage: {
        ...storage,
        async open(key, range) {
          const found = await storage.open(key, range)
          if (!found || !fault) return found
          found.body.destroy()
          return { ...found, body: fault() }
        },
      },
    },
  )
  origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  admin = await server.createAdmin()
})
beforeEach(() => {
  fault = undefined
})
afterAll(() => server.close())

const request = (token: string) =>
  fetch(`${origin}/api/users/export`, { headers: { authorization: `Bearer ${token}` } })

async function upload({ token }: TestUser, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const body = fileForm('file', bytes, name)
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${origin}/api/upload/single`, { method: 'POST', headers, body })
  expect(response.status).toBe(201)
  return ((await response.json()) as { data: { file: { id: string; secureUrl: string } } }).data.file
}

type Rows = Record<string, unknown>[]
type PersonalData = Record<string, Rows> & { exportedAt: string }
async function download(user: TestUser) {
  const response = await request(user.token)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const files = await readZip(Buffer.from(await response.arrayBuffer()))
  const text = files.get('data.json')?.toString() ?? ''
  return { response, files, text, data: JSON.parse(text) as PersonalData }
}

/** A chef with a team mate, submitted work, a warning, a webhook and an access token. */
async function createActivePerson() {
  const [person, mate] = [await server.createMember('Zineb Chraibi'), await server.createMember('Yassine Mate')]
  const [left, team] = [await server.createTeam(person), await server.createTeam(person)]
  for (const joined of [left, team]) await server.join(joined, mate)
  await server.rest(person)(`POST /teams/${left.id}/leave`, {})
  const challenge = await server.createChallenge(admin)
  const file = await upload(person, 'work.pdf', pdf(5000))
  const work = { teamId: team.id, type: 'upload', content: file.secureUrl }
  expect(
    (await server.rest(person)(`POST /challenges/${challenge.id}/apply`, work, { 'idempotency-key': 'k' })).status,
  ).toBe(201)
  const confirmed = { password: PASSWORD }
  const warning = { userId: person.id, reason: 'Be kinder', ...confirmed }
  expect((await server.rest(admin)('POST /admin/warnings', warning)).status).toBe(201)
  const token = { name: 'CI script', scopes: ['read'], expiresInDays: 7, currentPassword: PASSWORD }
  expect((await server.rest(person)('POST /users/tokens', token)).status).toBe(201)
  const webhook = { teamId: team.id, url: 'https://hooks.example.com/x', events: ['team.member.joined'] }
  expect((await server.rest(person)('POST /webhooks', webhook)).status).toBe(201)
  return { person, mate, left, team, challenge, file }
}

/** All values of secret columns, as text. */
async function storedSecrets(): Promise<string[]> {
  const places = Object.entries(DATA_COLUMNS as Record<string, Decision>).flatMap(([table, { secret = [] }]) =>
    secret.map((column) =>
      [table, column].map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ),
  )
  const rows = await Promise.all(
    places.map(
      ([table = '', column = '']) =>
        server.sql<{ value: string | null }[]>`select ${server.sql(column)}::text as value from ${server.sql(table)}`,
    ),
  )
  return rows.flat().flatMap(({ value }) => value || [])
}

describe('GET /users/export', () => {
  it('has everything about the caller, with the files', async () => {
    const { person, left, team, challenge, file } = await createActivePerson()
    const { response, files, data } = await download(person)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename=".+-\d{4}-\d\d-\d\d\.zip"/)
    expect([...files.keys()]).toEqual([`files/${file.id}/work.pdf`, 'data.json'])
    expect(files.get(`files/${file.id}/work.pdf`)).toEqual(Buffer.from(pdf(5000)))
    expect(data).toMatchObject({
      account: [{ id: person.id, name: 'Zineb Chraibi', email: person.email, warningCount: 1, language: 'en' }],
      signIns: [{ revokedAt: null }],
      sessions: [{ expiresAt: expect.any(String) }],
      accessTokens: [{ name: 'CI script', scopes: ['read'] }],
      memberships: [{ teamId: team.id, isChef: true }],
      pastMemberships: [{ teamId: left.id }],
      submissions: [{ teamId: team.id, challengeId: challenge.id, uploadId: file.id, status: 'pending' }],
      challenges: [{ id: challenge.id, title: challenge.title }],
      files: [{ id: file.id, originalName: 'work.pdf', size: 5000 }],
      warnings: [{ reason: 'Be kinder' }],
      webhooks: [{ url: 'https://hooks.example.com/x' }],
      idempotencyKeys: [{ key: 'k' }],
    })
    expect(data.teams?.map(({ id }) => id).toSorted()).toEqual([left.id, team.id].toSorted())
    expect(data.auditLog).toMatchObject([{ action: 'admin.warn', details: { reason: 'Be kinder' } }])
  })

  it('has what the caller wrote', async () => {
    const { person, left, team, challenge } = await createActivePerson()
    const author = await server.createAdmin()
    const written = await server.createChallenge(author)
    const [work] = (await download(person)).data.submissions ?? []
    const verdict = { status: 'rejected', feedback: 'Add a legend' }
    expect((await server.rest(author)(`POST /submissions/${String(work?.id)}/evaluate`, verdict)).status).toBe(200)
    const { data } = await download(author)
    expect(data).toMatchObject({
      evaluations: [{ id: work?.id, challengeId: challenge.id, teamId: team.id, ...verdict }],
      createdChallenges: [{ id: written.id, description: written.description, requirements: written.requirements }],
      ledTeams: [],
    })
    // Of the teams that somebody was in, the text of the one they lead.
    expect((await download(person)).data.ledTeams).toMatchObject([{ id: team.id, description: team.description }])
    expect((await download(person)).data.teams?.map(({ id }) => id)).toContain(left.id)
  })

  it('has the details of notifications that name nobody', async () => {
    const { person, mate, team, challenge } = await createActivePerson()
    const [work] = (await download(person)).data.submissions ?? []
    const verdict = { status: 'rejected', feedback: 'Add a legend' }
    expect((await server.rest(admin)(`POST /submissions/${String(work?.id)}/evaluate`, verdict)).status).toBe(200)
    const detailsOf = async (user: TestUser) => {
      const { text, data } = await download(user)
      const kindById = new Map(data.notifications?.map(({ id, kind }) => [id, kind]))
      return { text, details: data.notificationDetails?.map(({ id, params }) => [kindById.get(id), params]) }
    }
    const rejection = { challengeId: challenge.id, teamId: team.id, feedback: 'Add a legend' }
    const { text, details } = await detailsOf(person)
    expect(details).toContainEqual(['account.warned', { warning: 'Be kinder' }])
    expect(details).toContainEqual(['submission.rejected', expect.objectContaining(rejection)])
    expect(text).toContain('team.member.joined')
    expect(details?.map(([kind]) => kind)).not.toContain('team.member.joined')
    // Feedback is for the team only.
    expect((await detailsOf(mate)).text).toContain('Add a legend')
    await server.rest(mate)(`POST /teams/${team.id}/leave`, {})
    expect((await detailsOf(mate)).text).not.toContain('Add a legend')
  })

  it('has the verdict on work of a team that the caller left only once it is approved', async () => {
    const { person, mate, team, challenge } = await createActivePerson()
    const [work] = (await download(person)).data.submissions ?? []
    const evaluate = async (verdict: object) => {
      const evaluated = await server.rest(admin)(`POST /submissions/${String(work?.id)}/evaluate`, verdict)
      expect(evaluated.status).toBe(200)
    }
    await evaluate({ status: 'rejected', feedback: 'Add a legend' })
    expect((await download(person)).data).toMatchObject({
      submissions: [{ status: 'rejected', feedback: 'Add a legend' }],
      submissionsWithoutVerdict: [],
    })
    await server.rest(person)(`POST /teams/${team.id}/leave`, {})
    const { text, data } = await download(person)
    expect(text).not.toContain('Add a legend')
    expect(data.submissions).toEqual([])
    const [left] = data.submissionsWithoutVerdict ?? []
    expect(left).toMatchObject({ id: work?.id, challengeId: challenge.id, teamId: team.id, content: work?.content })
    for (const column of ['status', 'score', 'points', 'feedback', 'evaluatedAt'])
      expect(left).not.toHaveProperty(column)
    await server.rest(admin)(`POST /submissions/${String(work?.id)}/reset-evaluation`)
    await evaluate({ status: 'approved', score: 80, feedback: 'Well done' })
    expect((await download(person)).data).toMatchObject({
      submissions: [{ status: 'approved', score: 80, feedback: 'Well done' }],
      submissionsWithoutVerdict: [],
    })
    expect((await download(mate)).data.submissions).toEqual([])
  })

  it('has a section for each table with a row that names the caller', async () => {
    const { person } = await createActivePerson()
    const { data } = await download(person)
    const names = await server.sql<{ name: string }[]>`
      select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
    const decisions = Object.entries(DATA_COLUMNS as Record<string, Decision>)
    for (const { name } of names) {
      const rows = await server.sql`
        select 1 from ${server.sql(name)} t where to_jsonb(t)::text ~ ${`${person.id}|${person.email}`} limit 1`
      const key = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
      const sections = Object.keys(decisions.find(([table]) => table === key)?.[1].sections ?? {})
      const isExported = sections.some((section) => (data[section] ?? []).length > 0)
      if (rows.length > 0 && !['rate_limits', 'idempotency_owners'].includes(name))
        expect([name, isExported]).toEqual([name, true])
    }
  })

  it('has no secret, and nothing about others', async () => {
    const { person, mate } = await createActivePerson()
    const { text } = await download(person)
    const secrets = await storedSecrets()
    expect(secrets.length).toBeGreaterThan(10)
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    for (const word of [person.token, person.refreshToken, hashToken(person.token)]) expect(text).not.toContain(word)
    for (const other of [mate, admin])
      for (const word of [other.id, other.name, other.email]) expect([word, text.includes(word)]).toEqual([word, false])
  })

  it('reads more rows than a statement returns', async () => {
    const person = await server.createMember()
    await server.sql`
      insert into warnings (user_id, reason) select ${person.id}, 'No. ' || n from generate_series(1, 1203) as n`
    const { data } = await download(person)
    expect(new Set(data.warnings?.map(({ reason }) => reason)).size).toBe(1203)
  })

  it('is for sessions only', async () => {
    const person = await server.createMember()
    const form = { name: 'Reader', scopes: ['read'], expiresInDays: 7, currentPassword: PASSWORD }
    const { secret: token } = (await server.rest(person)('POST /users/tokens', form)).body.data
    expect((await server.rest({ token })('GET /users/export')).body.code).toBe('SESSION_REQUIRED')
    expect((await server.rest()('GET /users/export')).body.code).toBe('NOT_SIGNED_IN')
  })

  it('answers 503 while the storage is unavailable', async () => {
    const person = await server.createMember()
    await upload(person, 'a.pdf', pdf())
    fault = () => {
      throw new StorageUnavailable(new Error('EIO: /srv/files'))
    }
    const rejected = await server.rest(person)('GET /users/export')
    expect(rejected).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', cooldown: 5 } })
    expect(rejected.headers['content-disposition']).toBeUndefined()
    fault = undefined
    expect((await download(person)).files.size).toBe(2)
  })

  it.each([
    ['fails', () => [Buffer.alloc(70_000), new Error('EIO')]],
    ['is shorter than recorded', () => [Buffer.alloc(70_000)]],
  ])('aborts the download when a file %s', async (_what, chunks) => {
    const person = await server.createMember()
    await upload(person, 'a.pdf', pdf(200_000))
    async function* body() {
      for (const chunk of chunks()) {
        if (chunk instanceof Error) throw chunk
        yield chunk
      }
    }
    fault = () => Readable.from(body())
    const response = await request(person.token)
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow()
  })

  it('names a file that the storage has lost, and has all others', async () => {
    const person = await server.createMember()
    const lost = await upload(person, 'a.pdf', pdf(2000))
    const kept = await upload(person, 'b.pdf', pdf(2000))
    await server.sql`update uploads set key = 'gone' where id = ${lost.id}`
    const { files, data } = await download(person)
    expect([...files.keys()]).toEqual([`files/${kept.id}/b.pdf`, 'data.json'])
    expect(data.missingFiles).toEqual([lost.id])
  })

  it('has a file that is uploaded during the download', async () => {
    const person = await server.createMember()
    await upload(person, 'a.pdf', pdf(200_000))
    let finish = () => {}
    fault = () => {
      const body = new Readable({ read: () => {} })
      body.push(Buffer.from(pdf(200_000)))
      finish = () => body.push(null)
      return body
    }
    const response = await request(person.token)
    fault = undefined
    const late = await upload(person, 'late.pdf', pdf(3000))
    finish()
    const files = await readZip(Buffer.from(await response.arrayBuffer()))
    expect([...files.keys()].slice(1)).toEqual([`files/${late.id}/late.pdf`, 'data.json'])
  })

  it('has no URL of a webhook that a successor set', async () => {
    const successor = await server.createAdmin()
    const form = { url: 'https://hooks.example.com/first', events: ['team.created'], password: PASSWORD }
    const { webhook } = (await server.rest(admin)('POST /webhooks', form)).body.data
    const change = { url: 'https://hooks.example.com/second', password: PASSWORD }
    expect((await server.rest(successor)(`PUT /webhooks/${webhook.id}`, change)).status).toBe(200)
    expect((await download(admin)).text).not.toContain('hooks.example.com/second')
    expect((await download(successor)).data.webhooks).toMatchObject([{ url: change.url }])
  })

  it('is limited to one at a time, and closes its files when the client disconnects', async () => {
    const person = await server.createMember()
    await upload(person, 'a.pdf', pdf(200_000))
    let stalled: Readable | undefined
    fault = () => {
      stalled = new Readable({ read: () => {} })
      stalled.push(Buffer.alloc(70_000))
      return stalled
    }
    const headers = { authorization: `Bearer ${person.token}` }
    // An aborted fetch would leave an unused connection, which the server waits for.
    const first = get(`${origin}/api/users/export`, { headers, agent: false })
    const [response] = (await once(first, 'response')) as [IncomingMessage]
    expect(response.statusCode).toBe(200)
    expect((await server.rest(person)('GET /users/export')).body.code).toBe('TOO_MANY_REQUESTS')
    first.destroy()
    await expect.poll(() => stalled?.destroyed).toBe(true)
    fault = undefined
    expect((await download(person)).files.size).toBe(2)
  })
})
