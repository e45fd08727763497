import { type Client } from './client.ts'
import { joinRequest, makeChallenge, makeTeam, must, requestOf, teamForm, uniqueName } from './community.ts'
import { ADMIN } from '@community/testing/server'
import type { Fixture } from './fixture.ts'
import type { Person } from './people.ts'

/** A call that creates something or judges it, and how often it has. */
export interface Creation {
  line: string
  token: string
  body: Record<string, unknown>
  /** Another body that the same call would take. */
  other: Record<string, unknown>
  effects(): Promise<number>
}

interface Company {
  fixture: Fixture
  client: Client
  member: Person
  admin: Person
  /** Takes several applications of one team: a second effect is not refused by the limit. */
  challenge: { id: string }
}

interface Prepared {
  request: { line: string; body: Record<string, unknown> }
  /** What the other body says instead. */
  change: Record<string, unknown>
  /** The rows that an effect leaves. */
  rows: [table: string, column: string, value: string]
}

const CHANGED_REASON = { reason: 'Something else' }
const CHANGED_WORK = { content: 'https://example.ma/other' }

const BY_MEMBERS: Record<string, (company: Company) => Promise<Prepared>> = {
  async 'teams.create'({ client }) {
    const body = { ...(await teamForm(client)), name: uniqueName('Team') }
    return { request: { line: 'POST /teams', body }, change: { maxMembers: 6 }, rows: ['teams', 'name', body.name] }
  },
  async 'teams.join'({ fixture: { people }, client, member }) {
    const team = await makeTeam(client, await people.member())
    const change = { name: 'Somebody Else' }
    return { request: joinRequest(team.id, team), change, rows: ['team_members', 'user_id', member.id] }
  },
  async 'challenges.applyTo'({ client, member, challenge: { id } }) {
    const team = await makeTeam(client, member)
    const request = requestOf('challenges.applyTo', { id, teamId: team.id })
    return { request, change: CHANGED_WORK, rows: ['submissions', 'team_id', team.id] }
  },
  async 'challenges.submit'({ client, member, challenge: { id } }) {
    const team = await makeTeam(client, member)
    const request = requestOf('challenges.submit', { id, teamName: team.name })
    return { request, change: CHANGED_WORK, rows: ['submissions', 'team_id', team.id] }
  },
}

const BY_ADMINS: typeof BY_MEMBERS = {
  async 'submissions.evaluate'({ client, member, challenge }) {
    const team = await makeTeam(client, member)
    const { line, body } = requestOf('challenges.applyTo', { id: challenge.id, teamId: team.id })
    const applied = client.call(line, { token: member.token, body })
    const { id } = (await must<{ submission: { id: string } }>(applied)).submission
    const request = requestOf('submissions.evaluate', { id })
    return { request, change: { score: 90 }, rows: ['audit_log', 'target_id', id] }
  },
  async 'roles.create'() {
    const name = uniqueName('Role')
    const request = requestOf('roles.create', { name, emoji: '🧵' })
    return { request, change: { category: 'Other' }, rows: ['roles', 'name', name] }
  },
  async 'admin.addToBlacklist'({ member: { name } }) {
    const email = `${name.toLowerCase().replace(/[^a-z]/g, '')}@spam.example`
    const request = requestOf('admin.addToBlacklist', { email })
    return { request, change: CHANGED_REASON, rows: ['blacklist', 'email', email] }
  },
  async 'admin.warn'({ member: { id } }) {
    const request = requestOf('admin.warn', { userId: id, password: ADMIN.password })
    return { request, change: CHANGED_REASON, rows: ['warnings', 'user_id', id] }
  },
}

export const CREATIONS: string[] = [...Object.keys(BY_MEMBERS), ...Object.keys(BY_ADMINS)]

/** Prepares creations of these kinds, each by a member of its own. */
export async function prepareCreations(fixture: Fixture, kinds: readonly string[]): Promise<Creation[]> {
  const { client, people, sql } = fixture
  const admin = await people.admin()
  const challenge = await makeChallenge(client, admin, { maxSubmissions: 5 })
  const members = await people.members(kinds.length)
  return Promise.all(
    members.map(async (member, index) => {
      const kind = kinds[index] ?? ''
      const prepare = BY_MEMBERS[kind] ?? BY_ADMINS[kind]
      if (!prepare) throw new Error(`there is no ${kind}`)
      const { request, change, rows } = await prepare({ fixture, client, member, admin, challenge })
      const { token } = kind in BY_MEMBERS ? member : admin
      const [table, column, value] = rows
      const effects = async () => (await sql`select 1 from ${sql(table)} where ${sql(column)} = ${value}`).length
      return { ...request, token, other: { ...request.body, ...change }, effects }
    }),
  )
}
