/** The rules of personal access tokens, bans and webhooks. */
import { type AccessOperation, type Community, tokenKey } from './community.ts'
import { byAdmin, CREATED, emit, isAdmin, OK, removeMember, type RulesOf, TEAM_MISSING } from './rule.ts'

const WEBHOOKS_MAX = 10

const tokensOf = ({ tokens }: Community, actor: number): string[] =>
  [...tokens.keys()].filter((key) => key.startsWith(tokenKey({ actor, token: '' })))

function revokeTokens(community: Community, actor: number): void {
  for (const key of tokensOf(community, actor)) community.tokens.delete(key)
}

/** The webhooks that an actor may list and delete: of their teams and, as administrator, those of all teams. */
const webhooksOf = (community: Community, actor: number): string[] =>
  [...community.webhooks]
    .filter(([, { team }]) => (team === null ? isAdmin(community, actor) : community.teams.get(team)?.chef === actor))
    .map(([name]) => name)

const listOf = (names: string[]): string => [OK, ...names.toSorted()].join(' ')

export const ACCESS_RULES: RulesOf<AccessOperation> = {
  createToken(community, operation) {
    if (operation.scopes.includes('admin') && !isAdmin(community, operation.actor)) return '403 ADMINS_ONLY'
    if (community.tokens.has(tokenKey(operation))) return '409 TOKEN_NAME_TAKEN'
    community.tokens.set(tokenKey(operation), operation.scopes)
    return CREATED
  },
  revokeToken: ({ tokens }, operation) => (tokens.delete(tokenKey(operation)) ? OK : '404 TOKEN_MISSING'),
  useToken(community, operation) {
    const scopes = community.tokens.get(tokenKey(operation))
    if (!scopes) return '401 NOT_SIGNED_IN'
    if (operation.scope === 'admin' && !isAdmin(community, operation.actor)) return '403 ADMINS_ONLY'
    return operation.scope === 'read' || scopes.includes(operation.scope) ? OK : '403 TOKEN_SCOPE_MISSING'
  },
  listTokens: (community, { actor }) => listOf(tokensOf(community, actor)),
  changePassword(community, { actor, revokesTokens }) {
    if (revokesTokens) revokeTokens(community, actor)
    return OK
  },
  ban: byAdmin((community, { target }) => {
    if (community.banned.has(target)) return '409 ALREADY_BANNED'
    community.banned.add(target)
    revokeTokens(community, target)
    for (const webhook of community.webhooks.values()) if (webhook.creator === target) webhook.isActive = false
    for (const [name, team] of community.teams)
      if (team.members.includes(target)) removeMember(community, name, team, target)
    emit(community, 'user.banned')
    return OK
  }),
  createWebhook(community, { actor, team, webhook }) {
    const owner = team === null ? undefined : community.teams.get(team)
    if (team === null && !isAdmin(community, actor)) return '403 ADMINS_ONLY'
    if (team !== null && !owner) return TEAM_MISSING
    if (owner && owner.chef !== actor) return '403 CHEF_ONLY'
    const siblings = [...community.webhooks.values()].filter((other) => other.team === team)
    if (siblings.length >= WEBHOOKS_MAX) return '409 TOO_MANY_WEBHOOKS'
    community.webhooks.set(webhook, { team, creator: actor, isActive: true, received: [] })
    return CREATED
  },
  deleteWebhook(community, { actor, webhook }) {
    if (!webhooksOf(community, actor).includes(webhook)) return '404 WEBHOOK_MISSING'
    community.webhooks.delete(webhook)
    return OK
  },
  switchWebhook(community, { actor, webhook, isActive }) {
    const found = webhooksOf(community, actor).includes(webhook) && community.webhooks.get(webhook)
    if (!found) return '404 WEBHOOK_MISSING'
    found.isActive = isActive
    return OK
  },
  listWebhooks: (community, { actor }) => listOf(webhooksOf(community, actor)),
}
