import type { Route } from '@community/contract'
import { PASSWORD } from '@community/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type ProcedureName } from './permissions-outcomes.ts'
import { PERMISSIONS } from './permissions.ts'
import { callProcedure, outcomeOf, restTransport, trpcTransport } from './permissions-transports.ts'
import { routeOf, ROUTES } from './permissions-routes.ts'
import { inputOf, permissionCase, type PermissionCase } from './permissions-inputs.ts'
import { openPermissionFixture } from './permissions-fixture.ts'

const fixture = await openPermissionFixture()
afterAll(() => fixture.close())
afterEach(() => restoreDatabase())

/** Administrators' writes, and writes of chefs that are audited when an administrator makes them. */
const writes = [...ROUTES].filter(
  ([, { access, method, audits }]) => audits !== null || (access === 'admin' && method !== 'GET'),
  // Cast: names of the contract.
) as [ProcedureName, Route][]
const withEffect = writes.filter(([, { audits }]) => audits !== null).map(([name]) => name)
/** A case in which the administrator is allowed: for webhooks that is the community's. */
const allowedCase = (name: ProcedureName) =>
  permissionCase(fixture, 'admin', PERMISSIONS[name].public ? 'public' : 'foreign')
/** Writes of chefs, which administrators may make with their password. */
const chefProcedures: ProcedureName[] = [
  'teams.update',
  'teams.remove',
  'teams.removeMember',
  'teams.transferOwnership',
]
/** Writes for administrators and others, which are audited for the community's webhooks. */
const webhookProcedures: ProcedureName[] = [
  'webhooks.create',
  'webhooks.update',
  'webhooks.remove',
  'webhooks.rotateSecret',
]
const confirmedProcedures = [...ROUTES]
  .filter(([, route]) => route.requiresAdminPassword)
  .map(([name]) => name) as ProcedureName[]

interface Entry {
  id: string
  actor_id: string
  actor_name: string
  action: string
  target_type: string | null
  target_id: string | null
  details: Record<string, unknown>
  result: string
  address: string | null
  request_id: string | null
}
const findNewestId = async (): Promise<string> =>
  (await fixture.server.sql<{ id: string }[]>`select coalesce(max(id), 0)::text as id from audit_log`)[0]?.id ?? '0'
const entriesAfter = (id: string) => fixture.server.sql<Entry[]>`select * from audit_log where id > ${id} order by id`
const restoreDatabase = async () => fixture.database.restore(await fixture.database.changedTables())

/** The id that an entry is about: a warning's account, the given id, or that of a response such as `{ role: { id } }`. */
function targetIdOf(name: ProcedureName, testCase: PermissionCase, data: Record<string, { id: string }>) {
  if (name === 'admin.takeWarningBack') return testCase.account.id
  const { id, userId } = inputOf(name, testCase) ?? {}
  return id ?? userId ?? (routeOf(name).creates ? Object.values(data)[0]?.id : null)
}

describe('the audit log', () => {
  it('covers exactly the writes of members that administrators may make too', () => {
    const ofMembers = withEffect.filter((name) => routeOf(name).access === 'member')
    expect(ofMembers.toSorted()).toEqual([...chefProcedures, ...webhookProcedures].toSorted())
  })

  it.each([
    ['REST', restTransport],
    ['tRPC', trpcTransport],
  ] as const)('records actor, action and target in exactly one entry over %s', async (_name, transport) => {
    for (const [name, { audits }] of writes) {
      const before = await findNewestId()
      const testCase = allowedCase(name)
      const response = await callProcedure(transport(fixture.server), name, testCase)
      expect([name, outcomeOf(response)]).toEqual([name, 'yes'])
      const entries = (await entriesAfter(before)).map((entry) => ({ ...entry, id: '' }))
      const expected = audits && {
        id: '',
        actor_id: fixture.callers.admin.id,
        actor_name: fixture.callers.admin.name,
        action: name,
        target_type: audits,
        target_id: targetIdOf(name, testCase, response.data),
        result: 'done',
        address: '127.0.0.1',
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }
      expect([name, entries]).toEqual([name, expected ? [expect.objectContaining(expected)] : []])
      const serialized = JSON.stringify(entries)
      for (const secret of [PASSWORD, fixture.callers.admin.token]) expect(serialized).not.toContain(secret)
      await restoreDatabase()
    }
  })

  it('rolls the mutation back when its entry cannot be inserted', async () => {
    await fixture.server.sql.unsafe(`
      create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
      create trigger no_entries before insert on audit_log for each row execute function refuse_entry()`)
    try {
      for (const name of withEffect) {
        const response = await callProcedure(restTransport(fixture.server), name, allowedCase(name)).catch(
          // 500 is not documented, so the response check throws.
          (error: Error) => ({ status: /answered 500/.test(error.message) ? 500 : 0 }),
        )
        expect([name, response.status, await fixture.database.changedTables()]).toEqual([name, 500, []])
        await fixture.database.restore([])
      }
    } finally {
      await fixture.server.sql.unsafe('drop trigger no_entries on audit_log; drop function refuse_entry()')
    }
  })

  it('rejects updates and deletes of entries', async () => {
    for (const change of ["update audit_log set actor_name = 'nobody'", 'delete from audit_log'])
      await expect(fixture.server.sql.unsafe(change)).rejects.toThrow()
    expect(await fixture.database.changedTables()).toEqual([])
  })
})

