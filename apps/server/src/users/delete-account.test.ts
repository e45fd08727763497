import { fileForm, PASSWORD, rounds } from '@community/testing'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { times } from '../../test/accounts.ts'
import { expectInvariants } from '@community/testing/database/invariants'
import { transparentPng } from '../../test/sample-pictures.ts'
import { openTestServer, type TestUser, type TestServer } from '../../test/test-server.ts'
import { decoyEmail } from '../auth/codes.ts'

let server: TestServer
let admin: TestUser
beforeAll(async () => {
  server = await openTestServer()
  admin = await server.createAdmin()
})
afterAll(() => server.close())

const remove = (user: TestUser, password: string = PASSWORD, id = user.id) =>
  server.rest(user)(`DELETE /users/${id}`, { password })
const accountExists = async ({ id }: TestUser) => (await server.sql`select id from users where id = ${id}`).length === 1

/** Sends a file as a multipart form. */
const sendForm = (user: TestUser, endpoint: 'single' | 'profile', bytes: Uint8Array, name = 'a.png') =>
  server.rest(user)(`POST /upload/${endpoint}`, fileForm(endpoint === 'single' ? 'file' : endpoint, bytes, name))
async function sendFile(...form: Parameters<typeof sendForm>) {
  const { status, body } = await sendForm(...form)
  expect(status).toBe(201)
  return body.data.file as { id: string; secureUrl: string }
}
const listObjectKeys = async () => {
  const keys: string[] = []
  for await (const { key } of server.deps.storage.list('')) keys.push(key)
  return keys
}

