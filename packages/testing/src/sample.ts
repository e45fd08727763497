import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'

/** The full tier (`TEST_TIER=full`) runs everything; the quick tier runs samples. */
export const isFullTier = (): boolean => process.env.TEST_TIER === 'full'

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
let commit: string | undefined
const headCommit = (): string => (commit ??= git('rev-parse', 'HEAD') || 'no commit')

/** The seed of samples: `TEST_SEED`, otherwise the hash of the checked-out commit, so that over many commits everything is very likely to run. */
export const testSeed = (): string => process.env.TEST_SEED ?? headCommit()

const rankOf = (name: string) => createHash('sha256').update(name).digest('hex')

/** A sample of `count` items in their order: deterministic per seed, uniform over many seeds. */
export function sampled<T>(items: readonly T[], count: number, seed: string): T[] {
  const ranked = items.map((item, index) => ({ item, index, rank: rankOf(`${seed} ${index}`) }))
  const chosen = ranked.toSorted((a, b) => a.rank.localeCompare(b.rank)).slice(0, count)
  return chosen.toSorted((a, b) => a.index - b.index).map(({ item }) => item)
}

/**
 * The items a test runs over: all in the full tier, otherwise `count` of them, drawn by the run's seed. `name` separates samples: two
 * tests with the same items draw independently.
 */
export function sampledForTier<T>(items: readonly T[], count: number, name: string): T[] {
  return isFullTier() ? [...items] : sampled(items, count, `${testSeed()} ${name}`)
}

/** The seed as a number below 2 ** 31. */
export const numericSeed = (): number => Number.parseInt(rankOf(testSeed()).slice(0, 8), 16) >>> 1

/** The number of commits up to the seed's; a number derived from the seed if it is no commit, or in a shallow clone. */
function commitNumber(): number {
  const seed = testSeed()
  const isComplete = /^[\da-f]{40}$/.test(seed) && git('rev-parse', '--is-shallow-repository') === 'false'
  const count = isComplete ? git('rev-list', '--count', seed, '--') : ''
  return count === '' ? numericSeed() : Number(count)
}

/** `count` items, the next ones with each commit, so that few commits in a row see them all; all in the full tier. */
export function rotatedForTier<T>(items: readonly T[], count: number, turn: number = commitNumber()): T[] {
  if (isFullTier()) return [...items]
  const start = (turn * count) % items.length
  return [...items.slice(start), ...items.slice(0, start)].slice(0, count)
}

/** Whether a check of this name runs: always in the full tier, otherwise in this share of the seeds. */
export const isSampled = (name: string, share: number): boolean =>
  isFullTier() || Number.parseInt(rankOf(`${testSeed()} ${name}`).slice(0, 8), 16) < share * 2 ** 32

/** The number of rounds of a race: all in the full tier, `quick` of them otherwise. */
export const rounds = (count: number, quick = 30): number => (isFullTier() ? count : Math.min(count, quick))
