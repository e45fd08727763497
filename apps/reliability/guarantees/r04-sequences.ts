import fc from 'fast-check'
import { conflictsLogged } from '../harness/conflicts.ts'
import {
  comparesPassword,
  creates,
  emptyCommunity,
  openWorld,
  portraitOf as seen,
  type RealWorld,
  send,
  sendAndHangUp,
} from '../harness/model-world.ts'
import { ANY_OPERATION, MEMBERS, aimed } from '../harness/operations.ts'
import { type Community, type Operation, perform, portraitOf as expected, type Verdict } from '../model/community.ts'
import { byTier, type Guarantee } from '../guarantee.ts'

/** Sequences have any length up to this: sixty on average. */
const LONGEST = 120
const PROCESSES = 3

/** Most calls are made once; one in twenty twice at once, and of one in twenty the client does not wait for the answer. */
type Manner = { times: 1 | 2 } | { hangUpAfter: number }
const MANNER: fc.Arbitrary<Manner> = fc.oneof(
  { weight: 18, arbitrary: fc.constant<Manner>({ times: 1 }) },
  { weight: 1, arbitrary: fc.constant<Manner>({ times: 2 }) },
  { weight: 1, arbitrary: fc.record({ hangUpAfter: fc.integer({ min: 1, max: 25 }) }) },
)

const told = ({ status, code }: Verdict) => (code === undefined ? String(status) : `${status} ${code}`)

const counted = { calls: 0, twice: 0, cut: 0, tookEffect: 0 }

class Step implements fc.AsyncCommand<Community, RealWorld> {
  readonly #operation: Operation
  readonly #manner: Manner

  constructor(operation: Operation, manner: Manner) {
    this.#operation = operation
    this.#manner = manner
  }

  check = () => true

  async run(community: Community, world: RealWorld): Promise<void> {
    counted.calls++
    const operation = aimed(this.#operation, world)
    if ('hangUpAfter' in this.#manner && !comparesPassword(operation))
      await this.#hangUp(community, world, operation, this.#manner.hangUpAfter)
    else await this.#call(community, world, operation, 'times' in this.#manner ? this.#manner.times : 1)
  }

  async #call(community: Community, world: RealWorld, operation: Operation, times: number): Promise<void> {
    const answers = (await send(world, operation, times)).map(told)
    const first = told(perform(community, operation))
    let allowed = [[first]]
    if (times === 2) {
      counted.twice++
      // Under one key the second is the first, or is told to wait for it; without one it is a call of its own.
      allowed = creates(operation)
        ? [
            [first, first],
            [first, '409 IDEMPOTENCY_KEY_RUNNING'],
          ]
        : [[first, told(perform(community, operation))]]
    }
    const isAllowed = allowed.some((one) => one.toSorted().join() === answers.toSorted().join())
    if (!isAllowed) throw new Error(`answered ${answers.join(', ')} instead of ${JSON.stringify(allowed)}`)
    this.#compare(expected(community), await seen(world))
  }

  async #hangUp(community: Community, world: RealWorld, operation: Operation, after: number): Promise<void> {
    counted.cut++
    await sendAndHangUp(world, operation, after)
    const found = await seen(world)
    if (expected(community).join('\n') === found.join('\n')) {
      // It may have had its effect all the same, where that cannot be seen.
      const copy = structuredClone(community)
      perform(copy, operation)
      if (expected(copy).join('\n') === found.join('\n')) Object.assign(community, copy)
      return
    }
    counted.tookEffect++
    perform(community, operation)
    this.#compare(expected(community), found)
  }

  #compare(model: string[], found: string[]): void {
    const missing = model.filter((line) => !found.includes(line))
    const surplus = found.filter((line) => !model.includes(line))
    if (missing.length > 0 || surplus.length > 0)
      throw new Error(`is [${surplus.join(' | ')}] instead of [${missing.join(' | ')}]`)
  }

  toString = () =>
    `${JSON.stringify(this.#operation)}${'times' in this.#manner && this.#manner.times === 1 ? '' : JSON.stringify(this.#manner)}`
}

const STEP = fc.tuple(ANY_OPERATION, MANNER).map(([operation, manner]) => new Step(operation, manner))

export const guarantee: Guarantee = {
  id: 'R4',
  statement:
    'Whatever six people do in whatever order over three processes, some of it twice at once, some without waiting: every answer and all that is stored are as the rules say',
  async run(context) {
    const { violations } = context
    const sequences = byTier(context, { short: 20, full: 2000, long: 20_000 })
    const fixture = await context.open({ servers: PROCESSES })
    let done = 0
    const property = fc.asyncProperty(fc.commands([STEP], { maxCommands: LONGEST, size: 'max' }), async (steps) => {
      const real = await openWorld(fixture, MEMBERS)
      await fc.asyncModelRun(() => ({ model: emptyCommunity(MEMBERS), real }), steps)
      const broken = await fixture.brokenInvariants()
      if (broken.length > 0) throw new Error(broken.join('\n'))
      if (++done % 200 === 0) context.log(`${done} sequences`)
    })
    const result = await fc.check(property, {
      numRuns: sequences,
      seed: context.seed,
      interruptAfterTimeLimit: byTier(context, { short: 300_000, full: 3_600_000, long: 86_400_000 }),
    })
    if (result.failed && !result.interrupted)
      violations.push(`${String(result.errorInstance)}\n${fc.defaultReportMessage(result)}`)
    if (result.interrupted) violations.push(`only ${done} of ${sequences} sequences within the time given`)
    violations.push(...(await conflictsLogged(fixture)))
    const { calls, twice, cut, tookEffect } = counted
    return {
      sequences: done,
      calls,
      'twice at once': twice,
      'not waited for': cut,
      'of them took effect': tookEffect,
      processes: PROCESSES,
    }
  },
}
