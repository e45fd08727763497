import { type Route, scopeOf } from '@community/contract'
import type { z } from 'zod'
import { READ_COST } from '../../http/read-limit.ts'

/** Descriptions of `{id}`, by the segment before it. */
const NOUNS: Record<string, string> = {
  import: 'import',
  teams: 'team',
  challenges: 'challenge',
  submissions: 'submission',
  users: 'user',
  sessions: 'session',
  warnings: 'warning',
  blacklist: 'blacklist entry',
  mails: 'mail',
  announcements: 'announcement',
  tokens: 'access token',
  webhooks: 'webhook',
  deliveries: 'delivery',
}

/** The description of a field in the contract, or what the path says of an id. */
export function describeParameter({ path, input }: Route, name: string): string {
  const declared = (input?.shape[name] as z.ZodType | undefined)?.description
  if (declared) return declared
  if (name === 'userId') return 'The id of the user'
  const [, collection = ''] = new RegExp(`/([\\w-]+)/\\{${name}\\}`).exec(path) ?? []
  const noun = NOUNS[collection]
  if (!noun) throw new Error(`The parameter ${name} of ${path} has no description`)
  return `The id of the ${noun}`
}

const CALLERS = {
  visitor: 'Anyone may call it; a valid token can show more.',
  member: 'Signed-in users only.',
  admin: 'Administrators only.',
}

/** Describes who may call it, and what a token changes. */
function describeCallers({ ignoresToken, access }: Route): string {
  if (!ignoresToken) return CALLERS[access]
  return `Needs no token; ${ignoresToken === 'if invalid' ? 'an invalid one' : 'one that is sent'} is ignored.`
}

/** Describes the personal access tokens that may call it. */
function describeTokens(route: Route): string[] {
  if (route.ignoresToken || route.access === 'visitor') return []
  if (route.sessionOnly) return ['Personal access tokens are rejected.']
  return [`A personal access token needs the scope \`${scopeOf(route)}\`.`]
}

/** Describes which calls are audited: of those that chefs may make too, only those of administrators. */
function describeAudit({ access, audits }: Route): string[] {
  if (!audits) return []
  return [`${access === 'admin' ? 'The call' : 'A call as administrator'} is written to the audit log.`]
}

/** Describes what a read costs. */
function describeCost({ cached, input }: Route): string {
  const search = input?.shape.search ? `, with \`search\` ${READ_COST.search}` : ''
  const fromCache = cached ? `; from the response cache ${READ_COST.cached}` : ''
  const callers = cached === 'for visitors' ? ', which has responses to requests without a token only' : ''
  return `Costs ${READ_COST.database} units of the read budget${search}${fromCache}${callers}.`
}

/** Describes the flags of a route in words. */
function describeFlags(route: Route): string[] {
  return [
    describeCallers(route),
    ...describeTokens(route),
    ...(route.requiresAdminPassword
      ? ['`password` is the caller’s own, required with a session: it is checked before anything happens.']
      : []),
    ...describeAudit(route),
    ...(route.proofOfWork ? ['May ask for a proof of work (428).'] : []),
    ...(route.idempotent ? ['Repeat it safely with an `Idempotency-Key`.'] : []),
    ...(route.method === 'GET' ? [describeCost(route)] : []),
  ]
}

/** The description of an operation: what the contract says of it, and what follows from its flags. */
export const describeOperation = (route: Route): string =>
  [route.description ?? `${route.summary}.`, describeFlags(route).join(' ')].join('\n\n')
