import postgres from 'postgres'
import { encode, load, median } from './driver.ts'
import type { Program } from './programs.ts'
import type { Seeded } from './seed.ts'

const HOT = 10
const SPREAD = 16
const RACERS = 64
const SEATS = 10

const bodyOf = (roleId: string) => ({
  name: 'Youssef Benali',
  email: 'youssef@example.ma',
  contact: 'youssef@example.ma',
  phone: '+212 612345678',
  experience: 'Beginner',
  role: { id: roleId },
})

/** New teams that only their chef is in, with ten free seats for one role. */
const openTeams = (sql: postgres.Sql, name: string, count: number) => sql<{ id: string; role: string }[]>`
  with chef as (select id, name, email from users where email = 'member1@example.ma'),
  made as (
    insert into teams (name, name_key, description, owner_id, max_members, member_count, search_text)
    select ${name} || n, ${name} || n, 'Seats are free', chef.id, ${SEATS + 1}, 1, ${name} || n
    from generate_series(1, ${count}::int) n, chef
    returning id
  ), led as (
    insert into team_members (team_id, user_id, is_chef, name, email)
    select made.id, chef.id, true, chef.name, chef.email from made, chef
  )
  insert into team_roles_needed (team_id, role_id, position)
  select made.id, role.id, 0 from made, (select id from roles order by position limit 1) role
  returning team_id as id, role_id as role`

const join = (team: { id: string; role: string }, token: string) =>
  encode({ method: 'POST', path: `/api/teams/${team.id}/join`, token, body: bodyOf(team.role) })
const leave = (team: { id: string }, token: string) =>
  encode({ method: 'POST', path: `/api/teams/${team.id}/leave`, token, body: {} })

export interface JoinResult {
  /** Joins a second, each followed by a leave: the product, the bare program, and the median ratio of a round. */
  hot: { product: number; bare: number; ratio: number }
  spread: { product: number; bare: number; ratio: number }
  /** Of so many races of 64 people for 10 seats, how many ended with exactly 10 more members. */
  races: number
  exact: number
}

async function rate(program: Program, pairs: [Buffer, Buffer][], seconds: number): Promise<number> {
  const {
    answered,
    refused,
    seconds: took,
  } = await load({
    port: program.port,
    connections: pairs.length,
    seconds,
    next: (connection, turn) => pairs[connection]?.[turn % 2],
  })
  const others = [...refused.keys()]
  if (others.length > 0) throw new Error(`joins of ${program.name} were refused: ${others.join(', ')}`)
  return answered / 2 / took
}

async function race(sql: postgres.Sql, product: Program, { joinerTokens }: Seeded, turn: number): Promise<boolean> {
  const [team] = await openTeams(sql, `race ${turn} of `, 1)
  if (!team) throw new Error('no team was made')
  await load({
    port: product.port,
    connections: RACERS,
    seconds: 10,
    next: (connection, turn) => (turn === 0 ? join(team, joinerTokens[connection] ?? '') : undefined),
  })
  const [row] = await sql<{ members: number; counted: number }[]>`
    select (select count(*)::int from team_members where team_id = ${team.id}) as members,
      (select member_count from teams where id = ${team.id}) as counted`
  return row?.members === SEATS + 1 && row.counted === SEATS + 1
}

/** Seats of one team that everybody wants, of many teams, and races for the last ones. */
export async function measureJoins(
  product: Program,
  bare: Program,
  { databaseUrl, seeded, rounds, seconds }: { databaseUrl: string; seeded: Seeded; rounds: number; seconds: number },
): Promise<JoinResult> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const kinds = { hot: { connections: HOT, teams: 1 }, spread: { connections: SPREAD, teams: SPREAD } }
  const compare = async (kind: keyof typeof kinds) => {
    const { connections, teams: count } = kinds[kind]
    const found: { product: number; bare: number }[] = []
    for (let round = 0; round < rounds; round++) {
      const rates = { product: 0, bare: 0 }
      for (const [name, program] of [['product', product] as const, ['bare', bare] as const]) {
        const teams = await openTeams(sql, `${kind} ${round} ${name} `, count)
        const pairs = seeded.joinerTokens.slice(0, connections).map((token, n): [Buffer, Buffer] => {
          const team = teams[n % teams.length] ?? { id: '', role: '' }
          return [join(team, token), leave(team, token)]
        })
        rates[name] = await rate(program, pairs, seconds)
        await sql`delete from teams where id = any(${teams.map(({ id }) => id)})`
      }
      found.push(rates)
    }
    return {
      product: median(found.map((one) => one.product)),
      bare: median(found.map((one) => one.bare)),
      ratio: median(found.map((one) => one.product / one.bare)),
    }
  }
  try {
    const hot = await compare('hot')
    const spread = await compare('spread')
    const races = rounds * 4
    let exact = 0
    for (let turn = 0; turn < races; turn++) if (await race(sql, product, seeded, turn)) exact++
    return { hot, spread, races, exact }
  } finally {
    await sql.end()
  }
}
