import { randomUUID } from 'node:crypto'
import { type Community, type Operation, submissionLine, teamLine, type Verdict } from '../model/community.ts'
import { type Answer, type Call, type Client, NoAnswer, overAll } from './client.ts'
import { teamForm, joinRequest, makeChallenge, uniqueName } from './community.ts'
import { ADMIN } from '@community/testing/server'
import type { Person } from './people.ts'
import type { Fixture } from './fixture.ts'
import { hasUnread } from './unread.ts'

export const CHALLENGES = [
  { maxSubmissions: 1, points: 100 },
  { maxSubmissions: 2, points: 77 },
]

/** The same community on a server: its actors, and where its things are. */
export interface RealWorld {
  fixture: Fixture
  /** The processes in turn: no two calls in a row are one's. */
  client(): Client
  actors: Person[]
  challenges: string[]
  /** Names and links of this community begin so. */
  mark: string
  /** By name, by link; of what was deleted too. */
  ids: Map<string, string>
  /** By the name of their team, as last seen. */
  chefs: Map<string, number>
  /** How often work was handed in. */
  handIns: number
  form: Awaited<ReturnType<typeof teamForm>>
}

const NOBODYS = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'

export const emptyCommunity = (admins: number): Community => ({
  admins,
  teams: new Map(),
  challenges: CHALLENGES.map((one) => ({ ...one, isActive: true })),
  submissions: new Map(),
})

/** People and challenges for a community of their own. */
export async function openWorld(fixture: Fixture, members: number): Promise<RealWorld> {
  let turn = 0
  const client = (): Client => {
    const next = fixture.clients[turn++ % fixture.clients.length]
    if (!next) throw new Error('a fixture has a server')
    return next
  }
  const admin = await fixture.people.admin()
  const actors = [...(await fixture.people.members(members)), admin]
  const made = CHALLENGES.map((challenge) => makeChallenge(client(), admin, challenge))
  return {
    fixture,
    client,
    actors,
    challenges: (await Promise.all(made)).map(({ id }) => id),
    mark: uniqueName('W').slice(0, 9),
    ids: new Map(),
    chefs: new Map(),
    handIns: 0,
    form: await teamForm(client()),
  }
}

const nameOf = ({ mark }: RealWorld, team: string) => `${mark} ${team}`
const addressOf = ({ mark }: RealWorld, link: string) => `https://example.ma/${encodeURIComponent(mark)}/${link}`

/** An operation as a request. */
function callOf(world: RealWorld, operation: Operation): Call {
  const { actors, ids, challenges, form } = world
  const token = actors[operation.actor]?.token
  const idOf = (name: string) => ids.get(name) ?? NOBODYS
  const person = (actor: number) => actors[actor]?.id ?? NOBODYS
  const password = ADMIN.password
  switch (operation.kind) {
    case 'create': {
      const body = { ...form, name: nameOf(world, operation.team), maxMembers: operation.maxMembers }
      return { line: 'POST /teams', token, body }
    }
    case 'join':
      return { ...joinRequest(idOf(operation.team), form), token }
    case 'leave':
      return { line: `POST /teams/${idOf(operation.team)}/leave`, token }
    case 'delete':
      return { line: `DELETE /teams/${idOf(operation.team)}`, token }
    case 'activate':
      return { line: `POST /admin/teams/${idOf(operation.team)}/activate`, token }
    case 'remove': {
      const line = `DELETE /teams/${idOf(operation.team)}/members/${person(operation.target)}`
      return { line, token, body: { autoAssign: operation.autoAssign } }
    }
    case 'transfer': {
      const line = `POST /teams/${idOf(operation.team)}/transfer-ownership`
      return { line, token, body: { newOwnerId: person(operation.target) } }
    }
    case 'update': {
      const { maxMembers, isActive } = operation
      const body = { ...(maxMembers !== undefined && { maxMembers }), ...(isActive !== undefined && { isActive }) }
      return { line: `PUT /teams/${idOf(operation.team)}`, token, body }
    }
    case 'apply': {
      const body = { teamId: idOf(operation.team), type: 'link', content: addressOf(world, operation.link) }
      return { line: `POST /challenges/${challenges[operation.challenge]}/apply`, token, body }
    }
    case 'submit': {
      const body = { teamName: nameOf(world, operation.team), type: 'link', content: addressOf(world, operation.link) }
      return { line: `POST /challenges/${challenges[operation.challenge]}/submit`, token, body }
    }
    case 'evaluate': {
      const { score } = operation
      const body = score === null ? { status: 'rejected' } : { status: 'approved', score }
      return { line: `POST /submissions/${idOf(operation.link)}/evaluate`, token, body }
    }
    case 'reset':
      return { line: `POST /submissions/${idOf(operation.link)}/reset-evaluation`, token }
    case 'resubmit':
      return { line: `PUT /submissions/${idOf(operation.link)}/status`, token, body: { status: 'pending' } }
    case 'discard':
      return { line: `DELETE /submissions/${idOf(operation.link)}`, token, body: { password } }
    default: {
      const verb = operation.isActive ? 'activate' : 'deactivate'
      return { line: `POST /admin/challenges/${challenges[operation.challenge]}/${verb}`, token, body: { password } }
    }
  }
}

