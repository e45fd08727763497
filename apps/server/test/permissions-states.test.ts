import { PASSWORD } from '@community/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { CallerName, CallName, Outcome } from './permissions.ts'
import { outcomeOf, restDoor, tokenOf, trpcDoor } from './permissions-transports.ts'
import { inputOf, placeOf } from './permissions-inputs.ts'
import { openSituation, type Situation } from './permissions-situation.ts'

let s: Situation
beforeAll(async () => {
  s = await openSituation()
})
const takeBack = async () => s.database.restore(await s.database.changed())
afterEach(() => takeBack())
afterAll(() => s.close())

/** Makes a call at both doors from the same state; both must answer alike, and a refusal leave nothing. */
async function outcomeFrom(
  prepare: () => Promise<unknown>,
  who: CallerName,
  name: CallName,
  over: object,
): Promise<string> {
  const outcomes: string[] = []
  for (const door of [restDoor, trpcDoor]) {
    await prepare()
    const before = await s.database.sums()
    const place = placeOf(s, who, 'own')
    const input = { ...inputOf(name, place), ...over }
    const outcome = outcomeOf(await door(s.world)(tokenOf(place), name, input))
    const isSame = JSON.stringify([...before]) === JSON.stringify([...(await s.database.sums())])
    outcomes.push(outcome === 'yes' || isSame ? outcome : `${outcome}, with an effect`)
    await takeBack()
  }
  expect(outcomes[1]).toBe(outcomes[0])
  return outcomes[0] ?? ''
}

const WORK = ['pending', 'approved', 'rejected'] as const
type WorkTable = [action: string, who: CallerName, name: CallName, over: object, outcomes: [Outcome, Outcome, Outcome]]
/** Team B's work, of which the administrator knows nothing beforehand. */
const ON_WORK: WorkTable[] = [
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

describe('T-E4 actions by submission status', () => {
  it.each(ON_WORK)('T-E4 %s, as %s', async (_action, who, name, over, outcomes) => {
    const found = []
    for (const state of WORK)
      found.push(await outcomeFrom(() => Promise.resolve(), who, name, { ...over, id: s.teams.B[state] }))
    expect(found).toEqual(outcomes)
  })
})

const sql = (statement: string) => () => s.world.sql.unsafe(statement)
const nothing = () => Promise.resolve()
const close = () => s.world.sql`update challenges set is_active = false`
const expire = () => s.world.sql`update challenges set deadline = now() - interval '1 second'`
const deactivate = () => s.world.sql`update teams set is_active = false`
const fill = () => s.world.sql`update teams set max_members = member_count`
const empty = () =>
  s.world.sql.begin(async (tx) => {
    await tx`delete from team_members`
    await tx`update teams set member_count = 0, owner_id = null, is_active = false`
  })

type StateTable = [
  state: string,
  prepare: () => Promise<unknown>,
  who: CallerName,
  name: CallName,
  over: object,
  outcome: Outcome,
]
const ON_STATES: StateTable[] = [
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

describe('T-E4 actions by the state of a team or challenge', () => {
  it.each(ON_STATES)('T-E4 %s: %s', async (_state, prepare, who, name, over, outcome) =>
    expect(await outcomeFrom(prepare, who, name, over)).toBe(outcome),
  )
})

describe('T-E4 actions by the state of an account', () => {
  const banned = () => s.people.banned.id
  const free = () => s.teams.B.buddy.id
  it.each<[string, () => string, CallName, object, Outcome]>([
    ['a banned account', banned, 'admin.ban', {}, 'alreadyBanned'],
    ['a banned account', banned, 'admin.warn', {}, 'alreadyBanned'],
    ['a banned account', banned, 'admin.unban', {}, 'yes'],
    ['a banned account', banned, 'admin.setRole', { role: 'admin' }, 'alreadyBanned'],
    ['a banned account', banned, 'admin.deleteUser', {}, 'yes'],
    ['an active account', free, 'admin.unban', {}, 'notBanned'],
    ['an active account', free, 'admin.ban', {}, 'yes'],
    ['an active account', free, 'admin.setRole', { role: 'admin' }, 'yes'],
  ])('T-E4 %s', async (_state, id, name, over, outcome) => {
    const key = name === 'admin.deleteUser' || name === 'admin.setRole' ? 'id' : 'userId'
    expect(await outcomeFrom(nothing, 'admin', name, { ...over, [key]: id() })).toBe(outcome)
  })
})

describe('T-D2 administrators acting on administrators', () => {
  const ON_ADMINS: [CallName, Outcome, Outcome][] = [
    ['admin.warn', 'ownAccount', 'yes'],
    ['admin.ban', 'ownAccount', 'yes'],
    ['admin.unban', 'ownAccount', 'notBanned'],
    ['admin.deleteUser', 'ownAccount', 'yes'],
    ['admin.setRole', 'ownAccount', 'yes'],
    ['admin.removeTeamMember', 'ownAccount', 'memberMissing'],
  ]
  it.each(ON_ADMINS)('T-D2 %s is allowed on another administrator, not on oneself', async (name, own, other) => {
    const upon = (id: string) => (name === 'admin.deleteUser' || name === 'admin.setRole' ? { id } : { userId: id })
    const demotion = name === 'admin.setRole' ? { role: 'member' } : {}
    expect(await outcomeFrom(nothing, 'admin', name, { ...upon(s.people.admin.id), ...demotion })).toBe(own)
    expect(await outcomeFrom(nothing, 'admin', name, { ...upon(s.root.id), ...demotion })).toBe(other)
  })

  it('T-D2 keeps the last administrator through demotion, deletion, ban and concurrent demotions', async () => {
    const call = (who: { token: string }, name: CallName, input: object) =>
      restDoor(s.world)(who, name, { password: PASSWORD, ...input })
    const both = await Promise.all([
      call(s.people.admin, 'admin.setRole', { id: s.root.id, role: 'member' }),
      call(s.root, 'admin.setRole', { id: s.people.admin.id, role: 'member' }),
    ])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = await s.world.sql<{ id: string }[]>`select id from users where role = 'admin'`
    expect(left).toHaveLength(1)
    const last = left[0]?.id === s.root.id ? s.root : s.people.admin
    const demoted = last === s.root ? s.people.admin : s.root
    for (const [name, input] of [
      ['admin.setRole', { id: last.id, role: 'member' }],
      ['admin.deleteUser', { id: last.id }],
      ['admin.ban', { userId: last.id, reason: 'Why not' }],
      ['users.remove', { id: last.id }],
    ] as const)
      expect([name, (await call(last, name, input)).status]).toEqual([name, 403])
    // Whose role was taken is signed out, and no administrator.
    expect((await call(demoted, 'admin.ban', { userId: last.id, reason: 'Revenge' })).status).toBe(401)
  })

  it('T-D2 administrators cannot join or create a team, nor evaluate a team they were in', async () => {
    expect(await outcomeFrom(nothing, 'admin', 'teams.join', { id: s.teams.B.id })).toBe('adminsCannotJoin')
    expect(await outcomeFrom(nothing, 'admin', 'teams.create', {})).toBe('adminsCannotCreate')
    expect(await outcomeFrom(nothing, 'admin', 'submissions.evaluate', { id: s.teams.A.pending })).toBe('ownTeam')
    expect(await outcomeFrom(nothing, 'admin', 'submissions.resetEvaluation', { id: s.teams.A.approved })).toBe(
      'ownTeam',
    )
  })
})
