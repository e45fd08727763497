import { sampled } from '@community/testing'
import fc from 'fast-check'
import type { Guarantee } from '../guarantee.ts'
import { conflictsLogged } from '../harness/fixture.ts'
import { MEMBERS } from '../harness/operations.ts'
import {
  createRealCommunity,
  describeReal,
  emptyCommunity,
  type RealCommunity,
  send,
} from '../harness/real-community.ts'
import { type Community, describeCommunity, type Operation } from '../model/community.ts'
import { perform } from '../model/rules.ts'

const ADMIN = MEMBERS
/** Actor 0 is chef of red with members 1 and 2 and one free seat; 3 is chef of blue, alone; 4 is in no team. */
const PRELUDE: Operation[] = [
  { kind: 'create', actor: 0, team: 'red', maxMembers: 4 },
  { kind: 'join', actor: 1, team: 'red' },
  { kind: 'join', actor: 2, team: 'red' },
  { kind: 'create', actor: 3, team: 'blue', maxMembers: 2 },
  { kind: 'submit', actor: 1, team: 'red', challenge: 0, link: 'first' },
]

const CHOICE = fc.record({
  /** The status of the first submission when the race begins. */
  before: fc.constantFrom('pending', 'approved', 'rejected'),
  score: fc.integer({ min: 1, max: 100 }),
  actor: fc.nat({ max: 4 }),
  other: fc.nat({ max: 4 }),
  challenge: fc.nat({ max: 1 }),
})
type Choice = typeof CHOICE extends fc.Arbitrary<infer T> ? T : never

/** The operations on the team red, the challenge and its submission; `index` is the operation's place in its pair. */
const OPERATIONS: Record<string, (choice: Choice, index: number) => Operation> = {
  create: ({ actor }) => ({ kind: 'create', actor, team: 'green', maxMembers: 3 }),
  join: (_, index) => ({ kind: 'join', actor: 3 + index, team: 'red' }),
  joinBlue: ({ actor }) => ({ kind: 'join', actor, team: 'blue' }),
  leave: ({ actor }, index) => ({ kind: 'leave', actor: (actor + index) % 3, team: 'red' }),
  chefLeaves: () => ({ kind: 'leave', actor: 0, team: 'red' }),
  lastLeaves: () => ({ kind: 'leave', actor: 3, team: 'blue' }),
  remove: ({ other }) => ({ kind: 'remove', actor: 0, team: 'red', target: other, autoAssign: true }),
  transfer: (_, index) => ({ kind: 'transfer', actor: 0, team: 'red', target: 1 + index }),
  shrink: ({ other }) => ({ kind: 'update', actor: 0, team: 'red', maxMembers: 2 + (other % 3) }),
  deactivate: () => ({ kind: 'update', actor: 0, team: 'red', isActive: false }),
  delete: () => ({ kind: 'delete', actor: 0, team: 'red' }),
  deleteBlue: () => ({ kind: 'delete', actor: 3, team: 'blue' }),
  activate: () => ({ kind: 'activate', actor: ADMIN, team: 'red' }),
  apply: ({ challenge }, index) => ({ kind: 'apply', actor: 0, team: 'red', challenge, link: `applied-${index}` }),
  applyBlue: ({ challenge }, index) => ({ kind: 'apply', actor: 3, team: 'blue', challenge, link: `blue-${index}` }),
  submit: ({ actor, challenge }, index) => ({
    kind: 'submit',
    actor: (actor + index) % 3,
    team: 'red',
    challenge,
    link: `submitted-${index}`,
  }),
  approve: ({ score }) => ({ kind: 'evaluate', actor: ADMIN, link: 'first', score }),
  reject: () => ({ kind: 'evaluate', actor: ADMIN, link: 'first', score: null }),
  reset: () => ({ kind: 'reset', actor: ADMIN, link: 'first' }),
  resubmit: ({ actor }) => ({ kind: 'resubmit', actor: actor % 2, link: 'first' }),
  discard: () => ({ kind: 'discard', actor: ADMIN, link: 'first' }),
  close: () => ({ kind: 'switch', actor: ADMIN, challenge: 0, isActive: false }),
}

/** Every pair of operations, including an operation with itself. */
const NAMES = Object.keys(OPERATIONS)
const PAIRS = NAMES.flatMap((first, index) => NAMES.slice(index).map((second) => [first, second] as const))

/** The outcomes and the final state when the operations run one after the other. */
function runInOrder(community: Community, operations: readonly Operation[], order: readonly number[]): string {
  const copy = structuredClone(community)
  const outcomes: string[] = []
  for (const index of order) {
    const operation = operations[index]
    if (operation) outcomes[index] = perform(copy, operation)
  }
  return [...outcomes, ...describeCommunity(copy)].join('\n')
}

/** Runs a race; describes an outcome that no sequential order produces, or returns null. */
async function race(real: RealCommunity, operations: readonly Operation[], choice: Choice): Promise<string | null> {
  const model = emptyCommunity()
  const score = choice.before === 'approved' ? 60 : null
  const verdict: Operation = { kind: 'evaluate', actor: ADMIN, link: 'first', score }
  for (const operation of choice.before === 'pending' ? PRELUDE : [...PRELUDE, verdict]) {
    perform(model, operation)
    await send(real, operation)
    await describeReal(real)
  }
  const outcomes = (await Promise.all(operations.map((operation) => send(real, operation)))).flat()
  const found = [...outcomes, ...(await describeReal(real))].join('\n')
  const allowed = [runInOrder(model, operations, [0, 1]), runInOrder(model, operations, [1, 0])]
  return allowed.includes(found) ? null : `${found}\nis neither\n${allowed.join('\nnor\n')}`
}

export const guarantee: Guarantee = {
  id: 'R2',
  statement:
    'Any two concurrent operations on one team, challenge or submission, on two processes, have the outcome and the responses of one sequential order',
  async run({ byTier, expect, expectNone, openFixture, seed }) {
    const repetitions = byTier({ short: 1, full: 5, long: 20 })
    const pairs = sampled(PAIRS, byTier({ short: 40, full: PAIRS.length }), String(seed))
    const fixture = await openFixture({ servers: 3 })
    const choices = fc.sample(CHOICE, { numRuns: repetitions * pairs.length, seed })
    for (const [index, choice] of choices.entries()) {
      const names = pairs[index % pairs.length] ?? []
      const operations = names.flatMap((name, nth) => OPERATIONS[name]?.(choice, nth) ?? [])
      const wrong = await race(await createRealCommunity(fixture), operations, choice)
      expect(wrong === null, `${names.join(' and ')} ${JSON.stringify(choice)}: ${wrong}`)
      if (index % pairs.length === pairs.length - 1) expectNone(await fixture.brokenInvariants())
    }
    expectNone(await conflictsLogged(fixture))
    return { pairs: pairs.length, 'repetitions of each': repetitions }
  },
}
