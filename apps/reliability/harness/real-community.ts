import { randomUUID } from 'node:crypto'
import { times, uniqueName } from '@community/testing'
import { type Community, type Operation, type Outcome, submissionLine, teamLine } from '../model/community.ts'
import { type Call, type Client, outcomeOf, callAcrossServers, requestOf } from '@community/testing/api-client'
import { createChallenge, joinRequest, teamForm } from '@community/testing/community'
import type { FixtureOn } from './fixture.ts'
import { accessRequest, describeAccess, idOf, listedNames, recordAccess, UNKNOWN_ID, urlOf } from './real-access.ts'
import { hasUnread } from './unread.ts'

const CHALLENGES = [
  { maxSubmissions: 1, points: 100 },
  { maxSubmissions: 2, points: 77 },
]

/** The counterpart of a model's community on a server: its users and the ids of its objects. */
export type RealCommunity = Awaited<ReturnType<typeof createRealCommunity>>

export const emptyCommunity = (admins: number): Community => ({
  admins,
  teams: new Map(),
  challenges: CHALLENGES.map((challenge) => ({ ...challenge, isActive: true })),
  submissions: new Map(),
  banned: new Set(),
  tokens: new Map(),
  webhooks: new Map(),
})

/** Creates the users and challenges of a community: the members, then an administrator. */
export async function createRealCommunity(fixture: FixtureOn, members: number) {
  let calls = 0
  const admin = await fixture.createAdmin()
  // Administrators' webhooks of an earlier run would receive this run's events too.
  await fixture.sql`delete from webhooks where team_id is null`
  const created = CHALLENGES.map((challenge) => createChallenge(fixture.client, admin, challenge))
  return {
    fixture,
    /** The clients, round-robin, so that consecutive calls go to different processes. */
    nextClient: (): Client => fixture.clients[calls++ % fixture.clients.length] ?? fixture.client,
    actors: [...(await fixture.createMembers(members)), admin],
    challenges: (await Promise.all(created)).map(({ id }) => id),
    prefix: uniqueName('W'),
    ids: new Map<string, string>(),
    /** Chefs by team name, as last read. */
    chefs: new Map<string, number>(),
    /** The number of submissions and webhooks so far. */
    created: 0,
    secrets: new Map<string, string>(),
    form: await teamForm(fixture.client),
  }
}

const nameOf = ({ prefix }: RealCommunity, team: string) => `${prefix} ${team}`

function requestFor(real: RealCommunity, operation: Operation): Call {
  const { actors, challenges, form } = real
  const caller = actors[operation.actor] ?? { token: '' }
  const nameIn = 'team' in operation ? operation.team : 'link' in operation ? operation.link : null
  const id = idOf(real, nameIn ?? '')
  const challengeId = 'challenge' in operation ? (challenges[operation.challenge] ?? UNKNOWN_ID) : UNKNOWN_ID
  const targetId = 'target' in operation ? (actors[operation.target]?.id ?? UNKNOWN_ID) : UNKNOWN_ID
  switch (operation.kind) {
    case 'create': {
      const { team, maxMembers } = operation
      return requestOf('teams.create', { ...form, name: nameOf(real, team), maxMembers }, caller)
    }
    case 'join':
      return joinRequest({ id, rolesNeeded: form.rolesNeeded }, caller)
    case 'leave':
      return requestOf('teams.leave', { id }, caller)
    case 'delete':
      return requestOf('teams.remove', { id }, caller)
    case 'activate':
      return requestOf('admin.activateTeam', { id }, caller)
    case 'remove':
      return requestOf('teams.removeMember', { id, userId: targetId, autoAssign: operation.autoAssign }, caller)
    case 'transfer':
      return requestOf('teams.transferOwnership', { id, newOwnerId: targetId }, caller)
    case 'update': {
      const { maxMembers, isActive } = operation
      return requestOf('teams.update', { id, maxMembers, isActive }, caller)
    }
    case 'apply': {
      const content = urlOf(real, operation.link)
      return requestOf('challenges.applyTo', { id: challengeId, teamId: id, content }, caller)
    }
    case 'submit': {
      const [teamName, content] = [nameOf(real, operation.team), urlOf(real, operation.link)]
      return requestOf('challenges.submit', { id: challengeId, teamName, content }, caller)
    }
    case 'evaluate': {
      const { score } = operation
      const verdict = score === null ? { status: 'rejected' as const, score: undefined } : { score }
      return requestOf('submissions.evaluate', { id, ...verdict }, caller)
    }
    case 'reset':
      return requestOf('submissions.resetEvaluation', { id }, caller)
    case 'resubmit':
      return requestOf('submissions.setStatus', { id, status: 'pending' }, caller)
    case 'discard':
      return requestOf('submissions.remove', { id }, caller)
    case 'switch': {
      const procedure = operation.isActive ? 'admin.activateChallenge' : 'admin.deactivateChallenge'
      return requestOf(procedure, { id: challengeId }, caller)
    }
    default:
      return accessRequest(real, operation)
  }
}

