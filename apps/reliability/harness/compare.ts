import { isDeepStrictEqual } from 'node:util'
import { type Community, describeCommunity, type Operation } from '../model/community.ts'
import { perform } from '../model/rules.ts'

/** Throws if the lines that the model predicts and those found differ. */
export function compare(expected: string[], found: string[]): void {
  const missing = expected.filter((line) => !found.includes(line))
  const surplus = found.filter((line) => !expected.includes(line))
  if (missing.length > 0 || surplus.length > 0)
    throw new Error(`is [${surplus.join(' | ')}] instead of [${missing.join(' | ')}]`)
}

/**
 * An operation without a visible response took effect whole or not at all: throws if `found` is neither, and lets the model follow.
 * Returns whether it took effect.
 */
export function adoptUnknown(model: Community, operation: Operation, found: string[]): boolean {
  if (isDeepStrictEqual(describeCommunity(model), found)) return false
  const changed = structuredClone(model)
  perform(changed, operation)
  compare(describeCommunity(changed), found)
  Object.assign(model, changed)
  return true
}
