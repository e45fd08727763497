import { PASSWORD } from '@community/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { CallerName, ProcedureName, Outcome } from './permissions-outcomes.ts'
import { outcomeOf, restTransport, tokenOf, trpcTransport } from './permissions-transports.ts'
import { inputOf, permissionCase } from './permissions-inputs.ts'
import { openPermissionFixture } from './permissions-fixture.ts'

const fixture = await openPermissionFixture()
const restoreDatabase = async () => fixture.database.restore(await fixture.database.changedTables())
afterEach(() => restoreDatabase())
afterAll(() => fixture.close())

/** Calls a procedure over both transports from the same state, and expects the same outcome. Marks an error that changed data. */
async function findOutcome(
  prepare: () => Promise<unknown>,
  role: CallerName,
  name: ProcedureName,
  overrides: object,
): Promise<string> {
  const outcomes: string[] = []
  for (const transport of [restTransport, trpcTransport]) {
    await prepare()
    const before = await fixture.database.checksums()
    const testCase = permissionCase(fixture, role, 'own')
    const input = { ...inputOf(name, testCase), ...overrides }
    const outcome = outcomeOf(await transport(fixture.server)(tokenOf(testCase), name, input))
    const isSame = JSON.stringify([...before]) === JSON.stringify([...(await fixture.database.checksums())])
    outcomes.push(outcome === 'yes' || isSame ? outcome : `${outcome}, with an effect`)
    await restoreDatabase()
  }
  expect(outcomes[1]).toBe(outcomes[0])
  return outcomes[0] ?? ''
}

const unchanged = () => Promise.resolve()

const STATUSES = ['pending', 'approved', 'rejected'] as const
type WorkCase = [
  action: string,
  role: CallerName,
  name: ProcedureName,
  overrides: object,
  outcomes: [pending: Outcome, approved: Outcome, rejected: Outcome],
]
/** Submissions of team B, which the administrator was never in. */
const WORK_CASES: WorkCase[] = [
  [
    'approving',
    'admin',
    'submissions.evaluate',
    { status: 'approved', score: 70 },
    ['yes', 'notPending', 'notPending'],
  ],
  ['rejecting', 'admin', 'submissions.evaluate', { status: 'rejected' }, ['yes', 'notPending', 'notPending']],
  ['resetting the verdict', 'admin', 'submissions.resetEvaluation', {}, ['notEvaluated', 'yes', 'yes']],
  ['deleting', 'admin', 'submissions.remove', {}, ['yes', 'yes', 'yes']],
  ['resubmitting', 'otherChef', 'submissions.setStatus', {}, ['notRejected', 'notRejected', 'yes']],
  [
    'approving one’s own submission',
    'otherChef',
    'submissions.setStatus',
    { status: 'approved' },
    ['validation', 'validation', 'validation'],
  ],
  [
    'rejecting one’s own submission',
    'otherChef',
    'submissions.setStatus',
    { status: 'rejected' },
    ['validation', 'validation', 'validation'],
  ],
]

describe('actions by submission status', () => {
  it.each(WORK_CASES)('%s, as %s', async (_action, role, name, overrides, outcomes) => {
    const found = []
    for (const state of STATUSES)
      found.push(await findOutcome(unchanged, role, name, { ...overrides, id: fixture.teams.B[state] }))
    expect(found).toEqual(outcomes)
  })
})

const sql = (statement: string) => () => fixture.server.sql.unsafe(statement)
const close = () => fixture.server.sql`update challenges set is_active = false`
const expire = () => fixture.server.clock.passDeadlines()
const deactivate = () => fixture.server.sql`update teams set is_active = false`
const fill = () => fixture.server.sql`update teams set max_members = member_count where member_count > 0`
const empty = () =>
  fixture.server.sql.begin(async (tx) => {
    await tx`delete from team_members`
    await tx`update teams set member_count = 0, owner_id = null, is_active = false`
  })

type StateCase = [
  state: string,
  role: CallerName,
  name: ProcedureName,
  prepare: () => Promise<unknown>,
  overrides: object,
  outcome: Outcome,
]
const STATE_CASES: StateCase[] = [
  ['an open challenge', 'chef', 'challenges.applyTo', unchanged, {}, 'yes'],
  ['a closed challenge', 'chef', 'challenges.applyTo', close, {}, 'challengeInactive'],
  ['an expired challenge', 'chef', 'challenges.applyTo', expire, {}, 'challengeExpired'],
  ['an inactive team', 'chef', 'challenges.applyTo', deactivate, {}, 'teamInactive'],
  ['a closed challenge', 'member', 'challenges.submit', close, {}, 'challengeInactive'],
  ['an expired challenge', 'member', 'challenges.submit', expire, {}, 'challengeExpired'],
  ['an inactive team', 'member', 'challenges.submit', deactivate, {}, 'teamInactive'],
  ['a closed challenge', 'chef', 'submissions.setStatus', close, {}, 'challengeInactive'],
  ['an expired challenge', 'chef', 'submissions.setStatus', expire, {}, 'challengeExpired'],
  ['an inactive team', 'chef', 'submissions.setStatus', deactivate, {}, 'teamInactive'],
  ['an inactive team', 'stranger', 'teams.join', deactivate, {}, 'teamInactive'],
  ['a full team', 'stranger', 'teams.join', fill, {}, 'teamFull'],
  ['an inactive team', 'chef', 'teams.update', deactivate, { isActive: true }, 'adminsReactivate'],
  ['an inactive team', 'admin', 'teams.update', deactivate, { isActive: true }, 'yes'],
  ['an active team', 'chef', 'teams.update', unchanged, { isActive: false }, 'yes'],
  ['a full team', 'chef', 'teams.update', fill, { maxMembers: 1 }, 'teamSmallerThanMembers'],
  ['an empty team', 'admin', 'admin.activateTeam', empty, {}, 'teamEmpty'],
  ['an inactive team', 'admin', 'admin.activateTeam', deactivate, {}, 'yes'],
  [
    'team creation switched off',
    'stranger',
    'teams.create',
    sql('update settings set team_creation_enabled = false'),
    {},
    'teamCreationOff',
  ],
]