describe('administrator password confirmation', () => {
  it('is required by at least fifteen procedures', () => expect(confirmedProcedures.length).toBeGreaterThanOrEqual(15))

  it.each(confirmedProcedures)('%s runs only with the correct password and counts wrong ones', async (name) => {
    await fixture.server.sql`update users set password_hash = ${await otherHash()} where id = ${fixture.otherAdmin.id}`
    const testCase = permissionCase(fixture, 'admin', 'foreign')
    const transport = restTransport(fixture.server)
    const send = async (password: unknown) => {
      const input = inputOf(name, testCase)
      const { status, errors, code } = await transport(fixture.callers.admin, name, { ...input, password })
      return { status, code, errors }
    }
    const changedBefore = await fixture.database.changedTables()
    const before = await findNewestId()
    const required = { status: 400, errors: [{ path: 'password', msg: 'Password is required' }] }
    for (const password of [undefined, '', '   ', [PASSWORD], { $ne: '' }, null])
      expect([password, await send(password)]).toMatchObject([password, required])
    const wrong = { status: 403, code: 'WRONG_PASSWORD' }
    for (const password of ['Wrong-2026', `${PASSWORD} `, PASSWORD.toLowerCase(), OTHER_PASSWORD, PASSWORD.slice(1)])
      expect([password, await send(password)]).toMatchObject([password, wrong])
    expect(await send(PASSWORD)).toMatchObject({ status: 429, code: 'ADMIN_PASSWORD_LOCKED' })
    // Each wrong password and the lock are audited; nothing else changed.
    const entries = await entriesAfter(before)
    expect(
      entries.every(({ actor_id, request_id }) => actor_id === fixture.callers.admin.id && request_id !== null),
    ).toBe(true)
    const results = entries.map(({ result }) => result)
    expect(results).toEqual([...Array<string>(5).fill('WRONG_PASSWORD'), 'ADMIN_PASSWORD_LOCKED'])
    expect((await fixture.database.changedTables()).filter((table) => table !== 'audit_log')).toEqual(changedBefore)
    await fixture.server.sql`delete from rate_limits`
    expect((await send(PASSWORD)).status).toBeLessThan(300)
    await restoreDatabase()
  })

  it('locks all confirmed procedures after five wrong passwords, including chef procedures', async () => {
    const transport = restTransport(fixture.server)
    for (const name of [...confirmedProcedures.slice(0, 3), ...chefProcedures.slice(0, 2)]) {
      const input = inputOf(name, permissionCase(fixture, 'admin', 'foreign'))
      expect((await transport(fixture.callers.admin, name, { ...input, password: 'Wrong-2026' })).code).toBe(
        'WRONG_PASSWORD',
      )
    }
    for (const name of [...confirmedProcedures, ...chefProcedures]) {
      const { status, code } = await callProcedure(transport, name, permissionCase(fixture, 'admin', 'foreign'))
      expect([name, status, code]).toEqual([name, 429, 'ADMIN_PASSWORD_LOCKED'])
    }
    expect((await fixture.database.changedTables()).filter((table) => table !== 'audit_log')).toEqual([])
    await restoreDatabase()
  })
})
const OTHER_PASSWORD = 'Riad-2026x'
let hashOfOther: Promise<string> | undefined
/** The hash of another administrator's password. */
const otherHash = () => (hashOfOther ??= fixture.server.deps.passwords.hash(OTHER_PASSWORD))

