import { randomUUID } from 'node:crypto'
import { times, uniqueName } from '@community/testing'
import {
  bannedLine,
  type Community,
  type Operation,
  type Outcome,
  submissionLine,
  teamLine,
  tokenKey,
  tokenLine,
  webhookLine,
} from '../model/community.ts'
import {
  type ApiResponse,
  atNewAddress,
  type Client,
  isSuccess,
  outcomeOf,
  callAcrossServers,
} from '@community/testing/api-client'
import { createChallenge, teamForm } from '@community/testing/community'
import type { FixtureOn } from './fixture.ts'
import { requestFor } from './operation-requests.ts'
import { MEMBERS } from './operations.ts'
import { hasUnread } from './unread.ts'

const UNKNOWN_ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
/** Nothing listens there, so that messages are refused at once. */
const NOBODY = 'http://127.0.0.1:9'
const CHALLENGES = [
  { maxSubmissions: 1, points: 100 },
  { maxSubmissions: 2, points: 77 },
]

/** The counterpart of a model's community on a server: its users and the ids of its objects. */
export type RealCommunity = Awaited<ReturnType<typeof createRealCommunity>>

export const emptyCommunity = (): Community => ({
  admins: MEMBERS,
  teams: new Map(),
  challenges: CHALLENGES.map((challenge) => ({ ...challenge, isActive: true })),
  submissions: new Map(),
  banned: new Set(),
  tokens: new Map(),
  webhooks: new Map(),
})

/** Creates the users and challenges of a community: the members, then an administrator. */
export async function createRealCommunity(fixture: FixtureOn) {
  let calls = 0
  const admin = await fixture.createAdmin()
  // Administrators' webhooks of an earlier run would receive this run's events too.
  await fixture.sql`delete from webhooks where team_id is null and starts_with(url, ${NOBODY})`
  const created = CHALLENGES.map((challenge) => createChallenge(fixture.client, admin, challenge))
  const challenges = (await Promise.all(created)).map(({ id }) => id)
  const actors = [...(await fixture.createMembers(MEMBERS)), admin]
  /** The prefix of names and links in this community. */
  const prefix = uniqueName('W')
  /** Ids by team name, link, webhook name or `tokenKey`, including deleted objects. */
  const ids = new Map<string, string>()
  const urlOf = (link: string, origin = 'https://example.ma') => `${origin}/${encodeURIComponent(prefix)}/${link}`
  return {
    fixture,
    actors,
    ids,
    /** So that communities one after the other do not reach the limits of one address. */
    address: atNewAddress(),
    /** The clients, round-robin, so that consecutive calls go to different processes. */
    nextClient: (): Client => fixture.clients[calls++ % fixture.clients.length] ?? fixture.client,
    /** Chefs by team name, as last read. */
    chefs: new Map<string, number>(),
    /** The number of submissions and webhooks so far. */
    created: 0,
    /** The secrets of personal access tokens by `tokenKey`, including revoked ones. */
    secrets: new Map<string, string>(),
    form: await teamForm(fixture.client),
    idOf: (name: string) => ids.get(name) ?? UNKNOWN_ID,
    userIdOf: (actor: number) => actors[actor]?.id ?? UNKNOWN_ID,
    challengeIdOf: (challenge: number) => challenges[challenge] ?? UNKNOWN_ID,
    nameOf: (team: string) => `${prefix} ${team}`,
    urlOf,
    receiverOf: (webhook: string) => urlOf(webhook, NOBODY),
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
  'switchWebhook',
])
/** Whether the operation compares a password, which runs on another thread. */
export const comparesPassword = ({ kind }: Operation): boolean => COMPARING.has(kind)

/** Keeps the secret of a new token, and signs in again after a change of the password, back to the old one. */
async function recordAccess(real: RealCommunity, operation: Operation, response?: ApiResponse): Promise<void> {
  if (!response || !isSuccess(response)) return
  if (operation.kind === 'createToken') real.secrets.set(tokenKey(operation), response.body.data.secret)
  const user = real.actors[operation.actor]
  if (operation.kind === 'changePassword' && user) await real.fixture.signInAgain(user)
}

