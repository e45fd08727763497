import { afterEach, describe, expect, it, vi } from 'vitest'
import { isSampled, numericSeed, rotatedForTier, rounds, sampled, sampledForTier } from './sample.ts'

const THEMES = ['light', 'dark', 'narrow', 'wide']
const SEEDS = Array.from({ length: 1000 }, (_, number) => `commit ${number}`)

afterEach(() => vi.unstubAllEnvs())

describe('a sample', () => {
  it('is the same for the same seed', () => {
    expect(sampled(THEMES, 2, 'seed')).toEqual(sampled(THEMES, 2, 'seed'))
  })

  it.each([0, 1, 3, 4, 9])('of %i has that many items at most, each once and in order', (count) => {
    for (const seed of SEEDS) {
      const sample = sampled(THEMES, count, seed)
      expect(sample).toHaveLength(Math.min(count, THEMES.length))
      expect(THEMES.filter((look) => sample.includes(look))).toEqual(sample)
    }
  })

  it('holds every item about equally often over many seeds', () => {
    const all = SEEDS.flatMap((seed) => sampled(THEMES, 1, seed))
    for (const look of THEMES) expect(Math.abs(all.filter((theme) => theme === look).length - 250)).toBeLessThan(60)
  })
})

describe('the sample of a tier', () => {
  it('is everything in the full tier', () => {
    vi.stubEnv('TEST_TIER', 'full')
    expect(sampledForTier(THEMES, 1, 'looks')).toEqual(THEMES)
  })

  it('is drawn by seed and name otherwise', () => {
    vi.stubEnv('TEST_TIER', '')
    const draw = (seed: string, name: string) => {
      vi.stubEnv('TEST_SEED', seed)
      return sampledForTier(THEMES, 1, name)
    }
    expect(new Set(SEEDS.flatMap((seed) => draw(seed, 'looks'))).size).toBe(THEMES.length)
    expect(new Set(SEEDS.flatMap((name) => draw('seed', name))).size).toBe(THEMES.length)
  })

  it('is drawn by the commit where no seed is given', () => {
    vi.stubEnv('TEST_SEED', undefined)
    expect(sampledForTier(THEMES, 1, 'looks')).toEqual(sampledForTier(THEMES, 1, 'looks'))
  })
})

describe('a rotated sample', () => {
  it('sees every item in as few commits as possible', () => {
    vi.stubEnv('TEST_TIER', '')
    const looks = Array.from({ length: 45 }, (_, number) => number)
    for (const first of [0, 7, 1_000_000]) {
      const seen = Array.from({ length: 23 }, (_, commit) => rotatedForTier(looks, 2, first + commit)).flat()
      expect(new Set(seen).size).toBe(45)
    }
  })

  it('depends on a given seed', () => {
    vi.stubEnv('TEST_TIER', '')
    const draws = SEEDS.slice(0, 50).map((seed) => {
      vi.stubEnv('TEST_SEED', seed)
      return rotatedForTier(THEMES, 1)[0]
    })
    expect(new Set(draws).size).toBe(THEMES.length)
  })
})

it('the seed as a number is the same for the same seed and fits into 31 bits', () => {
  vi.stubEnv('TEST_SEED', 'commit')
  expect(numericSeed()).toBe(numericSeed())
  expect(numericSeed()).toBeLessThan(2 ** 31)
})

it('a check is sampled in its share of the seeds, and always in the full tier', () => {
  vi.stubEnv('TEST_TIER', '')
  const drawn = SEEDS.filter((seed) => {
    vi.stubEnv('TEST_SEED', seed)
    return isSampled('axe', 0.25)
  })
  expect(Math.abs(drawn.length - 250)).toBeLessThan(60)
  vi.stubEnv('TEST_TIER', 'full')
  expect(SEEDS.every((name) => isSampled(name, 0.25))).toBe(true)
})

it('a race runs 30 rounds at most, and all of them in the full tier', () => {
  vi.stubEnv('TEST_TIER', '')
  expect([rounds(12), rounds(200), rounds(12, 4)]).toEqual([12, 30, 4])
  vi.stubEnv('TEST_TIER', 'full')
  expect(rounds(200)).toBe(200)
})