describe('a password in the query string', () => {
  it.each(confirmedProcedures)('%s ignores it', async (name) => {
    const route: Route = ROUTES.get(name) as Route
    const input: Record<string, unknown> = { ...inputOf(name, permissionCase(fixture, 'admin', 'foreign')) }
    const url = route.path.replace(/\{(\w+)\}/g, (_all, word: string) => String(input[word]))
    for (const word of route.path.matchAll(/\{(\w+)\}/g)) delete input[word[1] ?? '']
    delete input['password']
    const response = await fixture.server.app.inject({
      method: route.method,
      url: `/api${url}?password=${PASSWORD}`,
      headers: { authorization: `Bearer ${fixture.callers.admin.token}` },
      payload: input,
    })
    expect(response.statusCode).toBe(400)
    expect(response.json<{ errors: unknown[] }>().errors).toMatchObject([
      { path: 'password', msg: 'Password is required' },
    ])
    expect(await fixture.database.changedTables()).toEqual([])
  })
})

const UNKNOWN_ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'

describe('administrator input', () => {
  const withReason: ProcedureName[] = ['admin.warn', 'admin.ban', 'admin.addToBlacklist']
  it.each(withReason)('%s requires a visible reason', async (name) => {
    const input = inputOf(name, permissionCase(fixture, 'admin', 'foreign'))
    for (const [reason, msg] of [
      ['   ', 'This field is required'],
      ['', 'This field is required'],
      ['\u200b\u200b', 'This field is required'],
      [undefined, 'This field is required'],
      ['x'.repeat(501), 'Maximum 500 characters allowed'],
    ])
      expect([
        reason,
        await restTransport(fixture.server)(fixture.callers.admin, name, { ...input, reason }),
      ]).toMatchObject([reason, { status: 400, errors: [{ path: 'reason', msg }] }])
    expect(await fixture.database.changedTables()).toEqual([])
  })

  it.each([0, 101, 1.5, -1, '90', null, undefined, 1e9, true])('rejects the score %j', async (score) => {
    const input = { id: fixture.teams.B.pending, status: 'approved', score }
    for (const transport of [restTransport, trpcTransport])
      expect(await transport(fixture.server)(fixture.callers.admin, 'submissions.evaluate', input)).toMatchObject({
        status: 400,
        errors: [{ path: 'score', msg: 'Please enter a valid score (1-100)' }],
      })
    expect(await fixture.database.changedTables()).toEqual([])
  })

  const withId = writes
    .filter(([, { input }]) => input && ('id' in input.shape || 'userId' in input.shape))
    .map(([name]) => name)
  it.each(withId)('%s answers 404 for an unknown id and 400 for a malformed one', async (name) => {
    const testCase = allowedCase(name)
    const input: Record<string, unknown> = { ...inputOf(name, testCase) }
    const words = Object.keys(input).filter((key) => key === 'id' || key === 'userId')
    for (const word of words)
      for (const transport of [restTransport, trpcTransport]) {
        const missing = await transport(fixture.server)(fixture.callers.admin, name, { ...input, [word]: UNKNOWN_ID })
        expect([word, missing.status]).toEqual([word, 404])
        expect(missing.code).toMatch(/_MISSING$/)
        const malformed = await transport(fixture.server)(fixture.callers.admin, name, { ...input, [word]: 'no-id' })
        expect([word, malformed]).toMatchObject([
          word,
          { status: 400, errors: [{ path: word, msg: 'Not a valid id' }] },
        ])
      }
    expect(await fixture.database.changedTables()).toEqual([])
    await fixture.database.restore([])
  })

  it('answers 409 when an action is repeated', async () => {
    const transport = restTransport(fixture.server)
    const twice: [ProcedureName, string][] = [
      ['submissions.evaluate', 'NOT_PENDING'],
      ['submissions.resetEvaluation', 'NOT_EVALUATED'],
      ['admin.ban', 'ALREADY_BANNED'],
      ['admin.unban', 'NOT_BANNED'],
      ['roles.create', 'DUPLICATE_ROLE'],
    ]
    for (const [name, code] of twice) {
      const testCase = permissionCase(fixture, 'admin', 'foreign')
      expect((await callProcedure(transport, name, testCase)).status).toBeLessThan(300)
      expect(await callProcedure(transport, name, testCase)).toMatchObject({ status: 409, code })
      await restoreDatabase()
    }
  })
})
