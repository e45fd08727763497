import type { Sample } from '../files.ts'
import { type Judgement, judgements } from './judgements.ts'

const Z = 1.96

/** Between which shares the true one lies in 95 of 100 samples: Wilson's interval, which also holds for few and near 1. */
function wilson(hits: number, of: number): [number, number] {
  const share = hits / of
  const middle = share + Z ** 2 / (2 * of)
  const half = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  return [(middle - half) / (1 + Z ** 2 / of), (middle + half) / (1 + Z ** 2 / of)]
}

/** What became of a survivor; undefined where nobody has looked yet. */
export const judgementOf = ({ file, change }: Sample['survivors'][number]): Judgement | undefined =>
  judgements.find((one) => one.file === file && one.change === change)

/** What share of the mutants the tests notice; those that change nothing are left out. */
export function scoreOf({ tried, survivors }: Sample) {
  const equal = survivors.filter((mutant) => judgementOf(mutant)?.equal !== undefined).length
  const noticed = tried - survivors.length
  const counted = tried - equal
  const [from, to] = wilson(noticed, counted)
  return { noticed, equal, counted, score: noticed / counted, from, to }
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
