import http from 'node:http'
import postgres from 'postgres'
import { hashToken } from '../src/auth/session-adapter.ts'

/** Requests at once: two thirds read the teams, one third joins one. */
const BURSTS = [75, 150, 300, 600, 1200, 2400]
const SEATS = 10

/** How a burst of valid requests was answered. */
export interface Burst {
  'at once': number
  read: number
  joined: number
  'refused 503': number
  others: number
  'median ms': number
  'slowest ms': number
}

interface Call {
  path: string
  token: string
  body?: object
}

function send(port: number, agent: http.Agent, { path, token, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const method = body ? 'POST' : 'GET'
    const request = http.request({ port, host: '127.0.0.1', method, path, headers, agent }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}

/** New people who are signed in: their access tokens. */
async function signIn(sql: postgres.Sql, name: string, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, (_, n) => `${name}x${n}`.padEnd(40, 'x'))
  await sql`
    with people as (
      insert into users (name, email)
      select 'Burst ' || n, ${name} || n || '@example.ma' from generate_series(1, ${count}) n
      returning id, email
    ), families as (
      insert into refresh_families (user_id, expires_at) select id, now() + interval '1 day' from people
      returning id, user_id
    )
    insert into sessions (id, user_id, family_id, expires_at)
    select given.hash, people.id, families.id, now() + interval '1 day'
    from unnest(${tokens.map(hashToken)}::text[]) with ordinality given(hash, n)
    join people on people.email = ${name} || given.n || '@example.ma'
    join families on families.user_id = people.id`
  return tokens
}

/** New teams that somebody leads, with free seats for one role. */
const openTeams = (sql: postgres.Sql, name: string, count: number) => sql<{ id: string; role: string }[]>`
  with chef as (select id, name, email from users order by created_at, id limit 1),
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

const joinForm = (roleId: string) => ({
  name: 'Youssef Benali',
  email: 'youssef@example.ma',
  contact: 'youssef@example.ma',
  phone: '+212 612345678',
  experience: 'Beginner',
  role: { id: roleId },
})

async function callsOf(sql: postgres.Sql, size: number): Promise<Call[]> {
  const name = `burst ${size} n`
  const tokens = await signIn(sql, `burst${size}n`, Math.round(size / 3))
  const teams = await openTeams(sql, name, Math.ceil(tokens.length / SEATS))
  return tokens.flatMap((token, n) => {
    const team = teams[n % teams.length]
    const read = { path: '/api/teams?limit=20', token }
    return [read, { path: `/api/teams/${team?.id}/join`, token, body: joinForm(team?.role ?? '') }, read]
  })
}

/** Valid requests that all come at once, in growing bursts. The first row with a refusal shows where the bound is. */
export async function measureBursts(port: number, databaseUrl: string): Promise<Burst[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const bursts: Burst[] = []
  for (const size of BURSTS) {
    const calls = await callsOf(sql, size)
    const agent = new http.Agent({ keepAlive: true })
    // The sockets are opened first: what counts is the server.
    await Promise.all(calls.map(({ token }) => send(port, agent, { path: '/api/health/live', token })))
    const took: number[] = []
    const began = performance.now()
    const statuses = await Promise.all(
      calls.map(async (call) => {
        const status = await send(port, agent, call)
        took.push(performance.now() - began)
        return status
      }),
    )
    agent.destroy()
    const count = (...wanted: number[]) => statuses.filter((status) => wanted.includes(status)).length
    bursts.push({
      'at once': size,
      read: count(200),
      joined: count(201),
      'refused 503': count(503),
      others: size - count(200, 201, 503),
      'median ms': Math.round(took[size >> 1] ?? 0),
      'slowest ms': Math.round(took.at(-1) ?? 0),
    })
    if (count(200, 201) < size) break
  }
  await sql.end()
  return bursts
}
