import { validInput } from '@community/testing'
import postgres from 'postgres'
import { median, type Prepared, prepare, ratePerSecond } from './driver.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

/** How many people join and leave at once, and how many teams they share. A seeded team has six free seats. */
const KINDS = { hot: { people: 6, teams: 1 }, spread: { people: 16, teams: 16 } } as const

interface OpenTeam {
  id: string
  role: string
}

const openTeams = (sql: postgres.Sql, count: number) => sql<OpenTeam[]>`
  select t.id, n.role_id as role from teams t join team_roles_needed n on n.team_id = t.id
  where n.position = (select min(position) from team_roles_needed where team_id = t.id) order by t.name_key limit ${count}`

function join({ id, role }: OpenTeam, token: string): Prepared {
  const { id: _path, ...body } = validInput('teams.join', { id, role: { id: role } })
  return prepare({ method: 'POST', path: `/api/teams/${id}/join`, token, body })
}
const leave = ({ id }: OpenTeam, token: string) =>
  prepare({ method: 'POST', path: `/api/teams/${id}/leave`, token, body: {} })

interface Rates {
  /** Joins a second, each followed by a leave. */
  product: number
  bare: number
  /** Median of the rounds' ratios. */
  ratio: number
}
export type JoinResult = Record<keyof typeof KINDS, Rates>

/** Joins of one team that everybody wants, and of many teams. */
export async function measureJoins(
  product: Program,
  bare: Program,
  { databaseUrl, seeded, rounds, seconds }: { databaseUrl: string; seeded: Seeded; rounds: number; seconds: number },
): Promise<JoinResult> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const measure = async ({ people, teams: count }: (typeof KINDS)[keyof typeof KINDS]): Promise<Rates> => {
    const teams = await openTeams(sql, count)
    const pairs = seeded.joinerTokens.slice(0, people).map((token, n): [Prepared, Prepared] => {
      const team = teams[n % teams.length]
      if (!team) throw new Error('there is no team to join')
      return [join(team, token), leave(team, token)]
    })
    const rate = ({ port }: Program) => {
      const end = performance.now() + seconds * 1000
      const next = (connection: number, turn: number) => {
        const isOver = performance.now() > end && turn % 2 === 0
        return isOver ? undefined : pairs[connection]?.[turn % 2]
      }
      // Whoever joined leaves again: each round begins with the same seats.
      return ratePerSecond({ port, connections: people, seconds: seconds * 10, next })
    }
    const found: { product: number; bare: number }[] = []
    for (let round = 0; round < rounds; round++)
      found.push({ product: (await rate(product)) / 2, bare: (await rate(bare)) / 2 })
    return {
      product: median(found.map((one) => one.product)),
      bare: median(found.map((one) => one.bare)),
      ratio: median(found.map((one) => one.product / one.bare)),
    }
  }
  try {
    return { hot: await measure(KINDS.hot), spread: await measure(KINDS.spread) }
  } finally {
    await sql.end()
  }
}
