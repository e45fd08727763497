import fc from 'fast-check'
import type { Operation } from '../model/community.ts'
import type { RealCommunity } from './real-community.ts'

/** Actors 0 to 4 are members; the next one is an administrator. */
export const MEMBERS = 5

const CHEF_OPERATIONS = new Set<Operation['kind']>(['remove', 'transfer', 'update', 'delete', 'apply', 'createWebhook'])
/** The last member and the administrator try a chef's operations without being the chef. */
const ignoresChefRule = (actor: number): boolean => actor >= MEMBERS - 1
const LINK_PREFIX = 'work-'
const WEBHOOK_PREFIX = 'webhook-'

/**
 * An operation on existing objects: each submission and webhook has a unique name, later operations pick one of those, and operations that
 * require a chef are mostly done by the chef.
 */
export function aimed(operation: Operation, real: RealCommunity): Operation {
  if (operation.kind === 'useToken' || operation.kind === 'revokeToken') {
    const keys = [...real.secrets.keys()]
    const [, owner = operation.actor, name = operation.token] = keys[operation.actor % keys.length]?.split(' ') ?? []
    return { ...operation, actor: Number(owner), token: name }
  }
  const chef = 'team' in operation ? real.chefs.get(operation.team ?? '') : undefined
  const runsAsChef = CHEF_OPERATIONS.has(operation.kind) && !ignoresChefRule(operation.actor)
  const actor = runsAsChef ? (chef ?? operation.actor) : operation.actor
  if (operation.kind === 'apply' || operation.kind === 'submit')
    return { ...operation, actor, link: `${LINK_PREFIX}${real.created++}` }
  if (operation.kind === 'createWebhook') return { ...operation, actor, webhook: `${WEBHOOK_PREFIX}${real.created++}` }
  const pick = (prefix: string, index: string) => {
    const known = [...real.ids.keys()].filter((name) => name.startsWith(prefix))
    return known[Number(index) % known.length] ?? `${prefix}none`
  }
  if (operation.kind === 'deleteWebhook' || operation.kind === 'switchWebhook')
    return { ...operation, webhook: pick(WEBHOOK_PREFIX, operation.webhook) }
  return 'link' in operation
    ? { ...operation, actor, link: pick(LINK_PREFIX, operation.link) }
    : { ...operation, actor }
}

const member = fc.nat({ max: MEMBERS - 1 })
/** A member; one in ten is the administrator. */
const anybody = fc.oneof({ weight: 9, arbitrary: member }, { weight: 1, arbitrary: fc.constant(MEMBERS) })
const mostlyAdmin = fc.oneof({ weight: 1, arbitrary: member }, { weight: 6, arbitrary: fc.constant(MEMBERS) })
const team = fc.constantFrom('red', 'blue', 'green')
const challenge = fc.nat({ max: 1 })
const link = fc.nat({ max: 30 }).map(String)
const maxMembers = fc.integer({ min: 1, max: 4 })
const isActive = fc.boolean()
const change = {
  maxMembers: fc.option(maxMembers, { nil: undefined }),
  isActive: fc.option(isActive, { nil: undefined }),
}
const token = fc.constantFrom('backup', 'bot')
const scope = fc.constantFrom('read', 'write', 'admin')
const scopes = fc.constantFrom(['read'], ['write'], ['read', 'write'], ['admin'])
const score = fc.option(fc.integer({ min: 1, max: 100 }))

/** Operations with their weights. */
const OPERATIONS: [weight: number, kind: Operation['kind'], fields: Record<string, fc.Arbitrary<unknown>>][] = [
  [6, 'create', { actor: anybody, team, maxMembers }],
  [7, 'join', { actor: anybody, team }],
  [3, 'leave', { actor: anybody, team }],
  [2, 'remove', { actor: anybody, team, target: member, autoAssign: fc.boolean() }],
  [2, 'transfer', { actor: anybody, team, target: member }],
  [1, 'delete', { actor: anybody, team }],
  [3, 'activate', { actor: mostlyAdmin, team }],
  [3, 'update', { actor: anybody, team, ...change }],
  [5, 'apply', { actor: anybody, team, challenge, link }],
  [4, 'submit', { actor: anybody, team, challenge, link }],
  [6, 'evaluate', { actor: mostlyAdmin, link, score }],
  [2, 'reset', { actor: mostlyAdmin, link }],
  [3, 'resubmit', { actor: member, link }],
  [1, 'discard', { actor: mostlyAdmin, link }],
  [1, 'switch', { actor: mostlyAdmin, challenge, isActive }],
  [3, 'createToken', { actor: anybody, token, scopes }],
  [1, 'revokeToken', { actor: anybody, token }],
  [6, 'useToken', { actor: anybody, token, scope }],
  [1, 'listTokens', { actor: anybody }],
  [1, 'changePassword', { actor: anybody, revokesTokens: fc.boolean() }],
  [1, 'ban', { actor: mostlyAdmin, target: member }],
  [3, 'createWebhook', { actor: anybody, team, webhook: link }],
  [2, 'createWebhook', { actor: mostlyAdmin, team: fc.constant(null), webhook: link }],
  [1, 'deleteWebhook', { actor: member, webhook: link }],
  [2, 'deleteWebhook', { actor: mostlyAdmin, webhook: link }],
  [2, 'switchWebhook', { actor: anybody, webhook: link, isActive }],
  [1, 'listWebhooks', { actor: anybody }],
]

export const ANY_OPERATION = fc.oneof(
  ...OPERATIONS.map(([weight, kind, fields]) => ({
    weight,
    arbitrary: fc.record({ kind: fc.constant(kind), ...fields }) as fc.Arbitrary<unknown> as fc.Arbitrary<Operation>,
  })),
)
