import { SCORE } from '@community/contract/limits'

/** What was typed as a score: whole, from 1 to 100; null while nothing is typed. Digits of Arabic keyboards count. */
export function parseScore(input: string): number | null {
  const asciiDigits = input.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
  const score = Number.parseInt(asciiDigits, 10)
  if (Number.isNaN(score)) return null
  return Math.min(SCORE.max, Math.max(SCORE.min, score))
}
