import fc from 'fast-check'
import type { Operation } from '../model/community.ts'
import type { RealWorld } from './model-world.ts'

/** Actors 0 to 4 are members, and the one after them is an administrator. */
export const MEMBERS = 5
const TEAMS = ['red', 'blue', 'green']

const OF_CHEFS = new Set<Operation['kind']>(['remove', 'transfer', 'update', 'delete', 'apply'])
/** Two in six do what only a chef may without being asked whether they are. */
const isBold = (actor: number): boolean => actor >= MEMBERS - 1

/**
 * An operation on what there is: each hand-in has a link of its own, what is done to one later is done to one of those, and
 * what only a chef may do is mostly done by the chef.
 */
export function aimed(operation: Operation, world: RealWorld): Operation {
  const chef = 'team' in operation ? world.chefs.get(operation.team) : undefined
  const isTheirs = OF_CHEFS.has(operation.kind) && !isBold(operation.actor)
  const actor = isTheirs ? (chef ?? operation.actor) : operation.actor
  if (operation.kind === 'apply' || operation.kind === 'submit')
    return { ...operation, actor, link: `${WORK}${world.handIns++}` }
  if (!('link' in operation)) return { ...operation, actor }
  const known = [...world.ids.keys()].filter((name) => name.startsWith(WORK))
  return { ...operation, actor, link: known[Number(operation.link) % known.length] ?? `${WORK}0` }
}
const WORK = 'work-'

const member = fc.nat({ max: MEMBERS - 1 })
/** Mostly those who may. */
const anybody = fc.oneof({ weight: 9, arbitrary: member }, { weight: 1, arbitrary: fc.constant(MEMBERS) })
const mostlyAdmin = fc.oneof({ weight: 1, arbitrary: member }, { weight: 6, arbitrary: fc.constant(MEMBERS) })
const team = fc.constantFrom(...TEAMS)
const challenge = fc.nat({ max: 1 })
const link = fc.nat({ max: 30 }).map(String)

/** How often, and what. */
const OPERATIONS: [number, fc.Arbitrary<Operation>][] = [
  [6, fc.record({ kind: fc.constant('create'), actor: anybody, team, maxMembers: fc.integer({ min: 1, max: 4 }) })],
  [7, fc.record({ kind: fc.constant('join'), actor: anybody, team })],
  [3, fc.record({ kind: fc.constant('leave'), actor: anybody, team })],
  [2, fc.record({ kind: fc.constant('remove'), actor: anybody, team, target: member, autoAssign: fc.boolean() })],
  [2, fc.record({ kind: fc.constant('transfer'), actor: anybody, team, target: member })],
  [1, fc.record({ kind: fc.constant('delete'), actor: anybody, team })],
  [3, fc.record({ kind: fc.constant('activate'), actor: mostlyAdmin, team })],
  [
    3,
    fc.record(
      {
        kind: fc.constant('update'),
        actor: anybody,
        team,
        maxMembers: fc.integer({ min: 1, max: 4 }),
        isActive: fc.boolean(),
      },
      { requiredKeys: ['kind', 'actor', 'team'] },
    ),
  ],
  [9, fc.record({ kind: fc.constantFrom('apply', 'submit'), actor: anybody, team, challenge, link: fc.constant('') })],
  [
    6,
    fc.record({
      kind: fc.constant('evaluate'),
      actor: mostlyAdmin,
      link,
      score: fc.option(fc.integer({ min: 1, max: 100 })),
    }),
  ],
  [2, fc.record({ kind: fc.constant('reset'), actor: mostlyAdmin, link })],
  [3, fc.record({ kind: fc.constant('resubmit'), actor: member, link })],
  [1, fc.record({ kind: fc.constant('discard'), actor: mostlyAdmin, link })],
  [1, fc.record({ kind: fc.constant('switch'), actor: mostlyAdmin, challenge, isActive: fc.boolean() })],
] as [number, fc.Arbitrary<Operation>][]

export const ANY_OPERATION: fc.Arbitrary<Operation> = fc.oneof(
  ...OPERATIONS.map(([weight, arbitrary]) => ({ weight, arbitrary })),
)
