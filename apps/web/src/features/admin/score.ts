import { SCORE } from '@community/contract/limits'
import { toLatinDigits } from '../../lib/latin-digits.ts'

/** The typed score, a whole number from 1 to 100, in Latin, Arabic-Indic or Persian digits; null while the field is empty. */
export function parseScore(input: string): number | null {
  const score = Number.parseInt(toLatinDigits(input), 10)
  if (Number.isNaN(score)) return null
  return Math.min(SCORE.max, Math.max(SCORE.min, score))
}
