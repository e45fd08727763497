import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestUser } from '../../test/test-server.ts'

const ids: Record<string, string> = {}

/** Name, points, active; the last three are the chef's. */
const TEAMS: [string, number, boolean][] = [
  ['Best', 90, true],
  ['Also 50', 50, true],
  ['Asleep with 70', 70, false],
  ['Nil', 0, true],
  ['Mine of 50', 50, true],
  ['Mine of 0', 0, true],
  ['Mine asleep', 0, false],
]

const server = await openTestServer()
const chef = await server.createMember()
for (const [index, [name, points, isActive]] of TEAMS.entries()) {
  const team = await server.createTeam(index < 4 ? await server.createMember() : chef, { name })
  ids[name] = team.id
  await server.sql`update teams set points = ${points}, is_active = ${isActive} where id = ${team.id}`
}
afterAll(() => server.close())

const idOf = (name: string) => ids[name] ?? ''

describe('standings', () => {
  const standings = async (user: TestUser | null) => {
    const { status, body } = await server.rest(user)('GET /teams/standings')
    expect(status).toBe(200)
    return body.data.standings
  }

  it('are those of the caller’s teams, best first, with ties marked, without inactive teams with no points', async () => {
    const shown = (await standings(chef)).map(({ name, rank, tied }: Record<string, unknown>) => [name, rank, tied])
    expect(shown).toEqual([
      ['Mine of 50', 4, true],
      ['Mine of 0', 5, true],
    ])
    const id = idOf('Mine of 50')
    expect((await standings(chef))[0]).toEqual({
      rank: 4,
      tied: true,
      id,
      _id: id,
      name: 'Mine of 50',
      challengesCompleted: 0,
      points: 50,
      teamsWithPoints: 4,
      teamAbove: { id: idOf('Asleep with 70'), _id: idOf('Asleep with 70'), name: 'Asleep with 70', points: 70 },
    })
  })

  it('follow the leaderboard’s order: by points, then by who reached them first, then by name', async () => {
    const setReachedAt = (name: string, at: string | null) =>
      server.sql`update teams set points_reached_at = ${at} where id = ${idOf(name)}`
    const cases: [mine: string | null, other: string | null, rank: number][] = [
      [null, null, 4],
      ['2026-01-02', '2026-01-01', 4],
      ['2026-01-01', '2026-01-02', 3],
      ['2026-01-01', '2026-01-01', 4],
      ['2026-01-01', null, 3],
      [null, '2026-01-01', 4],
    ]
    for (const [mine, other, rank] of cases) {
      await setReachedAt('Mine of 50', mine)
      await setReachedAt('Also 50', other)
      const { body } = await server.rest()('GET /teams/leaderboard?limit=100')
      const { leaderboard } = body.data as { leaderboard: { id: string; rank: number }[] }
      const shown = await standings(chef)
      expect([mine, other, shown[0].rank]).toEqual([mine, other, rank])
      for (const own of shown) expect(own.rank).toBe(leaderboard.find(({ id }) => id === own.id)?.rank)
    }
    await setReachedAt('Mine of 50', null)
    await setReachedAt('Also 50', null)
  })

  it('name the next team with more points, the last of several; none is above the best', async () => {
    const above = async () =>
      (await standings(chef)).map(({ name, teamAbove }: { name: string; teamAbove: { name: string } | null }) => [
        name,
        teamAbove?.name ?? null,
      ])
    expect(await above()).toEqual([
      ['Mine of 50', 'Asleep with 70'],
      ['Mine of 0', 'Mine of 50'],
    ])
    await server.sql`update teams set points = 95 where id = ${idOf('Mine of 50')}`
    expect(await above()).toEqual([
      ['Mine of 50', null],
      ['Mine of 0', 'Also 50'],
    ])
    await server.sql`update teams set points = 50 where id = ${idOf('Mine of 50')}`
  })

  it('reflect a change at once', async () => {
    await server.sql`update teams set points = 95 where id = ${idOf('Mine of 0')}`
    expect((await standings(chef))[0]).toMatchObject({ name: 'Mine of 0', rank: 1, tied: false, teamsWithPoints: 5 })
    await server.sql`update teams set points = 0 where id = ${idOf('Mine of 0')}`
  })

  it('are empty without a team, and require sign-in', async () => {
    expect(await standings(await server.createMember())).toEqual([])
    expect((await server.rest()('GET /teams/standings')).status).toBe(401)
  })
})

describe('points over time', () => {
  const history = (...teams: string[]) => server.rest()(`GET /teams/leaderboard/history?ids=${teams.join(',')}`)

  beforeAll(async () => {
    const rows: [string, number, string][] = [
      ['Best', 40, '2026-03-01T10:00:00Z'],
      ['Best', 20, '2026-03-01T23:59:59Z'],
      ['Best', -10, '2026-03-02T00:00:00Z'],
      ['Best', 5, '2026-03-05T12:00:00Z'],
      ['Best', -5, '2026-03-05T13:00:00Z'],
      ['Best', 40, '2026-03-09T12:00:00Z'],
      ['Nil', 30, '2026-03-09T12:00:00Z'],
    ]
    for (const [name, delta, at] of rows)
      await server.sql`insert into points_ledger (team_id, reason, delta, created_at) values (${idOf(name)}, 'award', ${delta}, ${at})`
  })

  it('is the total at the end of each day on which it changed, in the requested order of teams', async () => {
    const { body } = await history(idOf('Nil'), idOf('Best'))
    expect(body.data.history).toEqual([
      { id: idOf('Nil'), _id: idOf('Nil'), name: 'Nil', points: [{ day: '2026-03-09', points: 30 }] },
      {
        id: idOf('Best'),
        _id: idOf('Best'),
        name: 'Best',
        points: [
          { day: '2026-03-01', points: 60 },
          { day: '2026-03-02', points: 50 },
          { day: '2026-03-09', points: 90 },
        ],
      },
    ])
  })

  it('is empty for a team without points, and omits teams that are unknown or not on the leaderboard', async () => {
    const { body } = await history(idOf('Mine of 0'), randomUUID(), idOf('Mine asleep'))
    expect(body.data.history).toMatchObject([{ name: 'Mine of 0', points: [] }])
  })

  it.each([
    ['an empty list', ''],
    ['malformed ids', 'one,two'],
    ['thirteen ids', Array.from({ length: 13 }, () => randomUUID()).join(',')],
  ])('rejects %s and names the field', async (_case, list) => {
    const { status, body } = await history(list)
    expect(status).toBe(400)
    expect(body.errors?.[0]?.path).toMatch(/^ids/)
  })
})