/** All rows of all tables as text, by table. */
async function dump(): Promise<{ table: string; row: string }[]> {
  const tables = await server.sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`
  const rows = await Promise.all(
    tables.map(
      ({ name }) =>
        server.sql<{ table: string; row: string }[]>`
        select ${name}::text as table, to_jsonb(t)::text as row from ${server.sql(name)} t`,
    ),
  )
  return rows.flat()
}
const tablesWith = async (word: string) => [
  ...new Set((await dump()).filter(({ row }) => row.includes(word)).map(({ table }) => table)),
]

describe('deleting the own account', () => {
  it('requires the caller’s own id and password', async () => {
    const [user, other] = [await server.createMember(), await server.createMember()]
    expect(await remove(user, PASSWORD, other.id)).toMatchObject({ status: 403, body: { code: 'NOT_YOUR_ACCOUNT' } })
    expect(await remove(admin, PASSWORD, user.id)).toMatchObject({ status: 403, body: { code: 'NOT_YOUR_ACCOUNT' } })
    expect(await remove(user, 'Wrong-2026')).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD', invalid: true },
    })
    expect((await server.rest(user)(`DELETE /users/${user.id}`, {})).body.errors).toEqual([
      { path: 'password', msg: 'Password is required', code: 'INVALID_TYPE' },
    ])
    expect((await server.rest()(`DELETE /users/${user.id}`, { password: PASSWORD })).status).toBe(401)
    expect([await accountExists(user), await accountExists(other)]).toEqual([true, true])
  })

  it('revokes both tokens over both transports, prevents sign-in and hides the name', async () => {
    const user = await server.createMember()
    const response = await server.trpc(user, 'users.remove', { id: user.id, password: PASSWORD })
    expect(response).toMatchObject({ status: 200, data: {} })
    expect((await server.rest(user)('GET /users/profile')).status).toBe(401)
    expect((await server.trpc(user, 'users.profile')).status).toBe(401)
    expect((await server.rest()('POST /auth/refresh', { refreshToken: user.refreshToken })).status).toBe(401)
    const login = await server.rest()('POST /auth/login', { email: user.email, password: PASSWORD })
    expect(login.body.code).toBe('WRONG_CREDENTIALS')
    expect((await server.rest(admin)(`GET /users/${user.id}`)).body.code).toBe('USER_MISSING')
  })

  it('rejects administrators and accounts without a password over both transports', async () => {
    expect(await remove(admin)).toMatchObject({ status: 403, body: { code: 'ADMINS_STAY' } })
    const external = await server.createMember()
    await server.sql`update users set password_hash = null where id = ${external.id}`
    expect(await remove(external)).toMatchObject({ status: 409, body: { code: 'NO_PASSWORD' } })
    const overTrpc = await server.trpc(external, 'users.remove', { id: external.id, password: PASSWORD })
    expect(overTrpc).toMatchObject({ status: 409, failure: { code: 'NO_PASSWORD' } })
    expect([await accountExists(admin), await accountExists(external)]).toEqual([true, true])
  })

  it('counts wrong passwords together with sign-in and locks the eleventh attempt', async () => {
    const user = await server.createMember()
    for (const _try of times(5, (n) => n)) await remove(user, 'Wrong-2026')
    for (const _try of times(5, (n) => n))
      await server.rest()('POST /auth/login', { email: user.email, password: 'Wrong-2026' })
    const locked = await remove(user)
    expect(locked).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LOCKED' } })
    expect(Number(locked.headers['retry-after'])).toBe(locked.body.cooldown)
    expect(await accountExists(user)).toBe(true)
  })

  it('leaves every team and keeps work and points without the name', async () => {
    const [user, heir, chef] = [
      await server.createMember('Zohra Tahiri'),
      await server.createMember(),
      await server.createMember(),
    ]
    const own = await server.createTeam(user)
    await server.join(own, heir)
    const alone = await server.createTeam(user)
    const guest = await server.createTeam(chef)
    await server.join(guest, user)
    const challenge = await server.createChallenge(admin)
    const applied = await server.rest(user)(`POST /challenges/${challenge.id}/apply`, {
      teamId: own.id,
      type: 'link',
      content: 'https://github.com/zohra/app',
    })
    const { id } = applied.body.data.submission
    const verdict = { status: 'approved', score: 80 }
    expect((await server.rest(admin)(`POST /submissions/${id}/evaluate`, verdict)).status).toBe(200)

    expect((await remove(user)).status).toBe(200)
    await expectInvariants(server.db)
    const teamOf = async (teamId: string) => (await server.rest(heir)(`GET /teams/${teamId}`)).body.data.team
    expect(await teamOf(own.id)).toMatchObject({ ownerId: heir.id, memberCount: 1, points: 80, isActive: true })
    expect(await teamOf(guest.id)).toMatchObject({ ownerId: chef.id, memberCount: 1 })
    const [empty] = await server.sql`select is_active, owner_id, member_count from teams where id = ${alone.id}`
    expect(empty).toEqual({ is_active: false, owner_id: null, member_count: 0 })
    const { submission } = (await server.rest(heir)(`GET /submissions/${id}`)).body.data
    expect(submission).toMatchObject({ status: 'approved', score: 80, points: 80, submittedBy: null })
    const ledger = await server.sql`select delta from points_ledger where submission_id = ${id}`
    expect(ledger.map(({ delta }) => delta)).toEqual([80])
  })

  it('removes all personal data from database and storage', async () => {
    const name = 'Sentinelle Bensouda'
    const phone = '0677889911'
    const user = await server.createMember(name)
    const [mate, chef] = [await server.createMember(), await server.createMember()]
    const rest = server.rest(user)
    await rest('PUT /users/profile', { name, phone, github: 'https://github.com/sentinelle', bio: 'sentinelle bio' })
    const own = await server.createTeam(user)
    await server.join(own, mate)
    const left = await server.createTeam(chef)
    await server.join(left, user)
    expect((await rest(`POST /teams/${left.id}/leave`)).status).toBe(200)
    await server.sql`update team_members set name = ${name}, email = ${user.email}, phone = ${phone} where user_id = ${user.id}`
    const picture = await sendFile(user, 'profile', await transparentPng(), `${name}.png`)
    const unused = await sendFile(user, 'single', await transparentPng(), `${name}.png`)
    // A stored response, a code and its mails, a wrong password, another device, an external identity, a warning.
    await rest('POST /teams', { nonsense: name }, { 'idempotency-key': 'sentinelle' })
    await server.rest()('POST /auth/login', { email: user.email, password: 'Wrong-2026' })
    await rest('PUT /users/profile', { signInOtp: true })
    await server.rest()('POST /auth/login', { email: user.email, password: PASSWORD })
    await server.rest()('POST /auth/verify-otp', { email: user.email, otp: '000000' })
    await server.rest()('POST /auth/forgot-password', { email: user.email })
    await server.sql`insert into identities (issuer, subject, user_id) values ('https://id.example', ${user.email}, ${user.id})`
    await server.sql`insert into warnings (user_id, reason) values (${user.id}, ${`${name} was rude`})`
    await server.sql`insert into codes (purpose, email, hash, sent_at, expires_at)
      values ('external', ${user.email}, 'x', now(), now())`
    await server.sql`insert into codes (purpose, email, hash, sent_at, expires_at)
      values ('reset', ${decoyEmail(user.email)}, 'x', now(), now()) on conflict do nothing`
    // The audit log keeps administrators' actions on them.
    await server.sql`insert into audit_log (actor_id, actor_name, action, target_id, details)
      values (${admin.id}, 'Lalla Admin', 'admin.warnUser', ${user.id}, ${JSON.stringify({ name, email: user.email })}::text::jsonb)`
    expect(await tablesWith(user.email)).toEqual(
      expect.arrayContaining(['users', 'team_members', 'codes', 'jobs', 'rate_limits', 'identities']),
    )
    // Another user whose address ends with theirs.
    const neighbour = `x${user.email}`
    await server.sql`insert into rate_limits (key, count, resets_at) values (${`sign-in:${neighbour}`}, 1, now() + interval '1 hour')`
    expect(await listObjectKeys()).toHaveLength(2)

    expect((await remove(user)).status).toBe(200)
    const rows = (await dump()).filter(({ row }) => !row.includes(neighbour))
    for (const word of [
      user.email,
      user.id,
      name,
      phone,
      'github.com/sentinelle',
      'sentinelle bio',
      unused.id,
      picture.id,
    ])
      expect([word, ...new Set(rows.filter(({ row }) => row.includes(word)).map(({ table }) => table))]).toEqual(
        [user.email, user.id, name].includes(word) ? [word, 'audit_log'] : [word],
      )
    expect(await tablesWith(neighbour)).toEqual(['rate_limits'])
    expect(await listObjectKeys()).toEqual([])
    await expectInvariants(server.db)
  })

  it('keeps the files of submitted work', async () => {
    const [user, mate] = [await server.createMember(), await server.createMember()]
    const team = await server.createTeam(user)
    await server.join(team, mate)
    const challenge = await server.createChallenge(admin)
    const file = await sendFile(user, 'single', await transparentPng())
    const applied = await server.rest(user)(`POST /challenges/${challenge.id}/apply`, {
      teamId: team.id,
      type: 'upload',
      content: file.secureUrl,
    })
    expect(applied.status).toBe(201)
    expect((await remove(user)).status).toBe(200)
    expect((await server.app.inject(new URL(file.secureUrl).pathname)).statusCode).toBe(200)
    await expectInvariants(server.db)
  })

  it('allows a new registration with the same address', async () => {
    const user = await server.createMember()
    await remove(user)
    const form = { name: 'Somebody New', email: user.email, password: PASSWORD }
    const read = server.caughtMails()
    await server.rest()('POST /auth/register', { ...form, confirmPassword: PASSWORD })
    const otp = await server.mailedCode(user.email, read)
    const { body } = await server.rest()('POST /auth/verify-registration-otp', { ...form, otp })
    expect(body.data.user.id).not.toBe(user.id)
    expect(
      (await server.rest({ token: body.data.token })(`GET /users/${body.data.user.id}`)).body.data.user,
    ).toMatchObject({
      visibility: 'full',
      teams: [],
      works: [],
      warnings: 0,
    })
  })
})

describe('concurrent deletions', () => {
  it('deletes once when called twice', async () => {
    for (const _round of times(5, (n) => n)) {
      const user = await server.createMember()
      const team = await server.createTeam(user)
      await server.join(team, await server.createMember())
      const statuses = (await Promise.all(times(3, () => remove(user)))).map(({ status }) => status)
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    }
    await expectInvariants(server.db)
  })

  it('stays consistent with concurrent joins, applications, uploads and sign-ins', async () => {
    const unexpected: unknown[] = []
    const [before, picture] = [await listObjectKeys(), await transparentPng()]
    for (const _round of times(rounds(15, 5), (n) => n)) {
      const user = await server.createMember()
      const [chef, mate] = [await server.createMember(), await server.createMember()]
      const own = await server.createTeam(user)
      await server.join(own, mate)
      const [guest, wanted] = [await server.createTeam(chef), await server.createTeam(chef)]
      await server.join(guest, user)
      const challenge = await server.createChallenge(admin)
      const apply = (by: TestUser, teamId: string) =>
        server.rest(by)(`POST /challenges/${challenge.id}/apply`, {
          teamId,
          type: 'link',
          content: `https://example.ma/${randomUUID()}`,
        })
      const [deleted, ...others] = await Promise.all([
        remove(user),
        server.join(wanted, user),
        apply(user, own.id),
        apply(chef, guest.id),
        apply(mate, own.id),
        server.rest(user)(`POST /teams/${guest.id}/leave`),
        server.rest(user)('PUT /users/profile', { name: 'Renamed Meanwhile' }),
        server.rest()('POST /auth/login', { email: user.email, password: PASSWORD }),
        server.rest()('POST /auth/refresh', { refreshToken: user.refreshToken }),
        server.rest(chef)(`POST /teams/${guest.id}/transfer-ownership`, { newOwnerId: user.id }),
        server.rest(chef)(`DELETE /teams/${guest.id}/members/${user.id}`),
        sendForm(user, 'profile', picture),
        sendForm(user, 'single', picture),
      ])
      if (deleted.status !== 200) unexpected.push(deleted.body)
      unexpected.push(...others.filter(({ status }) => status >= 500).map(({ body }) => body))
      expect(await tablesWith(user.id)).toEqual([])
    }
    expect(unexpected).toEqual([])
    expect(await listObjectKeys()).toEqual(before)
    await expectInvariants(server.db)
  })

  it('does not deadlock when the chefs of two shared teams delete themselves', async () => {
    for (const _round of times(rounds(10, 4), (n) => n)) {
      const [a, b] = [await server.createMember(), await server.createMember()]
      const teams = [
        await server.createTeam(a),
        await server.createTeam(b),
        await server.createTeam(a),
        await server.createTeam(b),
      ]
      for (const team of teams) await server.join(team, team.ownerId === a.id ? b : a)
      expect((await Promise.all([remove(a), remove(b)])).map(({ status }) => status)).toEqual([200, 200])
      const rows = await server.sql`select is_active, owner_id, member_count from teams
        where id in ${server.sql(teams.map(({ id }) => id))}`
      expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
        new Set([JSON.stringify({ is_active: false, owner_id: null, member_count: 0 })]),
      )
    }
    await expectInvariants(server.db)
  })
})
