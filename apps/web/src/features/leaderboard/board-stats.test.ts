import { aStanding } from '@community/testing'
import { describe, expect, it } from 'vitest'
import { bestBy, boardStats, gapAbove, hasTies, pointsPerChallenge } from './board-stats.ts'

const row = (id: string, points: number, challengesCompleted: number) =>
  aStanding(0, id, points, { id, challengesCompleted })
const rows = [row('a', 500, 4), row('b', 300, 5), row('c', 300, 5), row('d', 0, 0)]

describe('board statistics', () => {
  it('detect ties', () => {
    expect(hasTies(rows)).toBe(true)
    expect(hasTies(rows.slice(0, 2))).toBe(false)
    expect(hasTies([])).toBe(false)
    expect(hasTies([row('a', 500, 4), row('b', 0, 0), row('c', 0, 0)])).toBe(false)
  })

  it('add up the rows', () => {
    expect(boardStats(rows)).toEqual({ scoring: 3, points: 1100, challengesCompleted: 14, highest: 500 })
    expect(boardStats([])).toEqual({ scoring: 0, points: 0, challengesCompleted: 0, highest: 0 })
  })

  it('find the highest value, the first of equals, and nobody if all are 0', () => {
    expect(bestBy(rows, (entry) => entry.challengesCompleted)?.id).toBe('b')
    expect(bestBy(rows, pointsPerChallenge)?.id).toBe('a')
    expect(bestBy([row('d', 0, 0)], (entry) => entry.points)).toBeNull()
  })

  it('compute the gap to the next better team', () => {
    const standing = { ...row('b', 300, 5), tied: true, teamsWithPoints: 3 }
    const teamAbove = { id: 'a', _id: 'a', name: 'a', points: 500 }
    expect(gapAbove({ ...standing, teamAbove })).toEqual({ team: 'a', points: 200 })
    expect(gapAbove({ ...standing, teamAbove: null })).toBeNull()
  })
})
