import { createHash, randomUUID } from 'node:crypto'
import { contract, appErrors, limits, routesOf } from '@community/contract'
import { inTransaction } from '@community/db'
import { users } from '@community/db/schema'
import { type InputOf, rounds, uniqueEmail, validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { beginRegistration, createRegistrant, countOutcomes, times } from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { deleteExpired } from '../jobs/expired-commands.ts'
import { withIdempotency } from './idempotency.ts'

let chef: TestUser
let form: InputOf<'teams.create'>
let key: string
const server = await openTestServer()
beforeEach(async () => {
  chef = await server.createMember()
  form = validInput('teams.create', { rolesNeeded: (await rolesOf(server.db)).slice(0, 1) })
  key = randomUUID()
})
afterAll(() => server.close())

const create = (body: object = form, user = chef, headers: Record<string, string> = { 'idempotency-key': key }) =>
  server.rest(user)('POST /teams', body, headers)
const teamsOf = async ({ id }: TestUser) =>
  Number((await server.sql`select count(*) from team_members where user_id = ${id}`)[0]?.count)
const row = async () => (await server.sql`select * from idempotency_keys where key = ${key}`)[0]
const keysOf = async ({ id }: TestUser) =>
  (
    await server.sql`
      select (select count(*)::int from idempotency_keys where owner = ${id}) as keys,
        coalesce((select live from idempotency_owners where owner = ${id}), 0) as counted`
  )[0]
const createContext = (): Context => ({
  deps: server.deps,
  db: server.db,
  user: { ...chef, role: 'member', familyId: chef.id },
  tokenError: null,
  request: {
    id: '1',
    ip: '127.0.0.1',
    userAgent: '',
    language: 'en',
    cookie: () => undefined,
    setCookie: () => {},
    clearCookie: () => {},
    idempotencyKey: key,
  },
})
/** Makes the key look held by a crashed process, before (null) or after (0) its commit. */
const crash = async (status: 0 | null) => {
  await server.sql`update idempotency_keys set status = ${status}, answer = null where key = ${key}`
  await server.clock.expireLeases('idempotency_keys', { key })
}

describe('one key', () => {
  it('takes effect once for twenty concurrent requests, with one response', async () => {
    const responses = await Promise.all(times(20, () => create()))
    const created = responses.filter(({ status }) => status === 201)
    expect(created.length).toBeGreaterThan(0)
    for (const { status, body } of responses)
      expect(status === 201 ? body : body.code).toEqual(status === 201 ? created[0]?.body : 'IDEMPOTENCY_KEY_RUNNING')
    expect((await create()).body).toEqual(created[0]?.body)
    expect(await teamsOf(chef)).toBe(1)
  })

  it('is shared by both transports', async () => {
    const first = await create()
    const response = await server.app.inject({
      method: 'POST',
      url: '/trpc/teams.create',
      headers: { authorization: `Bearer ${chef.token}`, 'idempotency-key': key },
      payload: form,
    })
    expect(response.json().result.data).toEqual(first.body.data)
    expect(await teamsOf(chef)).toBe(1)
  })

  it('is rejected with another body or procedure, and is per user', async () => {
    const created = await create()
    expect((await create({ ...form, maxMembers: 6 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    const { id } = created.body.data.team
    const elsewhere = await server.rest(chef)(
      `POST /challenges/${randomUUID()}/apply`,
      { teamId: id, type: 'link', content: 'https://x.ma/' },
      { 'idempotency-key': key },
    )
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    const other = await server.createMember()
    expect((await create({ ...form, name: `${form.name} 2` }, other)).status).toBe(201)
    expect([await teamsOf(chef), await teamsOf(other)]).toEqual([1, 1])
  })

  it('expires after twenty-four hours', async () => {
    await create()
    const [life] = await server.sql`
      select extract(epoch from expires_at - now())::int as seconds from idempotency_keys where key = ${key}`
    expect(life?.seconds).toBeGreaterThan(86_390)
    expect(life?.seconds).toBeLessThanOrEqual(86_400)
    await server.clock.expire('idempotency_keys', { key })
    expect((await create({ ...form, name: `${form.name} 2` })).status).toBe(201)
    expect(await teamsOf(chef)).toBe(2)
  })

  it.each(['', ' ', 'x'.repeat(256), 'a b', 'clé'])('%j is invalid', async (invalid) => {
    const { status, body } = await create(form, chef, { 'idempotency-key': invalid })
    expect([status, body.code]).toEqual([400, 'IDEMPOTENCY_KEY_INVALID'])
    expect(await teamsOf(chef)).toBe(0)
  })

  it('is accepted by every route that creates, and by the evaluation', () => {
    const once = routesOf(contract).flatMap(([, route]) => (route.idempotent ? [route] : []))
    expect(once.filter((route) => !route.creates).map(({ path }) => path)).toEqual(['/submissions/{id}/evaluate'])
    expect(once.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['POST /teams', 'POST /teams/{id}/join', 'POST /challenges/{id}/apply']),
    )
  })

  it('evaluates once, and repeats the response', async () => {
    const admin = await server.createAdmin()
    const [{ id }, team] = [await server.createChallenge(admin), await server.createTeam(chef)]
    const work = { teamId: team.id, type: 'link', content: 'https://x.ma/' }
    const { submission } = (await server.rest(chef)(`POST /challenges/${id}/apply`, work)).body.data
    const judge = (score: number) =>
      server.rest(admin)(
        `POST /submissions/${submission.id}/evaluate`,
        { status: 'approved', score },
        { 'idempotency-key': key },
      )
    const [first, again] = [await judge(80), await judge(80)]
    expect([first.status, first.body.data.submission.score]).toEqual([200, 80])
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await judge(90)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await server.sql`select 1 from audit_log where target_id = ${submission.id}`).toHaveLength(1)
  })
})

describe('a stored response', () => {
  it('is not a failure: a retry runs again', async () => {
    const rival = await server.createMember()
    const { team } = (await create(form, rival, {})).body.data
    expect((await create()).body).toMatchObject({ code: 'DUPLICATE_NAME', errors: [{ path: 'name' }] })
    expect(await row()).toBeUndefined()
    expect((await server.rest(rival)(`DELETE /teams/${team.id}`)).status).toBe(200)
    const created = await create()
    expect(created.status).toBe(201)
    expect((await create()).body).toEqual(created.body)
    expect(await teamsOf(chef)).toBe(1)
  })

  it('is not left by a thousand failed requests, twenty at once', async () => {
    const rival = await server.createMember()
    await create(form, rival, {})
    for (let round = 0; round < rounds(50, 10); round++) {
      const rejected = await Promise.all(times(20, () => create(form, chef, { 'idempotency-key': randomUUID() })))
      expect(new Set(rejected.map(({ body }) => body.code))).toEqual(new Set(['DUPLICATE_NAME']))
    }
    expect(await keysOf(chef)).toEqual({ keys: 0, counted: 0 })
  }, 60_000)

  it('is a failure after a committed effect, which is not repeated', async () => {
    const ctx = createContext()
    let effects = 0
    const run = async () => {
      await inTransaction(ctx.db, async () => void effects++)
      throw new AppError(appErrors.teamFull)
    }
    for (const _ of times(3, () => 0))
      await expect(withIdempotency('a call', ctx, {}, run)).rejects.toMatchObject({ definition: { code: 'TEAM_FULL' } })
    expect(effects).toBe(1)
  })

  it('is not an error before the use case runs', async () => {
    expect((await create({ ...form, name: '' })).status).toBe(400)
    expect((await create(form, { ...chef, token: 'x'.repeat(40) })).status).toBe(401)
    expect(await row()).toBeUndefined()
    expect((await create()).status).toBe(201)
  })

  it('is neither a rate limit nor an unexpected error', async () => {
    const registrant = createRegistrant(uniqueEmail())
    await beginRegistration(server, registrant)
    const otp = await server.mailedCode(registrant.email)
    const verify = () =>
      server.app.inject({
        method: 'POST',
        url: '/api/auth/verify-registration-otp',
        headers: { 'idempotency-key': key },
        payload: { ...registrant, otp },
      })
    const failures = `code-failures:registration:${registrant.email}`
    await server.sql`
      insert into rate_limits (key, count, resets_at) values (${failures}, 20, now() + interval '1 day')`
    expect((await verify()).statusCode).toBe(429)
    expect(await row()).toBeUndefined()
    await server.sql`delete from rate_limits where key = ${failures}`

    const { passwords } = server.deps
    server.deps.passwords = { ...passwords, hash: () => Promise.reject(new Error('hunter2')) }
    const failed = await verify()
    expect([failed.statusCode, failed.json().code]).toEqual([500, 'INTERNAL'])
    expect(await row()).toBeUndefined()
    server.deps.passwords = passwords
    expect((await verify()).statusCode).toBe(201)
  })

  it('stores neither the request nor the response in plain text', async () => {
    await create()
    const text = JSON.stringify(await row())
    expect(text).not.toContain(form.name)
    // A password in the body could be guessed from a plain hash.
    const parsed = JSON.stringify(contract.teams.create.input.parse(form))
    expect(text).not.toContain(createHash('sha256').update(parsed).digest('hex'))
    expect((await row())?.body_hash).toBe(server.deps.secret.hmac('idempotency', parsed))
  })
})

describe('a user', () => {
  const MAX = limits.IDEMPOTENCY_KEYS_MAX
  const fill = (count: number, expires = '1 hour') =>
    server.sql`
      insert into idempotency_keys (owner, key, call, body_hash, lease_until, expires_at)
      select ${chef.id}, 'filled ' || n, 'c', 'h', now(), now() + ${expires}::interval from generate_series(1, ${count}) n`
  const join = (index: number) =>
    create({ ...form, name: `${form.name} ${index}` }, chef, { 'idempotency-key': `k${index}` })

  it('has at most a thousand keys, also concurrently, then gets 429 with Retry-After', async () => {
    await fill(MAX - 10)
    const responses = await Promise.all(times(30, join))
    expect(await countOutcomes(responses.map((response) => Promise.resolve(response)))).toEqual({
      201: 10,
      '429 TOO_MANY_IDEMPOTENCY_KEYS': 20,
    })
    expect(await keysOf(chef)).toEqual({ keys: MAX, counted: MAX })
    const rejected = responses.find(({ status }) => status === 429)
    expect(rejected?.body.cooldown).toBeGreaterThan(3500)
    expect(rejected?.headers['retry-after']).toBe(String(rejected?.body.cooldown))
    expect(await teamsOf(chef)).toBe(10)
    // Stored responses are still repeated, and requests without a key still run.
    const winner = responses.findIndex(({ status }) => status === 201)
    expect((await join(winner)).body).toEqual(responses[winner]?.body)
    expect((await create(form, chef, {})).status).toBe(201)
    // The limit is per user.
    expect((await create({ ...form, name: `${form.name} x` }, await server.createMember())).status).toBe(201)
  })

  it('may use new keys once old ones have expired, deleted or not', async () => {
    await fill(MAX, '-1 seconds')
    expect((await join(1)).status).toBe(201)
    expect(await keysOf(chef)).toEqual({ keys: 1, counted: 1 })
    await server.clock.expire('idempotency_keys', { owner: chef.id })
    await deleteExpired(server)
    expect(await keysOf(chef)).toEqual({ keys: 0, counted: 0 })
  })
})

describe('a process that crashed', () => {
  it('before the commit leaves the key to a retry of the same request only', async () => {
    await create()
    await server.sql`delete from team_members where user_id = ${chef.id}`
    await server.sql`delete from teams where name = ${form.name}`
    await server.sql`update idempotency_keys set status = null, answer = null where key = ${key}`
    // Its lease has not expired, so it may still be running.
    expect((await create()).body.code).toBe('IDEMPOTENCY_KEY_RUNNING')
    await crash(null)
    expect((await create({ ...form, maxMembers: 7 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await countOutcomes(times(6, () => create()))).toMatchObject({ 201: expect.any(Number) })
    expect(await teamsOf(chef)).toBe(1)
  })

  it('after the commit gets IDEMPOTENCY_KEY_SPENT and does not repeat the effect', async () => {
    const { secret } = server.deps
    const broken = () => {
      throw new Error('the process ended here')
    }
    server.deps.secret = { ...secret, seal: broken }
    const lost = await server.app.inject({
      method: 'POST',
      url: '/api/teams',
      headers: { authorization: `Bearer ${chef.token}`, 'idempotency-key': key },
      payload: form,
    })
    expect(lost.statusCode).toBe(500)
    server.deps.secret = secret
    expect(await teamsOf(chef)).toBe(1)
    expect((await create()).body.code).toBe('IDEMPOTENCY_KEY_RUNNING')
    await crash(0)
    for (const again of [await create(), await create()])
      expect(again).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_SPENT' } })
    expect(await teamsOf(chef)).toBe(1)
  })
})

describe('a process that was suspended for longer than its lease', () => {
  const fail = () => Promise.reject(new AppError(appErrors.teamFull))
  const setBio = async ({ db }: Context, bio: string) => {
    await inTransaction(db, (tx) => tx.update(users).set({ bio }).where(eq(users.id, chef.id)))
    return bio
  }
  /** Runs a call that waits for the returned function before it takes effect. */
  const startCall = async (effect: (ctx: Context) => Promise<unknown>) => {
    const ctx = createContext()
    let resume = () => {}
    let result: Promise<unknown> = Promise.resolve()
    await new Promise<void>((hasStarted) => {
      result = withIdempotency('a call', ctx, {}, async () => {
        hasStarted()
        await new Promise<void>((resolve) => (resume = resolve))
        return effect(ctx)
      })
    })
    return () => {
      resume()
      return result
    }
  }

  it.each([
    ['effect is rolled back', (ctx: Context) => setBio(ctx, 'late'), 'IDEMPOTENCY_KEY_RUNNING'],
    ['failure does not free the key', fail, 'TEAM_FULL'],
    ['response is not stored', async () => 'late', 'late'],
  ])('and resumes during a retry: its %s', async (_outcome, effect, expected) => {
    const resumeLate = await startCall(effect)
    await server.clock.expireLeases('idempotency_keys', { key })
    const resumeRetry = await startCall((ctx) => setBio(ctx, 'retry'))
    expect(await resumeLate().catch((error: AppError) => error.definition.code)).toBe(expected)
    const again = () => withIdempotency('a call', createContext(), {}, () => 'again')
    await expect(again()).rejects.toMatchObject({ definition: { code: 'IDEMPOTENCY_KEY_RUNNING' } })
    expect(await resumeRetry()).toBe('retry')
    expect(await again()).toBe('retry')
    expect(await server.sql`select bio from users where id = ${chef.id}`).toEqual([{ bio: 'retry' }])
  })

  it('finishes if nobody has retried', async () => {
    const resume = await startCall((ctx) => setBio(ctx, 'late'))
    await server.clock.expireLeases('idempotency_keys', { key })
    expect(await resume()).toBe('late')
    expect(await withIdempotency('a call', createContext(), {}, () => 'again')).toBe('late')
  })
})

it('runs the same request twice without a key', async () => {
  expect((await create(form, chef, {})).status).toBe(201)
  expect((await create({ ...form, name: `${form.name} 2` }, chef, {})).status).toBe(201)
  expect(await teamsOf(chef)).toBe(2)
})
