import type { Fixture, FixtureOptions } from './harness/fixture.ts'

/** How much a run tries: `short` for every change, `full` for a release, `long` for a night. */
export const EXTENTS = ['short', 'full', 'long'] as const
export type Extent = (typeof EXTENTS)[number]

/** What was counted and measured, in this order. */
export type Figures = Record<string, number | string>

export interface Trial {
  extent: Extent
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
  /** The smallest extent it is part of, `short` by default; a run that names it tries it in any. */
  from?: Extent
  run(trial: Trial): Promise<Figures>
}

/** What a run found of one guarantee. */
export interface Result {
  id: string
  seed: number
  seconds: number
  figures: Figures
  violations: string[]
}

export const isPartOf = ({ from = 'short' }: Guarantee, extent: Extent): boolean =>
  EXTENTS.indexOf(from) <= EXTENTS.indexOf(extent)

export const byExtent = <T>({ extent }: Trial, choices: Record<Extent, T>): T => choices[extent]

/** A time limit in milliseconds: five times as wide in the short form, which runs beside other work on any machine. */
export const patience = ({ extent }: Trial, milliseconds: number): number => milliseconds * (extent === 'short' ? 5 : 1)
