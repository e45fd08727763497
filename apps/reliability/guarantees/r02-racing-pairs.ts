import { sampled } from '@community/testing'
import fc from 'fast-check'
import { conflictsLogged } from '../harness/conflicts.ts'
import { emptyCommunity, openWorld, portraitOf as seen, type RealWorld, send } from '../harness/model-world.ts'
import { MEMBERS } from '../harness/operations.ts'
import { type Community, type Operation, perform, portraitOf as expected, type Verdict } from '../model/community.ts'
import { byTier, type Guarantee } from '../guarantee.ts'

const ADMIN = MEMBERS
const PROCESSES = 3
/** 0 is chef of red with 1 and 2 in it, one seat is free; 3 is chef of blue, alone; 4 is nowhere. */
const PRELUDE: Operation[] = [
  { kind: 'create', actor: 0, team: 'red', maxMembers: 4 },
  { kind: 'join', actor: 1, team: 'red' },
  { kind: 'join', actor: 2, team: 'red' },
  { kind: 'create', actor: 3, team: 'blue', maxMembers: 2 },
  { kind: 'submit', actor: 1, team: 'red', challenge: 0, link: 'first' },
]

interface Choice {
  /** What has become of the first work when the race begins. */
  before: 'pending' | 'approved' | 'rejected'
  score: number
  actor: number
  other: number
  challenge: number
}
const CHOICE: fc.Arbitrary<Choice> = fc.record({
  before: fc.constantFrom('pending', 'approved', 'rejected'),
  score: fc.integer({ min: 1, max: 100 }),
  actor: fc.nat({ max: 4 }),
  other: fc.nat({ max: 4 }),
  challenge: fc.nat({ max: 1 }),
})

/** Every operation on the one team, challenge and work; `turn` tells the two of a pair apart. */
const RACERS: Record<string, (choice: Choice, turn: number) => Operation> = {
  create: ({ actor }) => ({ kind: 'create', actor, team: 'green', maxMembers: 3 }),
  join: (_, turn) => ({ kind: 'join', actor: 3 + turn, team: 'red' }),
  joinBlue: ({ actor }) => ({ kind: 'join', actor, team: 'blue' }),
  leave: ({ actor }, turn) => ({ kind: 'leave', actor: (actor + turn) % 3, team: 'red' }),
  chefLeaves: () => ({ kind: 'leave', actor: 0, team: 'red' }),
  lastLeaves: () => ({ kind: 'leave', actor: 3, team: 'blue' }),
  remove: ({ other }) => ({ kind: 'remove', actor: 0, team: 'red', target: other, autoAssign: true }),
  transfer: (_, turn) => ({ kind: 'transfer', actor: 0, team: 'red', target: 1 + turn }),
  shrink: ({ other }) => ({ kind: 'update', actor: 0, team: 'red', maxMembers: 2 + (other % 3) }),
  deactivate: () => ({ kind: 'update', actor: 0, team: 'red', isActive: false }),
  delete: () => ({ kind: 'delete', actor: 0, team: 'red' }),
  deleteBlue: () => ({ kind: 'delete', actor: 3, team: 'blue' }),
  activate: () => ({ kind: 'activate', actor: ADMIN, team: 'red' }),
  apply: ({ challenge }, turn) => ({ kind: 'apply', actor: 0, team: 'red', challenge, link: `applied-${turn}` }),
  applyBlue: ({ challenge }, turn) => ({ kind: 'apply', actor: 3, team: 'blue', challenge, link: `blue-${turn}` }),
  submit: ({ actor, challenge }, turn) => ({
    kind: 'submit',
    actor: (actor + turn) % 3,
    team: 'red',
    challenge,
    link: `submitted-${turn}`,
  }),
  approve: ({ score }) => ({ kind: 'evaluate', actor: ADMIN, link: 'first', score }),
  reject: () => ({ kind: 'evaluate', actor: ADMIN, link: 'first', score: null }),
  reset: () => ({ kind: 'reset', actor: ADMIN, link: 'first' }),
  resubmit: ({ actor }) => ({ kind: 'resubmit', actor: actor % 2, link: 'first' }),
  discard: () => ({ kind: 'discard', actor: ADMIN, link: 'first' }),
  close: () => ({ kind: 'switch', actor: ADMIN, challenge: 0, isActive: false }),
}

/** Each with each other, and with itself. */
const NAMES = Object.keys(RACERS)
const PAIRS = NAMES.flatMap((one, index) => NAMES.slice(index).map((other) => [one, other] as const))

const told = ({ status, code }: Verdict) => (code === undefined ? String(status) : `${status} ${code}`)

/** What the answers and the outcome are when one comes after the other. */
function inOrder(community: Community, operations: readonly Operation[], order: readonly number[]): string {
  const copy = structuredClone(community)
  const answers: string[] = []
  for (const index of order) {
    const operation = operations[index]
    if (operation) answers[index] = told(perform(copy, operation))
  }
  return [...answers, ...expected(copy)].join('\n')
}

async function race(world: RealWorld, operations: readonly Operation[], choice: Choice): Promise<string | null> {
  const community = emptyCommunity(MEMBERS)
  const verdict: Operation[] =
    choice.before === 'pending'
      ? []
      : [{ kind: 'evaluate', actor: ADMIN, link: 'first', score: choice.before === 'approved' ? 60 : null }]
  for (const operation of [...PRELUDE, ...verdict]) {
    perform(community, operation)
    await send(world, operation)
    await seen(world)
  }
  const answers = (await Promise.all(operations.map((operation) => send(world, operation)))).flat().map(told)
  const found = [...answers, ...(await seen(world))].join('\n')
  const legal = [inOrder(community, operations, [0, 1]), inOrder(community, operations, [1, 0])]
  return legal.includes(found) ? null : `${found}\nis neither\n${legal.join('\nnor\n')}`
}

export const guarantee: Guarantee = {
  id: 'R2',
  statement:
    'Of any two operations on one team, challenge or work at once, on two processes, the outcome and both answers are those of one after the other',
  async run(context) {
    const { violations } = context
    const repetitions = byTier(context, { short: 1, full: 5, long: 20 })
    const count = byTier(context, { short: 40, full: PAIRS.length, long: PAIRS.length })
    const pairs = sampled(PAIRS, count, String(context.seed))
    const fixture = await context.open({ servers: PROCESSES })
    const choices = fc.sample(CHOICE, { numRuns: repetitions * pairs.length, seed: context.seed })
    for (const [index, choice] of choices.entries()) {
      const names = pairs[index % pairs.length] ?? []
      const operations = names.flatMap((name, turn) => RACERS[name]?.(choice, turn) ?? [])
      const wrong = await race(await openWorld(fixture, MEMBERS), operations, choice)
      if (wrong !== null) violations.push(`${names.join(' and ')} ${JSON.stringify(choice)}: ${wrong}`)
      if (index % pairs.length === pairs.length - 1) violations.push(...(await fixture.brokenInvariants()))
    }
    violations.push(...(await conflictsLogged(fixture)))
    return {
      operations: NAMES.length,
      pairs: pairs.length,
      'repetitions of each': repetitions,
      processes: PROCESSES,
    }
  },
}
