import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { type Community, describeCommunity, type Operation } from '../model/community.ts'
import { perform } from '../model/rules.ts'

/** Throws with the difference if the predicted lines and those found are not the same, in any order. */
export const assertSameLines = (expected: string[], found: string[]): void =>
  assert.deepEqual(found.toSorted(), expected.toSorted())

/**
 * Updates the model after an operation without a response, which took effect completely or not at all: throws if `found` is neither.
 * Returns whether it took effect.
 */
export function adoptUnknownOutcome(model: Community, operation: Operation, found: string[]): boolean {
  if (isDeepStrictEqual(describeCommunity(model), found)) return false
  const changed = structuredClone(model)
  perform(changed, operation)
  assertSameLines(describeCommunity(changed), found)
  Object.assign(model, changed)
  return true
}
