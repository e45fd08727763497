import { teams } from '@community/db/schema'
import { validInput } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { openFixture, type Fixture } from '../../test/fixture.ts'

let fixture: Fixture

/** Name, points, the minute they were reached, active. */
const TEAMS: [string, number, number | null, boolean][] = [
  ['Nil first', 0, null, true],
  ['Asleep without points', 0, null, false],
  ['Zest', 50, 1, true],
  ['Late', 50, 3, true],
  ['beta', 50, 2, true],
  ['Alpha', 50, 2, true],
  ['Old', 50, null, true],
  ['Asleep with points', 70, 5, false],
  ['Best', 90, 9, true],
  ['A nil', 0, null, true],
]

beforeAll(async () => {
  fixture = await openFixture()
  const chef = fixture.as(await fixture.createMember())
  const [role] = await rolesOf(fixture.db)
  if (!role) throw new Error('no seeded roles')
  for (const [name, points, minute, isActive] of TEAMS) {
    const { team } = (await chef.create(validInput('teams.create', { rolesNeeded: [role], name }))).data
    const pointsReachedAt = minute === null ? null : new Date(Date.UTC(2026, 0, 1, 0, minute))
    const challengesCompleted = points / 10
    await fixture.db
      .update(teams)
      .set({ points, pointsReachedAt, isActive, challengesCompleted })
      .where(eq(teams.id, team.id))
  }
})
afterAll(() => fixture.close())

describe('getLeaderboard', () => {
  it('ranks by points, then by who reached them first, then by name, including inactive teams with points', async () => {
    const { leaderboard } = (await fixture.as(null).leaderboard({ limit: 100 })).data
    expect(leaderboard.map(({ rank, name }) => [rank, name])).toEqual([
      [1, 'Best'],
      [2, 'Asleep with points'],
      [3, 'Zest'],
      [4, 'Alpha'],
      [5, 'beta'],
      [6, 'Late'],
      [7, 'Old'],
      [8, 'A nil'],
      [9, 'Nil first'],
    ])
    const [best] = leaderboard
    expect(best).toEqual({ rank: 1, id: best?.id, _id: best?.id, name: 'Best', points: 90, challengesCompleted: 9 })
  })

  it('returns ten rows by default, the same for everyone', async () => {
    const visitor = (await fixture.as(null).leaderboard({})).data
    expect((await fixture.as(await fixture.createAdmin()).leaderboard({})).data).toEqual(visitor)
    expect((await fixture.as(null).leaderboard({ limit: 2 })).data.leaderboard).toEqual(visitor.leaderboard.slice(0, 2))
    await expect(fixture.as(null).leaderboard({ limit: 101 })).rejects.toThrow(/100/)
  })
})
