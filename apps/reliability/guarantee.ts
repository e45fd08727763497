import { isDeepStrictEqual } from 'node:util'
import { type ApiResponse, countOutcomes } from '@community/testing/api-client'
import type { Fixture, FixtureOptions } from './harness/fixture.ts'

/** How much a run tries: `short` for every change, `full` for a release, `long` for a night. */
export const TIERS = ['short', 'full', 'long'] as const
export type Tier = (typeof TIERS)[number]

/** What was counted and measured, in this order. */
export type Figures = Record<string, number | string>

export interface GuaranteeContext {
  tier: Tier
  /** Of everything random: the same seed repeats a run. */
  seed: number
  /** How long a soak lasts. */
  minutes: number
  log(line: string): void
  /** The value for the run's tier; the full one where the long one is not given. */
  byTier<T>(values: { short: T; full: T; long?: T }): T
  /** Records a violation unless the condition holds, and goes on. */
  expect(condition: boolean, violation: string): void
  /** Records all that was found to be wrong. */
  expectNone(violations: string[]): void
  /** Records a violation where something took longer than `timeLimit` allows. */
  expectWithin(milliseconds: number, took: number, what: string): void
  /** Milliseconds, five times as many in the short form: it runs beside other work on any machine. */
  timeLimit(milliseconds: number): number
  /** Opens a fixture. After the run its servers must be alive and its invariants hold; then it is closed. */
  openFixture(options?: FixtureOptions): Promise<Fixture>
  /** Registers what is called after the run, last one first. */
  onFinished(cleanUp: () => unknown): void
}

export interface Guarantee {
  /** Its number in the list of reliability goals. */
  id: string
  statement: string
  /** The smallest tier it is part of, `short` by default; a run that names it tries it in any. */
  from?: Tier
  run(context: GuaranteeContext): Promise<Figures>
}

/** What a run found of one guarantee. */
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

/** Expects so many answers of each status and code, and no others. */
export function expectTally(
  expect: GuaranteeContext['expect'],
  what: string,
  responses: ApiResponse[],
  expected: Record<string, number>,
): void {
  const found = countOutcomes(responses)
  expect(isDeepStrictEqual(found, expected), `${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
}