/** The names in a list of tokens or webhooks, sorted. */
function listedNames({ receiverOf }: RealCommunity, { kind, actor }: Operation, { body }: ApiResponse): string[] {
  const nameOf: Record<string, (item: { name: string; url: string }) => string | []> = {
    listTokens: ({ name }) => tokenKey({ actor, token: name }),
    listWebhooks: ({ url }) => (url.startsWith(receiverOf('')) ? url.slice(receiverOf('').length) : []),
  }
  const find = nameOf[kind]
  return find ? (body.data?.tokens ?? body.data?.webhooks ?? []).flatMap(find).toSorted() : []
}

/** Sends the same request `count` times concurrently; creations with one idempotency key. */
export async function send(real: RealCommunity, operation: Operation, count = 1): Promise<Outcome[]> {
  const call = requestFor(real, operation)
  const headers = { ...real.address, ...(isCreation(operation) && { 'idempotency-key': randomUUID() }) }
  const responses = await Promise.all(times(count, () => real.nextClient().call({ ...call, headers })))
  for (const response of responses) await recordAccess(real, operation, response)
  return responses.map((response) => [outcomeOf(response), ...listedNames(real, operation, response)].join(' '))
}

/** Sends different operations concurrently. */
export async function sendAtOnce(real: RealCommunity, operations: readonly Operation[]): Promise<Outcome[]> {
  const calls = operations.map((operation) => requestFor(real, operation))
  const responses = await callAcrossServers(real.fixture.clients, calls)
  for (const [index, operation] of operations.entries()) await recordAccess(real, operation, responses[index])
  return responses.map(outcomeOf)
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
  const { actors, chefs, ids, nameOf, receiverOf, urlOf } = real
  const { sql } = real.fixture
  const actorOf = new Map(actors.map(({ id }, actor) => [id, actor]))
  const users = [...actorOf.keys()]
  const [teams, submissions, banned, tokens, webhooks] = await Promise.all([
    sql`
      select t.id, name, owner_id, max_members, is_active, points, challenges_completed,
        array(select user_id from team_members m where m.team_id = t.id order by joined_at, user_id) as members
      from teams t where starts_with(name, ${nameOf('')})`,
    sql`
      select id, content, status, points, submitted_by from submissions where starts_with(content, ${urlOf('')})`,
    sql`select id from users where id = any(${users}::uuid[]) and is_banned`,
    sql`select id, user_id, name, scopes from personal_tokens where user_id = any(${users}::uuid[])`,
    sql`
      select w.id, url, team_id, is_active,
        array(select event from webhook_deliveries d where d.webhook_id = w.id) as received
      from webhooks w where starts_with(url, ${receiverOf('')})`,
  ])
  const knownActor = (id: string) => actorOf.get(id) ?? -1
  const teamLines = teams.map((row) => {
    const name = String(row.name).slice(nameOf('').length)
    const chef = row.owner_id === null ? null : knownActor(row.owner_id)
    ids.set(name, row.id)
    if (chef !== null) chefs.set(name, chef)
    const { max_members: maxMembers, is_active: isActive, points, challenges_completed: completed } = row
    return teamLine({ name, members: row.members.map(knownActor), chef, maxMembers, isActive, points, completed })
  })
  const submissionLines = submissions.map(({ id, content, status, points, submitted_by: submitter }) => {
    const link = String(content).slice(urlOf('').length)
    ids.set(link, id)
    return submissionLine({ link, status, points, submitter: knownActor(submitter) })
  })
  const tokenLines = tokens.map(({ id, user_id: userId, name, scopes }) => {
    const key = tokenKey({ actor: knownActor(userId), token: name })
    ids.set(key, id)
    return tokenLine(key, scopes)
  })
  const webhookLines = webhooks.map(({ id, url, team_id: teamId, is_active: isActive, received }) => {
    const name = String(url).slice(receiverOf('').length)
    ids.set(name, id)
    const [team = null] = [...ids].find(([, known]) => known === teamId) ?? []
    return webhookLine(name, { team, isActive, received })
  })
  const bannedLines = banned.map(({ id }) => bannedLine(knownActor(id)))
  return [...teamLines, ...submissionLines, ...bannedLines, ...tokenLines, ...webhookLines].toSorted()
}