export const isCreation = ({ kind }: Operation): boolean => ['create', 'join', 'apply', 'submit'].includes(kind)
const COMPARING = new Set<Operation['kind']>([
  'discard',
  'switch',
  'ban',
  'createToken',
  'changePassword',
  'createWebhook',
  'deleteWebhook',
])
/** Whether the operation compares a password, which runs on another thread. */
export const comparesPassword = ({ kind }: Operation): boolean => COMPARING.has(kind)

/** Sends the same request `count` times concurrently; creations with one idempotency key. */
export async function send(real: RealCommunity, operation: Operation, count = 1): Promise<Outcome[]> {
  const call = requestFor(real, operation)
  const headers: Record<string, string> = isCreation(operation) ? { 'idempotency-key': randomUUID() } : {}
  const responses = await Promise.all(times(count, () => real.nextClient().call({ ...call, headers })))
  for (const response of responses) await recordAccess(real, operation, response)
  return responses.map((response) => [outcomeOf(response), ...listedNames(real, operation, response)].join(' '))
}

/** Sends different operations concurrently. */
export async function sendAtOnce(real: RealCommunity, operations: readonly Operation[]): Promise<Outcome[]> {
  const calls = operations.map((operation) => requestFor(real, operation))
  return (await callAcrossServers(real.fixture.clients, calls)).map(outcomeOf)
}

/** Sends an operation and aborts it `after` milliseconds; resolves when the server has finished it. */
export async function sendAndHangUp(real: RealCommunity, operation: Operation, after: number): Promise<void> {
  const client = real.nextClient()
  await client.call({ ...requestFor(real, operation), signal: AbortSignal.timeout(after) })
  const { sql, servers } = real.fixture
  const ports = [...sql.options.port, ...servers.map(({ port }) => port)]
  const isBusy = async () =>
    // On a busy machine a database session with a pending statement looks idle until it is scheduled.
    (await hasUnread(ports)) ||
    (await sql`select 1 from pg_stat_activity where application_name = 'community' and state <> 'idle'`).length > 0
  // Each response takes a turn of the server's event loop: by then it has sent its statement or finished.
  for (let quiet = 0; quiet < 4; ) {
    await client.call('GET /health/live')
    quiet = (await isBusy()) ? 0 : quiet + 1
  }
}

/** Describes the stored community in the lines of `describeCommunity`, and records the ids of new objects. */
export async function describeReal(real: RealCommunity): Promise<string[]> {
  const { fixture, actors, prefix, ids } = real
  const actorOf = new Map(actors.map(({ id }, actor) => [id, actor]))
  const [teams, submissions] = await Promise.all([
    fixture.sql`
      select t.id, name, owner_id, max_members, is_active, points, challenges_completed,
        array(select user_id from team_members m where m.team_id = t.id order by joined_at, user_id) as members
      from teams t where starts_with(name, ${prefix})`,
    fixture.sql`
      select id, content, status, points, submitted_by from submissions
      where starts_with(content, ${urlOf(real, '')})`,
  ])
  const teamLines = teams.map((row) => {
    const name = String(row.name).slice(nameOf(real, '').length)
    const chef = row.owner_id === null ? null : (actorOf.get(row.owner_id) ?? -1)
    ids.set(name, row.id)
    if (chef !== null) real.chefs.set(name, chef)
    return teamLine({
      name,
      members: row.members.map((id: string) => actorOf.get(id) ?? -1),
      chef,
      maxMembers: row.max_members,
      isActive: row.is_active,
      points: row.points,
      completed: row.challenges_completed,
    })
  })
  const submissionLines = submissions.map((row) => {
    const link = String(row.content).slice(urlOf(real, '').length)
    ids.set(link, row.id)
    const submitter = actorOf.get(row.submitted_by) ?? -1
    return submissionLine({ link, status: row.status, points: row.points, submitter })
  })
  return [...teamLines, ...submissionLines, ...(await describeAccess(real))].toSorted()
}
