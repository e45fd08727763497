import { contract, routesOf, scopeOf } from '@community/contract'
import { fileForm, PASSWORD, uniqueName } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createToken } from '../../test/personal-token.ts'
import { openTestServer } from '../../test/test-server.ts'
import { transparentPng } from '../../test/sample-pictures.ts'

const server = await openTestServer()
const admin = await server.createAdmin()
afterAll(() => server.close())

const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const CREDENTIAL_ERRORS = [
  'TOKEN_SCOPE_MISSING',
  'SESSION_REQUIRED',
  'ADMINS_ONLY',
  'NOT_SIGNED_IN',
  'PASSWORD_REQUIRED',
]

describe.each([
  ['member', ['read']],
  ['member', ['write']],
  ['admin', ['read']],
  ['admin', ['write']],
  ['admin', ['admin']],
  ['admin', ['write', 'admin']],
] as const)('a token of an owner with role %s and the scopes %s', (role, scopes) => {
  it('may call the procedures that its scopes allow, over both transports', async () => {
    const owner = role === 'admin' ? await server.createAdmin() : await server.createMember()
    const token = await createToken(server, owner, ...scopes)
    const allowed: readonly string[] = ['read', ...scopes]
    const expectedOf = (route: (typeof routes)[number][1]): string => {
      if (route.ignoresToken) return 'allowed'
      if (route.access === 'admin' && role === 'member') return 'ADMINS_ONLY'
      if (route.access === 'admin' && !allowed.includes('admin')) return 'TOKEN_SCOPE_MISSING'
      if (route.sessionOnly) return 'SESSION_REQUIRED'
      return allowed.includes(scopeOf(route)) ? 'allowed' : 'TOKEN_SCOPE_MISSING'
    }
    const resultOf = (code: string | undefined) => (code && CREDENTIAL_ERRORS.includes(code) ? code : 'allowed')
    const routes = routesOf(contract)
    for (const [name, route] of routes) {
      const url = route.path.replace(/\{\w+\}/g, ID)
      const rest = await server.rest(token)(`${route.method} ${url}`, route.method === 'GET' ? undefined : {})
      const trpc = await server.trpc(token, name, {})
      const expected = expectedOf(route)
      expect([name, resultOf(rest.body.code), resultOf(trpc.failure?.code)]).toEqual([name, expected, expected])
    }
  })
})

it('names the missing scope', async () => {
  const token = await createToken(server, await server.createMember(), 'read')
  const { status, body } = await server.rest(token)('PUT /users/profile', { bio: 'By a script' })
  expect({ status, body }).toMatchObject({
    status: 403,
    body: {
      code: 'TOKEN_SCOPE_MISSING',
      message: 'This access token needs the scope “write”',
      template: 'This access token needs the scope “{scope}”',
      params: { scope: 'write' },
    },
  })
})

it('requires the scope write for uploads', async () => {
  const member = await server.createMember()
  const form = fileForm('profile', await transparentPng(), 'picture.png')
  const upload = (token: { token: string }) => server.rest(token)('POST /upload/profile', form)
  const [reader, writer] = [await createToken(server, member, 'read'), await createToken(server, member, 'write')]
  expect((await upload(reader)).body.code).toBe('TOKEN_SCOPE_MISSING')
  expect((await upload(writer)).status).toBe(201)
})

