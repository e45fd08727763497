import { describe, expect, it } from 'vitest'
import { parseScore } from './score.ts'

describe('parseScore', () => {
  it.each([
    ['85', 85],
    ['0', 1],
    ['-7', 1],
    ['150', 100],
    ['84.9', 84],
    ['٩٠', 90],
    ['۸۵', 85],
  ])('reads %s as %d', (typed, score) => {
    expect(parseScore(typed)).toBe(score)
  })

  it.each(['', ' ', 'abc'])('returns null for %j', (typed) => {
    expect(parseScore(typed)).toBeNull()
  })
})
