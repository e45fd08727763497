import { type Client } from './client.ts'
import { createForm, joinForm, makeChallenge, makeTeam, must, uniqueName } from './community.ts'
import { ADMIN } from '@community/testing/server'
import type { Person } from './people.ts'
import type { Fixture } from './fixture.ts'

/** A call that creates something or judges it, and how often it has. */
export interface Creation {
  line: string
  token: string
  body: Record<string, unknown>
  /** Another request that the same call would take. */
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

const link = { type: 'link', content: 'https://example.ma/work' }
const otherLink = { ...link, content: 'https://example.ma/other' }

const KINDS: Record<string, (company: Company) => Promise<Creation>> = {
  async 'POST /teams'({ fixture: { sql }, client, member: { token } }) {
    const body: Record<string, unknown> = await createForm(client)
    const effects = async () => (await sql`select id from teams where name = ${String(body.name)}`).length
    return { line: 'POST /teams', token, body, other: { ...body, maxMembers: 6 }, effects }
  },
  async 'POST /teams/{id}/join'({ fixture: { sql, people }, client, member: { id, token } }) {
    const team = await makeTeam(client, await people.member())
    const body: Record<string, unknown> = joinForm(team)
    const effects = async () =>
      (await sql`select id from team_members where team_id = ${team.id} and user_id = ${id}`).length
    return { line: `POST /teams/${team.id}/join`, token, body, other: { ...body, name: 'Somebody Else' }, effects }
  },
  async 'POST /challenges/{id}/apply'({ fixture: { sql }, client, member, challenge }) {
    const team = await makeTeam(client, member)
    const effects = async () => (await sql`select id from submissions where team_id = ${team.id}`).length
    const [body, other] = [link, otherLink].map((work) => ({ teamId: team.id, ...work }))
    if (!body || !other) throw new Error('two were made')
    return { line: `POST /challenges/${challenge.id}/apply`, token: member.token, body, other, effects }
  },
  async 'POST /challenges/{id}/submit'({ fixture: { sql }, client, member, challenge }) {
    const team = await makeTeam(client, member)
    const effects = async () => (await sql`select id from submissions where team_id = ${team.id}`).length
    const [body, other] = [link, otherLink].map((work) => ({ teamName: team.name, ...work }))
    if (!body || !other) throw new Error('two were made')
    return { line: `POST /challenges/${challenge.id}/submit`, token: member.token, body, other, effects }
  },
  async 'POST /submissions/{id}/evaluate'({ fixture: { sql }, client, member, admin: { token }, challenge }) {
    const team = await makeTeam(client, member)
    const work = { token: member.token, body: { teamId: team.id, ...link } }
    const { submission } = await must<{ submission: { id: string } }>(
      client.call(`POST /challenges/${challenge.id}/apply`, work),
    )
    const effects = async () => (await sql`select id from audit_log where target_id = ${submission.id}`).length
    const body = { status: 'approved', score: 80 }
    return { line: `POST /submissions/${submission.id}/evaluate`, token, body, other: { ...body, score: 90 }, effects }
  },
  async 'POST /roles'({ fixture: { sql }, admin: { token } }) {
    const name = uniqueName('Role')
    const body = { name, emoji: '🧵', description: 'Weaves things', category: 'Design', requirements: ['Patience'] }
    const effects = async () => (await sql`select id from roles where name = ${name}`).length
    return { line: 'POST /roles', token, body, other: { ...body, category: 'Other' }, effects }
  },
  async 'POST /admin/blacklist'({ fixture: { sql }, admin: { token }, member: { name } }) {
    const email = `${name.toLowerCase().replace(/[^a-z]/g, '')}@spam.example`
    const body = { email, reason: 'Sends the same mail every day' }
    const effects = async () => (await sql`select id from blacklist where email = ${email}`).length
    return { line: 'POST /admin/blacklist', token, body, other: { ...body, reason: 'Something else' }, effects }
  },
  async 'POST /admin/warnings'({ fixture: { sql }, admin: { token }, member: { id } }) {
    const body = { userId: id, reason: 'Be kind to each other', password: ADMIN.password }
    const effects = async () => (await sql`select id from warnings where user_id = ${id}`).length
    return { line: 'POST /admin/warnings', token, body, other: { ...body, reason: 'Something else' }, effects }
  },
}

export const CREATIONS: string[] = Object.keys(KINDS)

/** Prepares creations of these kinds, each by a member of its own. */
export async function prepareCreations(fixture: Fixture, kinds: readonly string[]): Promise<Creation[]> {
  const [client] = fixture.clients
  if (!client) throw new Error('a fixture has a server')
  const admin = await fixture.people.admin()
  const challenge = await makeChallenge(client, admin, { maxSubmissions: 5 })
  const members = await fixture.people.members(kinds.length)
  return Promise.all(
    members.map((member, index) => {
      const prepare = KINDS[kinds[index] ?? '']
      if (!prepare) throw new Error(`there is no ${kinds[index]}`)
      return prepare({ fixture, client, member, admin, challenge })
    }),
  )
}
