import { describe, expect, it } from 'vitest'
import { parseScore } from './score.ts'

describe('clampedScore', () => {
  it.each([
    ['85', 85],
    ['0', 1],
    ['-7', 1],
    ['150', 100],
    ['84.9', 84],
    ['٩٠', 90],
  ])('reads %s as %d', (typed, score) => {
    expect(parseScore(typed)).toBe(score)
  })

  it.each(['', ' ', 'abc'])('reads %j as nothing', (typed) => {
    expect(parseScore(typed)).toBeNull()
  })
})
