/** How much a run tries: `short` is for every change, `full` is `pnpm reliability`, `long` is for a night. */
export const EXTENTS = ['short', 'full', 'long'] as const
export type Extent = (typeof EXTENTS)[number]

export interface Trial {
  extent: Extent
  /** The seed of everything that is random; a run with the same one does the same. */
  seed: number
  /** How long a soak lasts. */
  minutes: number
  /** Says what is going on, in a line. */
  log(line: string): void
}

export interface Outcome {
  /** What was counted and measured, in the order told. */
  figures: Record<string, number | string>
  /** What should not have happened; none in a guarantee that holds. */
  violations: string[]
}

/** One guarantee, kept or broken by the built server. */
export interface Guarantee {
  /** Its number in the list of reliability goals. */
  id: string
  statement: string
  /** The smallest form that it is part of: `short` unless said. A run that names it tries it in any. */
  from?: Extent
  run(trial: Trial): Promise<Outcome>
}

/** What a run left of one guarantee. */
export interface Result extends Outcome {
  id: string
  statement: string
  seed: number
  seconds: number
}

/** Is a guarantee part of a form, without being named? */
export const isPartOf = ({ from = 'short' }: Guarantee, extent: Extent): boolean =>
  EXTENTS.indexOf(from) <= EXTENTS.indexOf(extent)

/** The one of three that belongs to the extent. */
export const byExtent = <T>({ extent }: Trial, choices: Record<Extent, T>): T => choices[extent]

/**
 * Milliseconds that something may take. The short form runs wherever the tests run and beside whatever: its limits are five times
 * as wide. What counts and what must hold is the same in every form.
 */
export const patience = ({ extent }: Trial, milliseconds: number): number => milliseconds * (extent === 'short' ? 5 : 1)
