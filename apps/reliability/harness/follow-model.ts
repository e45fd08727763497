import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { untilFound } from '@community/testing'
import fc from 'fast-check'
import type { GuaranteeContext } from '../guarantee.ts'
import { describeCommunity } from '../model/community.ts'
import { perform } from '../model/rules.ts'
import { adoptUnknownOutcome, assertSameLines } from './compare.ts'
import type { FixtureOn } from './fixture.ts'
import { aimed, ANY_OPERATION } from './operations.ts'
import { comparesPassword, createRealCommunity, describeReal, emptyCommunity, send } from './real-community.ts'

/** Milliseconds after which no server still processes a request. */
const SETTLED_WITHIN = 8000
/** The outcome of a call that may have taken effect. */
export const UNAVAILABLE = /^(0|502|503|504)\b/

const untilAnswered = <T>(work: () => Promise<T>): Promise<T> =>
  untilFound('the database answers', () => work().catch(() => undefined))

/** Runs random operations until the signal is aborted, and compares each response and the stored state with those of the model. */
export async function followModel(fixture: FixtureOn, { expect, seed }: GuaranteeContext, signal: AbortSignal) {
  const counted = { sequences: 0, operations: 0, 'without a response': 0, 'of them took effect': 0 }
  for (; !signal.aborted; counted.sequences++) {
    const real = await untilAnswered(() => createRealCommunity(fixture))
    const model = emptyCommunity()
    for (const operation of fc.sample(ANY_OPERATION, { numRuns: 60, seed: seed + counted.sequences })) {
      if (signal.aborted) break
      // A community webhook would also receive the other clients' events.
      if (operation.kind === 'createWebhook' && operation.team === null) continue
      const aim = aimed(operation, real)
      counted.operations++
      // Signing in again after a changed password may fail.
      const [outcome = ''] = await send(real, aim).catch(() => ['0'])
      const isUnknown = UNAVAILABLE.test(outcome)
      if (isUnknown) await sleep(SETTLED_WITHIN)
      const found = await untilAnswered(() => describeReal(real))
      try {
        if (isUnknown) {
          counted['without a response']++
          if (adoptUnknownOutcome(model, aim, found)) counted['of them took effect']++
          // The token or session of the lost response is unknown.
          if (comparesPassword(aim)) break
        } else {
          const predicted = perform(model, aim)
          if (!isDeepStrictEqual(outcome, predicted)) throw new Error(`responded ${outcome} instead of ${predicted}`)
          assertSameLines(describeCommunity(model), found)
        }
      } catch (error) {
        expect(false, `${JSON.stringify(aim)}: ${String(error)}`)
        break
      }
    }
  }
  return counted
}