export const creates = ({ kind }: Operation): boolean => ['create', 'join', 'apply', 'submit'].includes(kind)
/** Is somebody's password compared, on a thread of its own? */
export const comparesPassword = ({ kind }: Operation): boolean => kind === 'discard' || kind === 'switch'

/** Sends the same request so many times at once; creating ones under one key. */
export async function send(world: RealWorld, operation: Operation, times = 1): Promise<Verdict[]> {
  const call = callOf(world, operation)
  const headers: Record<string, string> = creates(operation) ? { 'idempotency-key': randomUUID() } : {}
  const answers = await Promise.all(
    Array.from({ length: times }, () => world.client().call(call.line, { ...call, headers })),
  )
  return answers.map(verdictOf)
}

/** Sends different operations at once; what they are answered is in no order. */
export async function sendAtOnce(world: RealWorld, operations: readonly Operation[]): Promise<Verdict[]> {
  const calls = operations.map((operation) => callOf(world, operation))
  return (await overAll(world.fixture.clients, calls)).map(verdictOf)
}

const verdictOf = ({ status, body }: Answer): Verdict => ({ status, ...(body?.code && { code: body.code }) })

/** Sends it and hangs up after so many milliseconds; resolves when the server has done with it. */
export async function sendAndHangUp(world: RealWorld, operation: Operation, after: number): Promise<void> {
  const { line, token, body } = callOf(world, operation)
  const signal = AbortSignal.timeout(after)
  const client = world.client()
  await client.call(line, { token, body, signal }).catch((error: unknown) => {
    if (!(error instanceof NoAnswer)) throw error
  })
  const { sql, postgres, servers } = world.fixture
  const ports = [Number(new URL(postgres.url).port), ...servers.map(({ port }) => port)]
  const isBusy = async () =>
    // On a busy machine a session of the database that was asked something seems idle until it has its turn.
    (await hasUnread(ports)) ||
    (await sql`select 1 from pg_stat_activity where application_name = 'community' and state <> 'idle'`).length > 0
  // Each answered call is a turn of the server's loop: what it had to do it has asked the database for by then, or has done.
  for (let quiet = 0; quiet < 4; ) {
    await client.call('GET /health/live')
    quiet = (await isBusy()) ? 0 : quiet + 1
  }
}

/** What is in the database of this community, as a model would tell it; learns the ids of what is new. */
export async function portraitOf(world: RealWorld): Promise<string[]> {
  const { fixture, actors, mark, ids } = world
  const numberOf = new Map(actors.map(({ id }, number) => [id, number]))
  const [teams, submissions] = await Promise.all([
    fixture.sql`
      select t.id, name, owner_id, max_members, is_active, points, challenges_completed,
        array(select user_id from team_members m where m.team_id = t.id order by joined_at, user_id) as members
      from teams t where starts_with(name, ${mark})`,
    fixture.sql`
      select id, content, status, points, submitted_by from submissions
      where starts_with(content, ${addressOf(world, '')})`,
  ])
  const lines = teams.map((row) => {
    const name = String(row.name).slice(mark.length + 1)
    ids.set(name, row.id)
    const chef = row.owner_id === null ? null : (numberOf.get(row.owner_id) ?? -1)
    if (chef !== null) world.chefs.set(name, chef)
    return teamLine({
      name,
      members: row.members.map((id: string) => numberOf.get(id) ?? -1),
      chef,
      maxMembers: row.max_members,
      isActive: row.is_active,
      points: row.points,
      completed: row.challenges_completed,
    })
  })
  for (const row of submissions) {
    const link = String(row.content).slice(addressOf(world, '').length)
    ids.set(link, row.id)
    const submitter = numberOf.get(row.submitted_by) ?? -1
    lines.push(submissionLine({ link, status: row.status, points: row.points, submitter }))
  }
  return lines.toSorted()
}
