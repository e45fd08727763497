import { pathParametersOf } from '@community/contract'
import { validInput } from '@community/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hashToken } from '../src/auth/hash-token.ts'
import { CALLERS, type CallerName, type ProcedureName, OBJECTS } from './permissions-outcomes.ts'
import { PERMISSIONS } from './permissions.ts'
import { callProcedure, outcomeOf, restTransport, tokenOf, trpcTransport } from './permissions-transports.ts'
import { routeOf, ROUTES } from './permissions-routes.ts'
import { inputOf, permissionCase } from './permissions-inputs.ts'
import { isWrite, nameOf, OBJECT_FIELDS, callWithValue } from './security-fields.ts'
import { openPermissionFixture } from './permissions-fixture.ts'

const fixture = await openPermissionFixture()
afterEach(async () => fixture.database.restore(await fixture.database.changedTables()))
afterAll(() => fixture.close())

// Casts: names of the contract.
const reads = [...ROUTES].filter(([, { method }]) => method === 'GET').map(([name]) => name) as ProcedureName[]
const writes = [...ROUTES].filter(([, { method }]) => method !== 'GET').map(([name]) => name) as ProcedureName[]

/** The responses of every query that the caller may run, as text. */
async function readEverything(role: CallerName): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  const transport = restTransport(fixture.server)
  for (const name of reads) {
    for (const object of OBJECTS)
      if (PERMISSIONS[name][object])
        texts.set(
          `${name}, ${object}`,
          JSON.stringify((await callProcedure(transport, name, permissionCase(fixture, role, object))).data ?? null),
        )
  }
  const more: [ProcedureName, object][] = [
    ...[fixture.callers.stranger, fixture.callers.banned, fixture.callers.chef, fixture.otherAdmin].map(
      ({ id }): [ProcedureName, object] => ['users.get', { id }],
    ),
    ...[fixture.teams.A, fixture.teams.B].flatMap(({ pending, approved, rejected }) =>
      [pending, approved, rejected].map((id): [ProcedureName, object] => ['submissions.get', { id }]),
    ),
    ...['Notes', 'Blame', '@', 'Spam'].map((search): [ProcedureName, object] => ['submissions.approved', { search }]),
    ['teams.list', { includeInactive: role.startsWith('admin'), limit: 100 }],
    ['admin.audit', { limit: 100 }],
  ]
  for (const [name, input] of more) {
    const response = await transport(tokenOf(permissionCase(fixture, role, 'own')), name, input)
    texts.set(`${name} ${JSON.stringify(input)}`, JSON.stringify(response.data ?? null))
  }
  return texts
}

/** The calls whose responses contain a text. */
const findCallsWith = (texts: Map<string, string>, secret: string) =>
  [...texts].filter(([, text]) => text.includes(secret)).map(([call]) => call)

const READERS = CALLERS.filter((role) => role !== 'banned' && role !== 'adminNoPassword')

