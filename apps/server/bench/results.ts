import type { BesideResult } from './beside-sign-ins.ts'
import type { ChangesResult } from './changes.ts'
import type { ReadResult } from './hot-reads.ts'
import type { JoinResult } from './joins.ts'
import type { ScaleResult } from './scale.ts'
import type { FirstLoad, LandingData } from './shipped-bytes.ts'
import type { StartResult } from './starts.ts'
import type { VerdictResult } from './verdicts.ts'

/** Teams of each scale; about five members a team, three approved submissions a team, 200 challenges. */
export const SCALES = { S: 100, M: 10_000, L: 1_000_000 } as const
export type Scale = keyof typeof SCALES

/** All that one run found out: what `bench/results/*.json` holds. */
export interface Results {
  date: string
  machine: { cpu: string; cores: number; gigabytes: number; node: string; postgres: string }
  /** Of the machine when the run began and ended: how many processes wanted a core. */
  load: [number, number]
  commit: string
  scales: Scale[]
  /** The scale that everything is measured on but what compares scales. */
  main: Scale
  rounds: number
  seconds: number
  minutes: number
  reads: ReadResult[]
  scale: Partial<Record<Scale, ScaleResult>>
  changes: ChangesResult
  joins: JoinResult
  besideSignIns: BesideResult
  verdicts: VerdictResult
  start: StartResult
  /** Megabytes that the product holds after the whole load. */
  resident: number
  firstLoad: FirstLoad
  landing: LandingData
}

/** A row of the reads; none where an answer of it was refused. */
export const cell = ({ reads: cells }: Results, call: string, variant: string): ReadResult | undefined =>
  cells.find((one) => one.call === call && one.variant === variant && one.refused === 0)