describe('a token for administration', () => {
  it('needs no password, and is named in the audit log', async () => {
    const token = await createToken(server, admin, 'admin')
    const name = uniqueName('Challenge')
    const { id } = await server.createChallenge(admin, { title: name })
    for (const [caller, password, tokenName] of [
      [admin, PASSWORD, null],
      [token, undefined, token.name],
      [token, 'Not-Theirs-2026', token.name],
    ] as const) {
      const done = await server.rest(caller)(`POST /admin/challenges/${id}/deactivate`, { password })
      expect(done.status).toBe(200)
      await server.rest(admin)(`POST /admin/challenges/${id}/activate`, { password: PASSWORD })
      const entry = (await server.rest(admin)('GET /admin/audit?action=admin.deactivateChallenge&limit=1')).body.data
        .entries[0]
      expect(entry).toMatchObject({ targetId: id, tokenName, actor: { id: admin.id } })
    }
    const found = await server.rest(admin)(`GET /admin/audit?search=${encodeURIComponent(token.name)}`)
    expect(found.body.data.entries.map(({ action }: { action: string }) => action)).toContain('users.createToken')
  })

  it('acts as an administrator on a team with the scope write', async () => {
    const team = await server.createTeam(await server.createMember())
    const rename = (caller: { token: string }) => server.rest(caller)(`PUT /teams/${team.id}`, { name: uniqueName() })
    expect((await rename(await createToken(server, admin, 'write', 'admin'))).status).toBe(200)
    expect((await rename(await createToken(server, admin, 'write'))).body.code).toBe('CHEF_ONLY')
    expect((await rename(admin)).body.code).toBe('PASSWORD_REQUIRED')
  })

  it('reads as a member without the scope admin, also from the response cache', async () => {
    const { id } = await server.createChallenge(admin)
    await server.rest(admin)(`POST /admin/challenges/${id}/deactivate`, { password: PASSWORD })
    const [reader, administrator] = [
      await createToken(server, admin, 'read'),
      await createToken(server, admin, 'admin'),
    ]
    for (const _again of [1, 2])
      expect([
        (await server.rest(admin)(`GET /challenges/${id}`)).status,
        (await server.rest(administrator)(`GET /challenges/${id}`)).status,
        (await server.rest(reader)(`GET /challenges/${id}`)).status,
      ]).toEqual([200, 200, 404])
  })

  it('has every read counted in the audit log, by procedure and hour, with its name', async () => {
    const owner = await server.createAdmin()
    const [administrator, reader] = [
      await createToken(server, owner, 'admin'),
      await createToken(server, owner, 'read'),
    ]
    const read = async (caller: { token: string }) => {
      await server.rest(caller)('GET /teams')
      await server.trpc(caller, 'users.profile')
    }
    await Promise.all(Array.from({ length: 20 }, () => read(administrator)))
    await read(reader)
    // A header that query-handler.ts does not support: the official adapter handles the request.
    const adapted = await server.app.inject({
      url: '/trpc/users.profile',
      headers: { authorization: `Bearer ${administrator.token}`, 'trpc-accept': 'application/json' },
    })
    expect(adapted.statusCode).toBe(200)
    const entries = await server.sql`
      select details ->> 'procedure' as procedure, token_name, sum(uses)::int as uses, bool_and(last_used_at >= created_at) as is_ordered
      from audit_log where actor_id = ${owner.id} and action = 'users.useToken' group by 1, 2 order by 1`
    const common = { token_name: administrator.name, is_ordered: true }
    expect(entries).toEqual([
      { ...common, procedure: 'teams.list', uses: 20 },
      { ...common, procedure: 'users.profile', uses: 21 },
    ])
    const shown = await server.rest(admin)(`GET /admin/audit?actorId=${owner.id}&action=users.useToken`)
    const { uses, lastUsedAt } = shown.body.data.entries[0]
    expect([uses, Date.parse(lastUsedAt)]).toEqual([expect.any(Number), expect.any(Number)])
    const change = (values: string) =>
      server.sql.unsafe(`update audit_log set ${values} where actor_id = '${owner.id}'`)
    for (const values of ['uses = uses + 2', 'uses = uses - 1', `uses = uses + 1, actor_name = 'x'`, 'uses = uses'])
      await expect(change(values)).rejects.toThrow('append-only')
  })

  it('loses administration with the role, permanently', async () => {
    const demoted = await server.createAdmin()
    const [pure, mixed] = [
      await createToken(server, demoted, 'admin'),
      await createToken(server, demoted, 'write', 'admin'),
    ]
    const readSettings = (caller: { token: string }) => server.rest(caller)('GET /admin/settings')
    expect([(await readSettings(pure)).status, (await readSettings(mixed)).status]).toEqual([200, 200])
    const setRole = (role: string) =>
      server.rest(admin)(`PUT /admin/users/${demoted.id}/role`, { role, password: PASSWORD })
    expect((await setRole('member')).status).toBe(200)
    expect((await readSettings(pure)).body.code).toBe('NOT_SIGNED_IN')
    expect((await readSettings(mixed)).body.code).toBe('ADMINS_ONLY')
    expect((await setRole('admin')).status).toBe(200)
    expect((await readSettings(mixed)).body.code).toBe('TOKEN_SCOPE_MISSING')
  })

  it('loses administration at once when the role is lost in any other way', async () => {
    const demoted = await server.createAdmin()
    const token = await createToken(server, demoted, 'admin')
    await server.sql`update users set role = 'member' where id = ${demoted.id}`
    expect((await server.rest(token)('GET /admin/settings')).body.code).toBe('ADMINS_ONLY')
  })
})