describe('the data that a role can read', () => {
  const phone = '0655443322'
  const texts = new Map<CallerName, Map<string, string>>()
  const textsOf = (role: CallerName) => texts.get(role) ?? new Map<string, string>()
  beforeAll(async () => {
    const { id } = fixture.callers.stranger
    await fixture.server.sql`update users set phone = ${phone}, bio = 'The bio of a stranger' where id = ${id}`
    for (const role of READERS) texts.set(role, await readEverything(role))
  })

  it('shows each private value to its audience only', async () => {
    const { callers, teams, otherAdmin } = fixture
    const ofA: CallerName[] = ['member', 'chef', 'admin']
    const ofB: CallerName[] = ['otherChef', 'admin']
    const secrets: [what: string, text: string, visibleTo: CallerName[]][] = [
      ['the address of a user without a team', callers.stranger.email, ['stranger', 'admin']],
      ['the phone number of a user without a team', phone, ['stranger', 'admin']],
      ['the bio of a user without a team', 'The bio of a stranger', ['stranger', 'admin']],
      ['the address of a banned user', callers.banned.email, ['admin']],
      ['the reason of a ban', 'Spam in every team', ['admin']],
      ['the reason of a warning', 'Warning to ', ['admin']],
      ['the reason of a blacklist entry', 'Sold links', ['admin']],
      ['the address of an administrator', otherAdmin.email, ['admin']],
      ['the notes of pending work, A', `Notes of ${teams.A.name}, pending`, ofA],
      ['the notes of pending work, B', `Notes of ${teams.B.name}, pending`, ofB],
      ['the notes of approved work, A', `Notes of ${teams.A.name}, approved`, ofA],
      ['the notes of rejected work, B', `Notes of ${teams.B.name}, rejected`, ofB],
      ['the feedback on rejected work, A', `Blame for ${teams.A.name}`, ofA],
      ['the feedback on rejected work, B', `Blame for ${teams.B.name}`, ofB],
      ['pending work, A', teams.A.pending, ofA],
      ['rejected work, B', teams.B.rejected, ofB],
      ['approved work, A', teams.A.approved, [...READERS]],
      [
        'the description of a team',
        'What only signed-in people read of it',
        READERS.filter((role) => role !== 'visitor'),
      ],
      ['the mail that was given up', fixture.deadMailId, ['admin']],
    ]
    const visible: Record<string, string[]> = {}
    const leaks: Record<string, unknown> = {}
    for (const role of READERS) {
      for (const [what, text, visibleTo] of secrets) {
        const calls = findCallsWith(textsOf(role), text)
        visible[what] = [...(visible[what] ?? []), ...(calls.length > 0 ? [role] : [])]
        if (calls.length > 0 && !visibleTo.includes(role)) leaks[`${what}, to ${role}`] = calls
      }
    }
    expect(leaks).toEqual({})
    expect(visible).toEqual(
      Object.fromEntries(
        secrets.map(([what, , visibleTo]) => [what, READERS.filter((role) => visibleTo.includes(role))]),
      ),
    )
  })

  it('shows no credential to anybody', async () => {
    const rows = await fixture.server.sql<{ secret: string }[]>`
      select password_hash as secret from users where password_hash is not null
      union select hash from codes where hash <> '' union select hash from refresh_tokens union select id from sessions
      union select payload from jobs where payload <> ''`
    const secrets = [
      ...rows.map(({ secret }) => secret),
      ...Object.values(fixture.callers).flatMap(({ token, refreshToken }) => [token, refreshToken, hashToken(token)]),
      '$argon2',
    ]
    expect(secrets.length).toBeGreaterThan(50)
    for (const role of READERS) expect(secrets.flatMap((secret) => findCallsWith(textsOf(role), secret))).toEqual([])
  })

  it('shows visitors no email address, no phone number and no unlisted field', () => {
    const all = [...textsOf('visitor').values()].join('\n')
    expect(all).not.toMatch(/@example\.ma|0612345678|\+212/)
    const keys = new Set([...all.matchAll(/"([A-Za-z_]\w*)":/g)].map(([, key]) => key ?? ''))
    expect([...keys].toSorted()).toEqual(VISITOR_FIELDS.toSorted())
  })
})

/** All fields in responses to visitors. */
const VISITOR_FIELDS = `
  _id appName approvedSubmissions averageScore category challenge challengeId challenges challengesCompleted chatGroup
  chatServer content createdAt day deadline description difficulty emoji evaluatedAt evaluatedBy
  evaluationCriteria externalSignIn feedback fileInfo history id isActive isDefault leaderboard limit links markdown
  maxMembers maxSubmissions metadata name nextCursor page pagination pendingSubmissions points preview rank
  rejectedSubmissions requirements resources resubmittedAt roles rolesNeeded score serverTime settings social stats status submission
  submissionCount submissionNotes submissions submittedBy sums supportEmail tags team teamCreationEnabled teamId teams
  title total totalPages totalSubmissions type updatedAt
  algorithm cost data expiresAt keyLength keyPrefix keySignature nonce parameters purpose salt signature
`
  .trim()
  .split(/\s+/)

/** Privileged fields that an attacker would add. */
const PRIVILEGED_FIELDS: Record<string, unknown> = {
  role: 'admin',
  isAdmin: true,
  isBanned: false,
  warnings: 0,
  warningCount: 0,
  emailVerified: true,
  passwordHash: 'x',
  points: 1000,
  challengesCompleted: 9,
  ownerId: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11',
  userId: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11',
  submittedBy: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11',
  evaluatedBy: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11',
  isActive: true,
  isChef: true,
  status: 'approved',
  score: 100,
  createdAt: '2020-01-01T00:00:00.000Z',
}

