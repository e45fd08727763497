import { createHash, randomUUID } from 'node:crypto'
import { contract, appErrors, limits, routesOf } from '@community/contract'
import { inTransaction } from '@community/db'
import { type InputOf, rounds, uniqueEmail, validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { begin, candidate, tally, times } from '../../test/accounts.ts'
import { openWorld, type Person, type World } from '../../test/world.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { deleteExpired } from '../jobs/housekeeping.ts'
import { withIdempotency } from './idempotency.ts'

let world: World
let chef: Person
let form: InputOf<'teams.create'>
let key: string
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  chef = await world.member()
  form = validInput('teams.create', { rolesNeeded: (await rolesOf(world.db)).slice(0, 1) })
  key = randomUUID()
})
afterAll(() => world.close())

const create = (body: object = form, who = chef, headers: Record<string, string> = { 'idempotency-key': key }) =>
  world.rest(who)('POST /teams', body, headers)
const teamsOf = async ({ id }: Person) =>
  Number((await world.sql`select count(*) from team_members where user_id = ${id}`)[0]?.count)
const row = async () => (await world.sql`select * from idempotency_keys where key = ${key}`)[0]
const keysOf = async ({ id }: Person) =>
  (
    await world.sql`
      select (select count(*)::int from idempotency_keys where owner = ${id}) as keys,
        coalesce((select live from idempotency_owners where owner = ${id}), 0) as counted`
  )[0]
/** Lets the run that holds the key have crashed: before its effect, or after it. */
const crash = (status: 0 | null) =>
  world.sql`update idempotency_keys set status = ${status}, answer = null, lease_until = now() - interval '1 second' where key = ${key}`

