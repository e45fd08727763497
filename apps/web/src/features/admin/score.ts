import { SCORE } from '@community/contract/limits'

/** The typed score, a whole number from 1 to 100 (Arabic digits too); null while the field is empty. */
export function parseScore(input: string): number | null {
  const asciiDigits = input.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
  const score = Number.parseInt(asciiDigits, 10)
  if (Number.isNaN(score)) return null
  return Math.min(SCORE.max, Math.max(SCORE.min, score))
}
