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

/** Describes the personal access tokens that may call it. */
function describeTokens(route: Route): string[] {
  if (route.ignoresToken || route.access === 'visitor') return []
  if (route.sessionOnly) return ['Personal access tokens are rejected.']
  return [`A personal access token needs the scope \`${scopeOf(route)}\`.`]
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
    route.ignoresToken === true ? 'Needs no token; one that is sent is ignored.' : CALLERS[route.access],
    ...describeTokens(route),
    ...(route.requiresAdminPassword
      ? [
          '`password` is the caller’s own, required with a session: it is checked before anything happens. The call is written to the audit log.',
        ]
      : []),
    ...(route.proofOfWork ? ['May ask for a proof of work (428).'] : []),
    ...(route.idempotent ? ['Repeat it safely with an `Idempotency-Key`.'] : []),
    ...(route.method === 'GET' ? [describeCost(route)] : []),
  ]
}

/** The description of an operation: what the contract says of it, and what follows from its flags. */
export const describeOperation = (route: Route): string =>
  [route.description ?? `${route.summary}.`, describeFlags(route).join(' ')].join('\n\n')