describe('actions by the state of a team or challenge', () => {
  it.each(STATE_CASES)('%s, by %s: %s', async (_state, role, name, prepare, overrides, outcome) =>
    expect(await findOutcome(prepare, role, name, overrides)).toBe(outcome),
  )
})

describe('actions by the state of an account', () => {
  const banned = () => fixture.callers.banned.id
  const active = () => fixture.teams.B.buddy.id
  it.each<[state: string, name: ProcedureName, id: () => string, overrides: object, outcome: Outcome]>([
    ['a banned account', 'admin.ban', banned, {}, 'alreadyBanned'],
    ['a banned account', 'admin.warn', banned, {}, 'alreadyBanned'],
    ['a banned account', 'admin.unban', banned, {}, 'yes'],
    ['a banned account', 'admin.setRole', banned, { role: 'admin' }, 'alreadyBanned'],
    ['a banned account', 'admin.deleteUser', banned, {}, 'yes'],
    ['an active account', 'admin.unban', active, {}, 'notBanned'],
    ['an active account', 'admin.ban', active, {}, 'yes'],
    ['an active account', 'admin.setRole', active, { role: 'admin' }, 'yes'],
  ])('%s: %s', async (_state, name, id, overrides, outcome) => {
    const key = name === 'admin.deleteUser' || name === 'admin.setRole' ? 'id' : 'userId'
    expect(await findOutcome(unchanged, 'admin', name, { ...overrides, [key]: id() })).toBe(outcome)
  })
})

describe('administrators', () => {
  const ADMIN_CASES: [name: ProcedureName, own: Outcome, other: Outcome][] = [
    ['admin.warn', 'ownAccount', 'yes'],
    ['admin.ban', 'ownAccount', 'yes'],
    ['admin.unban', 'ownAccount', 'notBanned'],
    ['admin.deleteUser', 'ownAccount', 'yes'],
    ['admin.setRole', 'ownAccount', 'yes'],
    ['admin.removeTeamMember', 'ownAccount', 'memberMissing'],
  ]
  it.each(ADMIN_CASES)('call %s: %s on oneself, %s on another administrator', async (name, own, other) => {
    const targetOf = (id: string) => (name === 'admin.deleteUser' || name === 'admin.setRole' ? { id } : { userId: id })
    const demotion = name === 'admin.setRole' ? { role: 'member' } : {}
    expect(await findOutcome(unchanged, 'admin', name, { ...targetOf(fixture.callers.admin.id), ...demotion })).toBe(
      own,
    )
    expect(await findOutcome(unchanged, 'admin', name, { ...targetOf(fixture.otherAdmin.id), ...demotion })).toBe(other)
  })

  it('who demote each other at once leave one, who can be neither demoted, nor banned, nor deleted', async () => {
    const call = (role: { token: string }, name: ProcedureName, input: object) =>
      restTransport(fixture.server)(role, name, { password: PASSWORD, ...input })
    const responses = await Promise.all([
      call(fixture.callers.admin, 'admin.setRole', { id: fixture.otherAdmin.id, role: 'member' }),
      call(fixture.otherAdmin, 'admin.setRole', { id: fixture.callers.admin.id, role: 'member' }),
    ])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = await fixture.server.sql<{ id: string }[]>`select id from users where role = 'admin'`
    expect(left).toHaveLength(1)
    const last = left[0]?.id === fixture.otherAdmin.id ? fixture.otherAdmin : fixture.callers.admin
    const demoted = last === fixture.otherAdmin ? fixture.callers.admin : fixture.otherAdmin
    for (const [name, input] of [
      ['admin.setRole', { id: last.id, role: 'member' }],
      ['admin.deleteUser', { id: last.id }],
      ['admin.ban', { userId: last.id, reason: 'Why not' }],
      ['users.remove', { id: last.id }],
    ] as const)
      expect([name, (await call(last, name, input)).status]).toEqual([name, 403])
    // The demoted administrator is signed out.
    expect((await call(demoted, 'admin.ban', { userId: last.id, reason: 'Revenge' })).status).toBe(401)
  })

  it.each<[action: string, name: ProcedureName, overrides: () => object, outcome: Outcome]>([
    ['join a team', 'teams.join', () => ({ id: fixture.teams.B.id }), 'adminsCannotJoin'],
    ['create a team', 'teams.create', () => ({}), 'adminsCannotCreate'],
    ['evaluate a team they were in', 'submissions.evaluate', () => ({ id: fixture.teams.A.pending }), 'ownTeam'],
    [
      'reset an evaluation of a team they were in',
      'submissions.resetEvaluation',
      () => ({ id: fixture.teams.A.approved }),
      'ownTeam',
    ],
  ])('cannot %s', async (_action, name, overrides, outcome) =>
    expect(await findOutcome(unchanged, 'admin', name, overrides())).toBe(outcome),
  )
})