describe('T-F7 one key', () => {
  it('makes one effect of twenty requests at once; all that are answered are answered alike', async () => {
    const answers = await Promise.all(times(20, () => create()))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    for (const { status, body } of answers)
      expect(status === 201 ? body : body.code).toEqual(status === 201 ? made[0]?.body : 'IDEMPOTENCY_KEY_RUNNING')
    expect((await create()).body).toEqual(made[0]?.body)
    expect(await teamsOf(chef)).toBe(1)
  })

  it('is one at both doors', async () => {
    const first = await create()
    const response = await world.app.inject({
      method: 'POST',
      url: '/trpc/teams.create',
      headers: { authorization: `Bearer ${chef.token}`, 'idempotency-key': key },
      payload: form,
    })
    expect(response.json().result.data).toEqual(first.body.data)
    expect(await teamsOf(chef)).toBe(1)
  })

  it('with another body or another call is refused, and is its owner’s alone', async () => {
    const made = await create()
    expect((await create({ ...form, maxMembers: 6 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    const { id } = made.body.data.team
    const elsewhere = await world.rest(chef)(
      `POST /challenges/${randomUUID()}/apply`,
      { teamId: id, type: 'link', content: 'https://x.ma/' },
      { 'idempotency-key': key },
    )
    expect(elsewhere).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    const other = await world.member()
    expect((await create({ ...form, name: `${form.name} 2` }, other)).status).toBe(201)
    expect([await teamsOf(chef), await teamsOf(other)]).toEqual([1, 1])
  })

  it('is forgotten after twenty-four hours', async () => {
    await create()
    const [life] = await world.sql`
      select extract(epoch from expires_at - now())::int as seconds from idempotency_keys where key = ${key}`
    expect(life?.seconds).toBeGreaterThan(86_390)
    expect(life?.seconds).toBeLessThanOrEqual(86_400)
    await world.sql`update idempotency_keys set expires_at = now() - interval '1 second' where key = ${key}`
    expect((await create({ ...form, name: `${form.name} 2` })).status).toBe(201)
    expect(await teamsOf(chef)).toBe(2)
  })

  it.each(['', ' ', 'x'.repeat(256), 'a b', 'clé'])('%j is none', async (given) => {
    const { status, body } = await create(form, chef, { 'idempotency-key': given })
    expect([status, body.code]).toEqual([400, 'IDEMPOTENCY_KEY_INVALID'])
    expect(await teamsOf(chef)).toBe(0)
  })

  it('is asked for by every call that creates, and by the verdict', () => {
    const once = routesOf(contract).flatMap(([, route]) => (route.idempotent ? [route] : []))
    expect(once.filter((route) => !route.creates).map(({ path }) => path)).toEqual(['/submissions/{id}/evaluate'])
    expect(once.map(({ method, path }) => `${method} ${path}`)).toEqual(
      expect.arrayContaining(['POST /teams', 'POST /teams/{id}/join', 'POST /challenges/{id}/apply']),
    )
  })

  it('gives one verdict, and the same answer when that is asked for again', async () => {
    const admin = await world.admin()
    const [{ id }, team] = [await world.challenge(admin), await world.team(chef)]
    const work = { teamId: team.id, type: 'link', content: 'https://x.ma/' }
    const { submission } = (await world.rest(chef)(`POST /challenges/${id}/apply`, work)).body.data
    const judge = (score: number) =>
      world.rest(admin)(
        `POST /submissions/${submission.id}/evaluate`,
        { status: 'approved', score },
        { 'idempotency-key': key },
      )
    const [first, again] = [await judge(80), await judge(80)]
    expect([first.status, first.body.data.submission.score]).toEqual([200, 80])
    expect([again.status, again.body]).toEqual([200, first.body])
    expect(await judge(90)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(await world.sql`select 1 from audit_log where target_id = ${submission.id}`).toHaveLength(1)
  })
})

describe('what is kept', () => {
  it('is not a refusal: it leaves no row, and the call is tried anew when its reason has gone', async () => {
    const rival = await world.member()
    const { team } = (await create(form, rival, {})).body.data
    expect((await create()).body).toMatchObject({ code: 'DUPLICATE_NAME', errors: [{ path: 'name' }] })
    expect(await row()).toBeUndefined()
    expect((await world.rest(rival)(`DELETE /teams/${team.id}`)).status).toBe(200)
    const made = await create()
    expect(made.status).toBe(201)
    expect((await create()).body).toEqual(made.body)
    expect(await teamsOf(chef)).toBe(1)
  })

  it('is nothing of a thousand refused calls, twenty at once', async () => {
    const rival = await world.member()
    await create(form, rival, {})
    for (let round = 0; round < rounds(50, 10); round++) {
      const refused = await Promise.all(times(20, () => create(form, chef, { 'idempotency-key': randomUUID() })))
      expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['DUPLICATE_NAME']))
    }
    expect(await keysOf(chef)).toEqual({ keys: 0, counted: 0 })
  }, 60_000)

  it('is a refusal after an effect: the call does not act again', async () => {
    const ctx: Context = {
      deps: world.deps,
      db: world.db,
      user: { ...chef, role: 'member', familyId: chef.id },
      tokenError: null,
      request: {
        id: '1',
        address: '127.0.0.1',
        userAgent: '',
        language: 'en',
        cookie: () => undefined,
        setCookie: () => {},
        dropCookie: () => {},
        idempotencyKey: key,
      },
    }
    let effects = 0
    const run = async () => {
      await inTransaction(ctx.db, async () => void effects++)
      throw new AppError(appErrors.teamFull)
    }
    for (const _ of times(3, () => 0))
      await expect(withIdempotency('a call', ctx, {}, run)).rejects.toMatchObject({ definition: { code: 'TEAM_FULL' } })
    expect(effects).toBe(1)
  })

  it('is not what is refused before the call runs', async () => {
    expect((await create({ ...form, name: '' })).status).toBe(400)
    expect((await create(form, { ...chef, token: 'x'.repeat(40) })).status).toBe(401)
    expect(await row()).toBeUndefined()
    expect((await create()).status).toBe(201)
  })

  it('is neither a limit nor an accident', async () => {
    const who = candidate(uniqueEmail())
    await begin(world, who)
    const otp = await world.code(who.email)
    const verify = () =>
      world.app.inject({
        method: 'POST',
        url: '/api/auth/verify-registration-otp',
        headers: { 'idempotency-key': key },
        payload: { ...who, otp },
      })
    const failures = `code-failures:registration:${who.email}`
    await world.sql`
      insert into rate_limits (key, count, resets_at) values (${failures}, 20, now() + interval '1 day')`
    expect((await verify()).statusCode).toBe(429)
    expect(await row()).toBeUndefined()
    await world.sql`delete from rate_limits where key = ${failures}`

    const { passwords } = world.deps
    world.deps.passwords = { ...passwords, hash: () => Promise.reject(new Error('hunter2')) }
    const failed = await verify()
    expect([failed.statusCode, failed.json().code]).toEqual([500, 'INTERNAL'])
    expect(await row()).toBeUndefined()
    world.deps.passwords = passwords
    expect((await verify()).statusCode).toBe(201)
  })

  it('tells the database neither what was sent nor what was answered', async () => {
    await create()
    const text = JSON.stringify(await row())
    expect(text).not.toContain(form.name)
    // A body may hold a password: from a plain hash of it one could guess.
    const parsed = JSON.stringify(contract.teams.create.input.parse(form))
    expect(text).not.toContain(createHash('sha256').update(parsed).digest('hex'))
    expect((await row())?.body_hash).toBe(world.deps.secret.hmac('idempotency', parsed))
  })
})

describe('a person', () => {
  const MAX = limits.IDEMPOTENCY_KEYS_MAX
  const fill = (count: number, expires = '1 hour') =>
    world.sql`
      insert into idempotency_keys (owner, key, call, body_hash, lease_until, expires_at)
      select ${chef.id}, 'filled ' || n, 'c', 'h', now(), now() + ${expires}::interval from generate_series(1, ${count}) n`
  const join = (index: number) =>
    create({ ...form, name: `${form.name} ${index}` }, chef, { 'idempotency-key': `k${index}` })

  it('has a thousand keys at most however many are claimed at once; then it is said when to come back', async () => {
    await fill(MAX - 10)
    const answers = await Promise.all(times(30, join))
    expect(await tally(answers.map((answer) => Promise.resolve(answer)))).toEqual({
      201: 10,
      '429 TOO_MANY_IDEMPOTENCY_KEYS': 20,
    })
    expect(await keysOf(chef)).toEqual({ keys: MAX, counted: MAX })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body.cooldown).toBeGreaterThan(3500)
    expect(refused?.headers['retry-after']).toBe(String(refused?.body.cooldown))
    expect(await teamsOf(chef)).toBe(10)
    // Those that were answered are still repeated, and calls without a key go on.
    const made = answers.findIndex(({ status }) => status === 201)
    expect((await join(made)).body).toEqual(answers[made]?.body)
    expect((await create(form, chef, {})).status).toBe(201)
    // Others have their own.
    expect((await create({ ...form, name: `${form.name} x` }, await world.member())).status).toBe(201)
  })

  it('may use new ones once old ones have expired, swept or not', async () => {
    await fill(MAX, '-1 seconds')
    expect((await join(1)).status).toBe(201)
    expect(await keysOf(chef)).toEqual({ keys: 1, counted: 1 })
    await world.sql`update idempotency_keys set expires_at = now() where owner = ${chef.id}`
    await deleteExpired(world)
    expect(await keysOf(chef)).toEqual({ keys: 0, counted: 0 })
  })
})

describe('a process that crashed', () => {
  it('before the effect leaves the key to the same request, and to no other', async () => {
    await create()
    await world.sql`delete from team_members where user_id = ${chef.id}`
    await world.sql`delete from teams where name = ${form.name}`
    await world.sql`update idempotency_keys set status = null, answer = null where key = ${key}`
    // Its lease still runs: it may be at work.
    expect((await create()).body.code).toBe('IDEMPOTENCY_KEY_RUNNING')
    await crash(null)
    expect((await create({ ...form, maxMembers: 7 })).body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await tally(times(6, () => create()))).toMatchObject({ 201: expect.any(Number) })
    expect(await teamsOf(chef)).toBe(1)
  })

  it('after the effect makes no second one: its answer is lost, and that is said', async () => {
    const { secret } = world.deps
    const broken = () => {
      throw new Error('the process ended here')
    }
    world.deps.secret = { ...secret, seal: broken }
    const lost = await world.app.inject({
      method: 'POST',
      url: '/api/teams',
      headers: { authorization: `Bearer ${chef.token}`, 'idempotency-key': key },
      payload: form,
    })
    expect(lost.statusCode).toBe(500)
    world.deps.secret = secret
    expect(await teamsOf(chef)).toBe(1)
    expect((await create()).body.code).toBe('IDEMPOTENCY_KEY_RUNNING')
    await crash(0)
    for (const again of [await create(), await create()])
      expect(again).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_SPENT' } })
    expect(await teamsOf(chef)).toBe(1)
  })
})

it('without a key the same request is two', async () => {
  expect((await create(form, chef, {})).status).toBe(201)
  expect((await create({ ...form, name: `${form.name} 2` }, chef, {})).status).toBe(201)
  expect(await teamsOf(chef)).toBe(2)
})
