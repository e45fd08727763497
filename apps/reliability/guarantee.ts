import { isDeepStrictEqual } from 'node:util'
import { type ApiResponse, countOutcomes } from '@community/testing/api-client'
import type { Fixture, FixtureOptions } from './harness/fixture.ts'

/** The size of a run: `short` for every change, `full` for a release, `long` for a night. */
export const TIERS = ['short', 'full', 'long'] as const
export type Tier = (typeof TIERS)[number]

/** The counts and measurements of a run, in the order of the table. */
export type Figures = Record<string, number | string>

export interface GuaranteeContext {
  tier: Tier
  /** The seed of every random choice; the same seed repeats a run. */
  seed: number
  /** The duration of a soak test. */
  minutes: number
  /** The commit of an earlier version to upgrade from; by default the last release. */
  from: string | undefined
  log(line: string): void
  /** The value for the run's tier; `long` defaults to `full`. */
  byTier<T>(values: { short: T; full: T; long?: T }): T
  /** Records a violation unless the condition holds, and continues. */
  expect(condition: boolean, violation: string): void
  /** Records each problem as a violation. */
  expectNone(violations: string[]): void
  /** Records a violation if `took` exceeds `timeLimit(milliseconds)`. */
  expectWithin(milliseconds: number, took: number, what: string): void
  /** Milliseconds; five times as many in the short form, which runs beside other work on any machine. */
  timeLimit(milliseconds: number): number
  /** Opens a fixture. After the run, its servers must be alive and the invariants must hold; then it is closed. */
  openFixture(options?: FixtureOptions): Promise<Fixture>
  /** Registers a cleanup function; they run after the run, the last one first. */
  onFinished(cleanUp: () => unknown): void
}

export interface Guarantee {
  /** Its number in the list of reliability goals. */
  id: string
  statement: string
  /** The smallest tier it runs in, `short` by default; naming it on the command line runs it in any tier. */
  from?: Tier
  run(context: GuaranteeContext): Promise<Figures>
}

/** The result of a run of one guarantee. */
export interface Result {
  id: string
  seed: number
  seconds: number
  figures: Figures
  violations: string[]
}

export const isPartOf = ({ from = 'short' }: Guarantee, tier: Tier): boolean =>
  TIERS.indexOf(from) <= TIERS.indexOf(tier)

export const inMs = (milliseconds: number, digits = 0): string => `${milliseconds.toFixed(digits)} ms`

/** Expects exactly these numbers of responses by status and code. */
export function expectTally(
  expect: GuaranteeContext['expect'],
  what: string,
  responses: ApiResponse[],
  expected: Record<string, number>,
): void {
  const found = countOutcomes(responses)
  expect(isDeepStrictEqual(found, expected), `${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
}
