import { isDeepStrictEqual } from 'node:util'
import { type Community, describeCommunity, type Operation } from '../model/community.ts'
import { perform } from '../model/rules.ts'

/** The lines of `all` that `others` lacks, as often as it lacks them. */
function surplusOf(all: string[], others: string[]): string[] {
  const left = [...others]
  return all.filter((line) => {
    const index = left.indexOf(line)
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

/** Throws if the predicted lines and those found differ, in any order; equal lines count. */
export function assertSameLines(expected: string[], found: string[]): void {
  const [missing, surplus] = [surplusOf(expected, found), surplusOf(found, expected)]
  if (missing.length > 0 || surplus.length > 0)
    throw new Error(`is [${surplus.join(' | ')}] instead of [${missing.join(' | ')}]`)
}

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
