import { PASSWORD } from '@community/testing'
import { type ApiResponse, type Call, isSuccess, requestOf } from '@community/testing/api-client'
import {
  type AccessOperation,
  bannedLine,
  type Operation,
  type Scope,
  tokenKey,
  tokenLine,
  webhookLine,
} from '../model/community.ts'
import type { FixtureOn } from './fixture.ts'
import type { User } from '@community/testing/database/users'

/** What these requests need to know of a community on a server. */
interface Known {
  fixture: FixtureOn
  actors: User[]
  /** The prefix of names and links in this community. */
  prefix: string
  /** Ids by team name, link, webhook name or `tokenKey`, including deleted objects. */
  ids: Map<string, string>
  /** The secrets of personal access tokens by `tokenKey`, including revoked ones. */
  secrets: Map<string, string>
}

export const UNKNOWN_ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
export const idOf = ({ ids }: Known, name: string): string => ids.get(name) ?? UNKNOWN_ID
export const urlOf = ({ prefix }: Pick<Known, 'prefix'>, link: string, origin = 'https://example.ma'): string =>
  `${origin}/${encodeURIComponent(prefix)}/${link}`

const TEAM_EVENTS = [
  'team.member.joined',
  'team.member.left',
  'submission.created',
  'submission.approved',
  'submission.rejected',
  'submission.reset',
] as const
const ALL_EVENTS = [...TEAM_EVENTS, 'team.created', 'user.banned'] as const

const USES: Record<Scope, Omit<Call, 'token'>> = {
  read: { line: 'GET /users/profile' },
  write: { line: 'PUT /users/profile', body: { bio: 'By a script' } },
  admin: { line: 'GET /admin/settings' },
}

/** Nothing listens there, so that messages are refused at once. */
const receiverOf = (real: Known, name: string) => urlOf(real, name, 'http://127.0.0.1:9')

export function accessRequest(real: Known, operation: AccessOperation): Call {
  const caller = real.actors[operation.actor] ?? { token: '' }
  switch (operation.kind) {
    case 'createToken':
      return requestOf('users.createToken', { name: operation.token, scopes: operation.scopes }, caller)
    case 'revokeToken':
      return requestOf('users.revokeToken', { id: idOf(real, tokenKey(operation)) }, caller)
    case 'useToken':
      return { ...USES[operation.scope], token: real.secrets.get(tokenKey(operation)) ?? 'cmt_unknown' }
    case 'listTokens':
      return { line: 'GET /users/tokens', token: caller.token }
    case 'changePassword':
      return requestOf('auth.changePassword', { revokeTokens: operation.revokesTokens }, caller)
    case 'ban':
      return requestOf('admin.ban', { userId: real.actors[operation.target]?.id ?? '' }, caller)
    case 'createWebhook': {
      const { team, webhook } = operation
      const owner = team === null ? { events: [...ALL_EVENTS] } : { events: [...TEAM_EVENTS], teamId: idOf(real, team) }
      return requestOf('webhooks.create', { ...owner, url: receiverOf(real, webhook), password: PASSWORD }, caller)
    }
    case 'deleteWebhook':
      return requestOf('webhooks.remove', { id: idOf(real, operation.webhook), password: PASSWORD }, caller)
    default:
      return { line: 'GET /webhooks', token: caller.token }
  }
}

/** Keeps the secret of a new token, and signs in again after a change of the password, back to the old one. */
export async function recordAccess(real: Known, operation: Operation, response: ApiResponse): Promise<void> {
  if (!isSuccess(response)) return
  if (operation.kind === 'createToken') real.secrets.set(tokenKey(operation), response.body.data.secret)
  const user = real.actors[operation.actor]
  if (operation.kind === 'changePassword' && user) await real.fixture.signInAgain(user)
}

const webhookName = (real: Known, url: string) => url.slice(receiverOf(real, '').length)

/** The names in a list of tokens or webhooks, sorted. */
export function listedNames(real: Known, { kind, actor }: Operation, { body }: ApiResponse): string[] {
  if (kind === 'listTokens')
    return (body.data?.tokens ?? []).map(({ name }: { name: string }) => tokenKey({ actor, token: name })).toSorted()
  if (kind !== 'listWebhooks') return []
  return (body.data?.webhooks ?? []).map(({ url }: { url: string }) => webhookName(real, url)).toSorted()
}

/** Describes the stored bans, tokens and webhooks in the lines of `describeCommunity`, and records their ids. */
export async function describeAccess(real: Known): Promise<string[]> {
  const { fixture, actors, ids } = real
  const actorOf = new Map(actors.map(({ id }, actor) => [id, actor]))
  const users = [...actorOf.keys()]
  const [banned, tokens, webhooks] = await Promise.all([
    fixture.sql`select id from users where id = any(${users}::uuid[]) and is_banned`,
    fixture.sql`select id, user_id, name, scopes from personal_tokens where user_id = any(${users}::uuid[])`,
    fixture.sql`
      select w.id, url, team_id, is_active,
        array(select event from webhook_deliveries d where d.webhook_id = w.id) as received
      from webhooks w where starts_with(url, ${receiverOf(real, '')})`,
  ])
  const tokenLines = tokens.map(({ id, user_id: userId, name, scopes }) => {
    const key = tokenKey({ actor: actorOf.get(userId) ?? -1, token: name })
    ids.set(key, id)
    return tokenLine(key, scopes)
  })
  const webhookLines = webhooks.map(({ id, url, team_id: teamId, is_active: isActive, received }) => {
    const name = webhookName(real, url)
    ids.set(name, id)
    const [team = null] = [...ids].find(([, known]) => known === teamId) ?? []
    return webhookLine(name, { team, isActive, received })
  })
  return [...banned.map(({ id }) => bannedLine(actorOf.get(id) ?? -1)), ...tokenLines, ...webhookLines]
}
