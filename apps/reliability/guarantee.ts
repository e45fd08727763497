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
  /** What should not have happened. */
  violations: string[]
  log(line: string): void
  /** Opens a fixture; once the run is over its invariants are checked and it is closed. */
  open(options?: FixtureOptions): Promise<Fixture>
  /** Registers what is called once the run is over, last one first. */
  after(cleanUp: () => unknown): void
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

export const byTier = <T>({ tier }: GuaranteeContext, choices: Record<Tier, T>): T => choices[tier]

/** A time limit in milliseconds: five times as wide in the short form, which runs beside other work on any machine. */
export const timeLimit = ({ tier }: GuaranteeContext, milliseconds: number): number =>
  milliseconds * (tier === 'short' ? 5 : 1)
