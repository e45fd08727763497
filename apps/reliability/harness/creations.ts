import { contract, routesOf } from '@community/contract'
import { PASSWORD, uniqueEmail, uniqueName } from '@community/testing'
import { type Call, type Client, dataOf, requestOf } from '@community/testing/api-client'
import { createChallenge, createTeam, joinRequest, teamForm } from '@community/testing/community'
import type { Fixture } from './fixture.ts'
import { mailedCode } from './sign-in.ts'
import type { User } from '@community/testing/database/users'

/** A call that creates or evaluates something. */
export interface Creation {
  call: Call
  /** Another valid body of the same call. */
  otherBody: object
  /** Counts its effects. */
  countEffects(): Promise<number>
}

interface Setup {
  fixture: Fixture
  client: Client
  member: User
  host: User
  admin: User
  /** Accepts several applications of one team, so that a second effect would not be rejected by the limit. */
  challenge: { id: string }
}

interface Prepared {
  call: Call & { body: object }
  /** The fields that differ in the other body. */
  change: object
  /** Counts the rows that an effect leaves. */
  rows: [table: string, column: string, value: string]
}

const CHANGED_REASON = { reason: 'Something else' }
const CHANGED_WORK = { content: 'https://example.ma/other' }

const IN_A_DAY = () => new Date(Date.now() + 86_400_000).toISOString()

const PREPARE: Record<string, (setup: Setup) => Promise<Prepared>> = {
  async 'auth.verifyRegistrationOtp'({ fixture }) {
    const candidate = { name: uniqueName('Sara'), email: uniqueEmail(), password: PASSWORD }
    const { otp } = await mailedCode(fixture, requestOf('auth.register', candidate))
    const call = requestOf('auth.verifyRegistrationOtp', { ...candidate, otp })
    return { call, change: { name: 'Somebody Else' }, rows: ['users', 'email', candidate.email] }
  },
  async 'teams.create'({ client, member }) {
    const form = await teamForm(client)
    const call = requestOf('teams.create', form, member)
    return { call, change: { maxMembers: 6 }, rows: ['teams', 'name', form.name] }
  },
  async 'teams.join'({ client, host, member }) {
    const call = joinRequest(await createTeam(client, host), member)
    return { call, change: { name: 'Somebody Else' }, rows: ['team_members', 'user_id', member.id] }
  },
  async 'challenges.applyTo'({ client, member, challenge: { id } }) {
    const { id: teamId } = await createTeam(client, member)
    const call = requestOf('challenges.applyTo', { id, teamId }, member)
    return { call, change: CHANGED_WORK, rows: ['submissions', 'team_id', teamId] }
  },
  async 'challenges.submit'({ client, member, challenge: { id } }) {
    const team = await createTeam(client, member)
    const call = requestOf('challenges.submit', { id, teamName: team.name }, member)
    return { call, change: CHANGED_WORK, rows: ['submissions', 'team_id', team.id] }
  },
  async 'submissions.evaluate'({ client, member, admin, challenge }) {
    const { id: teamId } = await createTeam(client, member)
    const applied = client.call(requestOf('challenges.applyTo', { id: challenge.id, teamId }, member))
    const { id } = (await dataOf(applied)).submission
    const call = requestOf('submissions.evaluate', { id }, admin)
    return { call, change: { score: 90 }, rows: ['audit_log', 'target_id', id] }
  },
  async 'admin.createChallenge'({ admin }) {
    const title = uniqueName('Challenge')
    const call = requestOf('admin.createChallenge', { title }, admin)
    return { call, change: { points: 7 }, rows: ['challenges', 'title', title] }
  },
  async 'admin.announce'({ admin }) {
    const title = uniqueName('News')
    // Not published during the test: that would notify everyone.
    const call = requestOf('admin.announce', { title, audience: 'everyone', publishAt: IN_A_DAY() }, admin)
    return { call, change: { body: 'Something else' }, rows: ['announcements', 'title', title] }
  },
  async 'roles.create'({ admin }) {
    const name = uniqueName('Role')
    const call = requestOf('roles.create', { name, emoji: '🧵' }, admin)
    return { call, change: { category: 'Other' }, rows: ['roles', 'name', name] }
  },
  async 'admin.addToBlacklist'({ admin }) {
    const email = uniqueEmail()
    const call = requestOf('admin.addToBlacklist', { email }, admin)
    return { call, change: CHANGED_REASON, rows: ['blacklist', 'email', email] }
  },
  async 'admin.warn'({ admin, member: { id } }) {
    const call = requestOf('admin.warn', { userId: id }, admin)
    return { call, change: CHANGED_REASON, rows: ['warnings', 'user_id', id] }
  },
}

export const CREATIONS: string[] = Object.keys(PREPARE)

/** Refused by a product that has content. */
const REFUSED = ['admin.startImport']

/** Procedures that take an Idempotency-Key and are not in `CREATIONS`. */
export const missingCreations = (): string[] =>
  routesOf(contract).flatMap(([name, { idempotent }]) =>
    idempotent && !CREATIONS.includes(name) && !REFUSED.includes(name) ? [name] : [],
  )

/** Prepares creations of these kinds, each by its own member or administrator. */
export async function prepareCreations(fixture: Fixture, kinds: readonly string[]): Promise<Creation[]> {
  const { client, sql } = fixture
  const challenge = await createChallenge(client, await fixture.createAdmin(), { maxSubmissions: 5 })
  const [members, host] = [await fixture.createMembers(kinds.length), await fixture.createMember()]
  const prepareOne = async (member: User, index: number): Promise<Creation> => {
    const prepare = PREPARE[kinds[index] ?? '']
    if (!prepare) throw new Error(`there is no ${kinds[index]}`)
    // Of its own: only five password checks of one administrator run at once, and the others wait four seconds at most.
    const admin = await fixture.createAdmin()
    const { call, change, rows } = await prepare({ fixture, client, member, host, admin, challenge })
    const [table, column, value] = rows
    const countEffects = async () => (await sql`select 1 from ${sql(table)} where ${sql(column)} = ${value}`).length
    return { call, otherBody: { ...call.body, ...change }, countEffects }
  }
  return Promise.all(members.map(prepareOne))
}
