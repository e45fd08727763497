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

/** Calls a procedure over both transports from the same state. Outcomes must be equal, and errors must change nothing. */
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

const STATUSES = ['pending', 'approved', 'rejected'] as const
type WorkCase = [
  action: string,
  who: CallerName,
  name: ProcedureName,
  over: object,
  outcomes: [Outcome, Outcome, Outcome],
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
      found.push(await findOutcome(() => Promise.resolve(), role, name, { ...overrides, id: fixture.teams.B[state] }))
    expect(found).toEqual(outcomes)
  })
})

const sql = (statement: string) => () => fixture.server.sql.unsafe(statement)
const nothing = () => Promise.resolve()
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
  prepare: () => Promise<unknown>,
  who: CallerName,
  name: ProcedureName,
  over: object,
  outcome: Outcome,
]
const STATE_CASES: StateCase[] = [
  ['an open challenge', nothing, 'chef', 'challenges.applyTo', {}, 'yes'],
  ['a closed challenge', close, 'chef', 'challenges.applyTo', {}, 'challengeInactive'],
  ['an expired challenge', expire, 'chef', 'challenges.applyTo', {}, 'challengeExpired'],
  ['an inactive team', deactivate, 'chef', 'challenges.applyTo', {}, 'teamInactive'],
  ['a closed challenge', close, 'member', 'challenges.submit', {}, 'challengeInactive'],
  ['an expired challenge', expire, 'member', 'challenges.submit', {}, 'challengeExpired'],
  ['an inactive team', deactivate, 'member', 'challenges.submit', {}, 'teamInactive'],
  ['a closed challenge', close, 'chef', 'submissions.setStatus', {}, 'challengeInactive'],
  ['an expired challenge', expire, 'chef', 'submissions.setStatus', {}, 'challengeExpired'],
  ['an inactive team', deactivate, 'chef', 'submissions.setStatus', {}, 'teamInactive'],
  ['an inactive team', deactivate, 'stranger', 'teams.join', {}, 'teamInactive'],
  ['a full team', fill, 'stranger', 'teams.join', {}, 'teamFull'],
  ['an inactive team', deactivate, 'chef', 'teams.update', { isActive: true }, 'adminsReactivate'],
  ['an inactive team', deactivate, 'admin', 'teams.update', { isActive: true }, 'yes'],
  ['an active team', nothing, 'chef', 'teams.update', { isActive: false }, 'yes'],
  ['a full team', fill, 'chef', 'teams.update', { maxMembers: 1 }, 'teamSmallerThanMembers'],
  ['an empty team', empty, 'admin', 'admin.activateTeam', {}, 'teamEmpty'],
  ['an inactive team', deactivate, 'admin', 'admin.activateTeam', {}, 'yes'],
  [
    'team creation switched off',
    sql('update settings set team_creation_enabled = false'),
    'stranger',
    'teams.create',
    {},
    'teamCreationOff',
  ],
]

describe('actions by the state of a team or challenge', () => {
  it.each(STATE_CASES)('%s: %s', async (_state, prepare, role, name, overrides, outcome) =>
    expect(await findOutcome(prepare, role, name, overrides)).toBe(outcome),
  )
})

describe('actions by the state of an account', () => {
  const banned = () => fixture.callers.banned.id
  const free = () => fixture.teams.B.buddy.id
  it.each<[string, () => string, ProcedureName, object, Outcome]>([
    ['a banned account', banned, 'admin.ban', {}, 'alreadyBanned'],
    ['a banned account', banned, 'admin.warn', {}, 'alreadyBanned'],
    ['a banned account', banned, 'admin.unban', {}, 'yes'],
    ['a banned account', banned, 'admin.setRole', { role: 'admin' }, 'alreadyBanned'],
    ['a banned account', banned, 'admin.deleteUser', {}, 'yes'],
    ['an active account', free, 'admin.unban', {}, 'notBanned'],
    ['an active account', free, 'admin.ban', {}, 'yes'],
    ['an active account', free, 'admin.setRole', { role: 'admin' }, 'yes'],
  ])('%s', async (_state, id, name, overrides, outcome) => {
    const key = name === 'admin.deleteUser' || name === 'admin.setRole' ? 'id' : 'userId'
    expect(await findOutcome(nothing, 'admin', name, { ...overrides, [key]: id() })).toBe(outcome)
  })
})

describe('administrators acting on administrators', () => {
  const ADMIN_CASES: [ProcedureName, Outcome, Outcome][] = [
    ['admin.warn', 'ownAccount', 'yes'],
    ['admin.ban', 'ownAccount', 'yes'],
    ['admin.unban', 'ownAccount', 'notBanned'],
    ['admin.deleteUser', 'ownAccount', 'yes'],
    ['admin.setRole', 'ownAccount', 'yes'],
    ['admin.removeTeamMember', 'ownAccount', 'memberMissing'],
  ]
  it.each(ADMIN_CASES)('%s is allowed on another administrator, not on oneself', async (name, own, other) => {
    const targetOf = (id: string) => (name === 'admin.deleteUser' || name === 'admin.setRole' ? { id } : { userId: id })
    const demotion = name === 'admin.setRole' ? { role: 'member' } : {}
    expect(await findOutcome(nothing, 'admin', name, { ...targetOf(fixture.callers.admin.id), ...demotion })).toBe(own)
    expect(await findOutcome(nothing, 'admin', name, { ...targetOf(fixture.otherAdmin.id), ...demotion })).toBe(other)
  })

  it('keeps the last administrator through demotion, deletion, ban and concurrent demotions', async () => {
    const call = (role: { token: string }, name: ProcedureName, input: object) =>
      restTransport(fixture.server)(role, name, { password: PASSWORD, ...input })
    const both = await Promise.all([
      call(fixture.callers.admin, 'admin.setRole', { id: fixture.otherAdmin.id, role: 'member' }),
      call(fixture.otherAdmin, 'admin.setRole', { id: fixture.callers.admin.id, role: 'member' }),
    ])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
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

  it('administrators cannot join or create a team, nor evaluate a team they were in', async () => {
    expect(await findOutcome(nothing, 'admin', 'teams.join', { id: fixture.teams.B.id })).toBe('adminsCannotJoin')
    expect(await findOutcome(nothing, 'admin', 'teams.create', {})).toBe('adminsCannotCreate')
    expect(await findOutcome(nothing, 'admin', 'submissions.evaluate', { id: fixture.teams.A.pending })).toBe('ownTeam')
    expect(await findOutcome(nothing, 'admin', 'submissions.resetEvaluation', { id: fixture.teams.A.approved })).toBe(
      'ownTeam',
    )
  })
})