/** A case in which the procedure is allowed. */
function allowedCase(name: ProcedureName) {
  for (const object of OBJECTS)
    for (const role of CALLERS)
      if (PERMISSIONS[name][object]?.[role] === 'yes') return permissionCase(fixture, role, object)
  throw new Error(`nobody may call ${name}`)
}

describe('an unknown field', () => {
  it.each(writes)('is rejected by name: %s', async (name) => {
    const known = Object.keys(routeOf(name).input?.shape ?? {})
    const testCase = allowedCase(name)
    const input = inputOf(name, testCase)
    const wanted = Object.entries(PRIVILEGED_FIELDS).filter(([key]) => !known.includes(key))
    for (const transport of [restTransport, trpcTransport])
      for (const [key, value] of wanted) {
        const response = await transport(fixture.server)(tokenOf(testCase), name, { ...input, [key]: value })
        expect([key, response]).toMatchObject([key, { status: 400, code: 'VALIDATION', errors: [{ path: key }] }])
      }
    expect(await fixture.database.changedTables()).toEqual([])
  })

  it.each(writes)('cannot pollute a prototype: %s', async (name) => {
    const { method, path } = routeOf(name)
    const testCase = allowedCase(name)
    const input: Record<string, unknown> = { ...inputOf(name, testCase) }
    const token = tokenOf(testCase)
    const url = path.replace(/\{(\w+)\}/g, (_all, word: string) => String(input[word]))
    const body: Record<string, unknown> = { ...input }
    for (const word of pathParametersOf(path)) delete body[word]
    for (const field of ['__proto__', 'constructor']) {
      const withPrototype = (object: object) => {
        const text = JSON.stringify(object).slice(1, -1)
        return `{${text}${text === '' ? '' : ','}"${field}":{"prototype":{"role":"admin"},"role":"admin","isBanned":false}}`
      }
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token.token}` }) }
      const rest = await fixture.server.app.inject({ method, url: `/api${url}`, headers, payload: withPrototype(body) })
      const trpc = await fixture.server.app.inject({
        method: 'POST',
        url: `/trpc/${name}`,
        headers,
        payload: withPrototype(input),
      })
      expect([field, rest.statusCode, trpc.statusCode]).toEqual([field, 400, 400])
    }
    expect(await fixture.database.changedTables()).toEqual([])
    expect(({} as { role?: string }).role).toBeUndefined()
  })

  it.each(OBJECT_FIELDS.filter(isWrite).map((field) => [nameOf(field), field] as const))(
    'of the object in %s is rejected',
    async (_name, field) => {
      for (const transport of [restTransport, trpcTransport]) {
        const known = field.schema.properties?.id ? { id: fixture.roleId } : {}
        const response = await callWithValue(fixture, transport(fixture.server), field, { ...known, isChef: true })
        expect(response).toMatchObject({ status: 400, code: 'VALIDATION' })
        expect(response.errors?.map(({ path }) => path)).toContain([...field.path, 'isChef'].join('.'))
      }
      expect(await fixture.database.changedTables()).toEqual([])
    },
  )

  it.each(writes.filter((name) => pathParametersOf(routeOf(name).path).length > 0))(
    'is also a path parameter in the body: %s',
    async (name) => {
      const { method, path } = routeOf(name)
      const testCase = allowedCase(name)
      const input = { ...inputOf(name, testCase) }
      const words = pathParametersOf(path)
      const address = path.replace(/\{(\w+)\}/g, (_all, word: string) => String(input[word]))
      const rest = Object.fromEntries(Object.entries(input).filter(([key]) => !words.includes(key)))
      for (const word of words) {
        const send = fixture.server.rest(tokenOf(testCase))
        const response = await send(`${method} ${address}`, { ...rest, [word]: input[word] })
        expect(response.status).toBe(400)
        const translatable = { code: 'UNKNOWN_FIELD', template: 'Unknown field: {field}', params: { field: word } }
        expect(response.body.errors).toEqual([{ path: word, msg: `Unknown field: ${word}`, ...translatable }])
        const others = await send(`${method} ${address}`, { ...rest, [word]: input[word], surprise: 1 })
        expect(others.body.errors?.map((error) => error.path)).toEqual(['surprise', word])
        const stranger = await fixture.server.rest()(`${method} ${address}`, { [word]: input[word] })
        expect(stranger.status).toBe(routeOf(name).access === 'visitor' ? 400 : 401)
      }
      expect(await fixture.database.changedTables()).toEqual([])
    },
  )

  it('does not include the fields of a role as the list of roles has it', async () => {
    const { roles } = (await restTransport(fixture.server)(null, 'roles.list', {})).data
    const role = roles.find(({ id }: { id: string }) => id === fixture.roleId)
    for (const transport of [restTransport, trpcTransport])
      for (const chosen of [fixture.roleId, role, { id: fixture.roleId }]) {
        const form = validInput('teams.create')
        const sent = { ...form, rolesNeeded: [chosen], userInfo: { ...form.userInfo, role: chosen } }
        const { status, data } = await transport(fixture.server)(fixture.callers.stranger, 'teams.create', sent)
        expect([status, data.team.rolesNeeded]).toMatchObject([
          transport === restTransport ? 201 : 200,
          [{ id: fixture.roleId }],
        ])
        expect(data.team.members[0].role.id).toBe(fixture.roleId)
        const joined = validInput('teams.join', { id: data.team.id, role: chosen })
        expect((await transport(fixture.server)(fixture.callers.otherChef, 'teams.join', joined)).status).toBeLessThan(
          300,
        )
      }
  })
})

describe('the first administrator', () => {
  it('cannot be created by registering', async () => {
    const email = fixture.registrations[0]?.email ?? ''
    const form = validInput('auth.verifyRegistrationOtp', { email, otp: fixture.registrations[0]?.otp ?? '' })
    const transport = restTransport(fixture.server)
    expect((await transport(null, 'auth.verifyRegistrationOtp', { ...form, role: 'admin' })).status).toBe(400)
    const created = await transport(null, 'auth.verifyRegistrationOtp', form)
    expect(created).toMatchObject({ status: 201, data: { user: { role: 'member', email } } })
    expect((await transport({ token: created.data.token }, 'users.updateProfile', { role: 'admin' })).status).toBe(400)
    expect((await transport({ token: created.data.token }, 'users.list', {})).code).toBe('ADMINS_ONLY')
  })
})

describe('search and sort parameters', () => {
  const WORDS = [
    `'";--`,
    '%',
    '_',
    '\\',
    '(a+)+$',
    '*',
    '[',
    '\u0000',
    "' or 1=1 --",
    '%%%%%%%%%%%%%%%%%%%%',
    'x'.repeat(100),
  ]
  it.each(reads)('of %s are treated as data', async (name) => {
    const shape = routeOf(name).input?.shape ?? {}
    const testCase = allowedCase(name)
    const input = inputOf(name, testCase)
    const fields = Object.keys(shape).filter((key) => !pathParametersOf(routeOf(name).path).includes(key))
    for (const transport of [restTransport, trpcTransport])
      for (const field of fields)
        for (const word of WORDS) {
          const response = await transport(fixture.server)(tokenOf(testCase), name, { ...input, [field]: word })
          expect([field, word, response.status]).toEqual([
            field,
            word,
            expect.toSatisfy((status) => status === 200 || status === 400),
          ])
          // A control character is removed, which leaves no search.
          if (response.status === 200 && field === 'search' && word !== '\u0000')
            expect([word, response.data.pagination.total]).toEqual([word, 0])
        }
    expect(await fixture.database.changedTables()).toEqual([])
  })

  it('sort by known fields only', async () => {
    for (const [name, field] of [
      ['teams.list', 'sort'],
      ['teams.list', 'order'],
      ['users.list', 'sort'],
      ['users.list', 'order'],
      ['submissions.approved', 'sort'],
      ['admin.listChallenges', 'sort'],
    ] as const)
      for (const word of ['password_hash', 'passwordHash', 'email;--', 'id', 'name,id'])
        expect([
          name,
          word,
          outcomeOf(await restTransport(fixture.server)(fixture.callers.admin, name, { [field]: word })),
        ]).toEqual([name, word, 'validation'])
  })
})
