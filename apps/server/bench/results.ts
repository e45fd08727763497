import type { BesideResult } from './beside-sign-ins.ts'
import type { Burst } from './bursts.ts'
import type { ChangesResult } from './changes.ts'
import type { CellResult } from './hot-reads.ts'
import type { JoinResult } from './joins.ts'
import type { ScaleResult } from './scale.ts'
import type { FirstLoad, LandingData } from './shipped-bytes.ts'
import type { Crowd } from './sign-ins.ts'
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
  cells: CellResult[]
  scale: Partial<Record<Scale, ScaleResult>>
  changes: ChangesResult
  joins: JoinResult
  besideSignIns: BesideResult
  verdicts: VerdictResult
  starts: Record<string, StartResult>
  /** Megabytes after the whole load. */
  resident: Record<string, number>
  firstLoad: FirstLoad
  landing: LandingData
  bursts: Burst[]
  crowds: Crowd[]
}

export function cell(results: Results, call: string, variant: string, connections = 16): CellResult | undefined {
  return results.cells.find(
    (one) => one.call === call && one.variant === variant && one.connections === connections && one.refused === 0,
  )
}
