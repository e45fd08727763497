import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Guarantee } from '../guarantee.ts'
import { adoptUnknownOutcome, assertSameLines } from '../harness/compare.ts'
import { conflictsLogged } from '../harness/fixture.ts'
import { aimed, ANY_OPERATION } from '../harness/operations.ts'
import {
  comparesPassword,
  createRealCommunity,
  describeReal,
  emptyCommunity,
  isCreation,
  type RealCommunity,
  send,
  sendAndHangUp,
} from '../harness/real-community.ts'
import { type Community, describeCommunity, type Operation } from '../model/community.ts'
import { perform } from '../model/rules.ts'

/** The longest sequence of calls; sixty on average. */
const LONGEST = 120

type Manner = 'once' | 'twice' | { hangUpAfter: number }
/** Most calls are sent once; one in twenty twice concurrently, and one in twenty is aborted before its response. */
const MANNER: fc.Arbitrary<Manner> = fc.oneof(
  { weight: 18, arbitrary: fc.constant<Manner>('once') },
  { weight: 1, arbitrary: fc.constant<Manner>('twice') },
  { weight: 1, arbitrary: fc.record({ hangUpAfter: fc.integer({ min: 1, max: 25 }) }) },
)

/** Its second request would be refused by the first, or create another object of the same name. */
const sentOnce = ({ kind }: Operation): boolean => kind === 'changePassword' || kind === 'createWebhook'

const counted = { calls: 0, 'twice at once': 0, 'not waited for': 0, 'of them took effect': 0 }

async function callAndCompare(model: Community, real: RealCommunity, operation: Operation, isTwice: boolean) {
  const outcomes = await send(real, operation, isTwice ? 2 : 1)
  const first = perform(model, operation)
  let allowed = [[first]]
  if (isTwice) {
    counted['twice at once']++
    // With the same key the second request replays the first response or is rejected until that exists; without a key it is independent.
    allowed = isCreation(operation)
      ? [
          [first, first],
          [first, '409 IDEMPOTENCY_KEY_RUNNING'],
        ]
      : [[first, perform(model, operation)]]
  }
  const isAllowed = allowed.some((candidate) => isDeepStrictEqual(candidate.toSorted(), outcomes.toSorted()))
  if (!isAllowed) throw new Error(`answered ${outcomes.join(', ')} instead of ${JSON.stringify(allowed)}`)
  assertSameLines(describeCommunity(model), await describeReal(real))
}

async function hangUpAndCompare(model: Community, real: RealCommunity, operation: Operation, after: number) {
  counted['not waited for']++
  await sendAndHangUp(real, operation, after)
  if (adoptUnknownOutcome(model, operation, await describeReal(real))) counted['of them took effect']++
}

const STEP = fc.tuple(ANY_OPERATION, MANNER).map(
  ([operation, manner]): fc.AsyncCommand<Community, RealCommunity> => ({
    check: () => true,
    toString: () => `${JSON.stringify(operation)}${manner === 'once' ? '' : JSON.stringify(manner)}`,
    async run(model, real) {
      counted.calls++
      const aim = aimed(operation, real)
      if (typeof manner === 'object' && !comparesPassword(aim))
        await hangUpAndCompare(model, real, aim, manner.hangUpAfter)
      else await callAndCompare(model, real, aim, manner === 'twice' && !sentOnce(aim))
    },
  }),
)

export const guarantee: Guarantee = {
  id: 'R4',
  statement:
    'Any sequence of operations by six users over three processes, some sent twice or aborted, gives the responses and the stored state that the rules predict',
  async run({ byTier, expect, expectNone, log, openFixture, seed }) {
    const numRuns = byTier({ short: 20, full: 2000, long: 20_000 })
    const fixture = await openFixture({ servers: 3, settings: { WEBHOOKS_TO_PRIVATE_ADDRESSES: '1' } })
    let done = 0
    const property = fc.asyncProperty(fc.commands([STEP], { maxCommands: LONGEST, size: 'max' }), async (steps) => {
      const real = await createRealCommunity(fixture)
      await fc.asyncModelRun(() => ({ model: emptyCommunity(), real }), steps)
      const broken = await fixture.brokenInvariants()
      if (broken.length > 0) throw new Error(broken.join('\n'))
      if (++done % 200 === 0) log(`${done} sequences`)
    })
    const interruptAfterTimeLimit = byTier({ short: 300_000, full: 3_600_000, long: 86_400_000 })
    const result = await fc.check(property, { numRuns, seed, interruptAfterTimeLimit })
    expect(
      !result.failed || result.interrupted,
      `${String(result.errorInstance)}\n${fc.defaultReportMessage(result) ?? ''}`,
    )
    expect(!result.interrupted, `only ${done} of ${numRuns} sequences within the time given`)
    expectNone(await conflictsLogged(fixture))
    return { sequences: done, ...counted }
  },
}
