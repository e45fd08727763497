import type { LeaderboardRow } from '@community/contract'
import { describe, expect, it } from 'vitest'
import { bestBy, boardFigures, gapAbove, pointsPerChallenge, withSharedRanks } from './board-figures.ts'

const row = (id: string, points: number, challengesCompleted: number): LeaderboardRow => ({
  rank: 0,
  id,
  _id: id,
  name: id,
  points,
  challengesCompleted,
})
const rows = [row('a', 500, 4), row('b', 300, 5), row('c', 300, 5), row('d', 0, 0)]

describe('the board', () => {
  it('gives teams with equal points one rank, and the next the place it has', () => {
    const ranks = withSharedRanks(rows).map(({ sharedRank, tied }) => [sharedRank, tied])
    expect(ranks).toEqual([
      [1, false],
      [2, true],
      [2, true],
      [4, false],
    ])
    expect(withSharedRanks([row('a', 9, 1), row('b', 9, 1)]).map(({ sharedRank }) => sharedRank)).toEqual([1, 1])
  })

  it('adds up', () => {
    expect(boardFigures(rows)).toEqual({ scoring: 3, points: 1100, challengesCompleted: 14, highest: 500 })
    expect(boardFigures([])).toEqual({ scoring: 0, points: 0, challengesCompleted: 0, highest: 0 })
  })

  it('names the best; of equals the higher one, of nothing nobody', () => {
    expect(bestBy(rows, (one) => one.challengesCompleted)?.id).toBe('b')
    expect(bestBy(rows, pointsPerChallenge)?.id).toBe('a')
    expect(bestBy([row('d', 0, 0)], (one) => one.points)).toBeNull()
  })

  it('tells what is missing to the next better team, over those with as many points', () => {
    expect(gapAbove(rows, 300)).toEqual({ above: rows[0], points: 200 })
    expect(gapAbove(rows, 0)).toEqual({ above: rows[2], points: 300 })
    expect(gapAbove(rows, 500)).toBeNull()
    expect(gapAbove([], 0)).toBeNull()
  })
})
