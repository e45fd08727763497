// Writes to the seeded data, which scenarios and the comparison of two checkouts measure.
import { PASSWORD, times } from '@community/testing'
import { requestOf } from '@community/testing/api-client'
import type postgres from 'postgres'
import { createPasswordHasher } from '../src/auth/passwords.ts'
import { type PreparedRequest, prepare } from './driver.ts'
import type { Seeded } from './seed.ts'

/** A join and a leave for each of the first `people` users without a team, distributed over the first `count` teams. */
export async function joinsAndLeaves(
  sql: postgres.Sql,
  { joinerTokens }: Seeded,
  people: number,
  count: number,
): Promise<[PreparedRequest, PreparedRequest][]> {
  const seats = await sql<{ id: string; role: string }[]>`
    select t.id, n.role_id as role from teams t join team_roles_needed n on n.team_id = t.id
    where n.position = (select min(position) from team_roles_needed where team_id = t.id) order by t.name_key limit ${count}`
  // So far below zero that no number of joins reaches the limits.
  await sql`
    insert into rate_limits (key, count, resets_at)
    select 'joins:' || u.id || suffix, -1e9, now() + interval '1 day'
    from users u, unnest(${['', ...seats.map(({ id }) => `:${id}`)]}::text[]) suffix
    where u.email like 'joiner%@example.ma' on conflict do nothing`
  return joinerTokens.slice(0, people).map((token, number) => {
    const { id, role } = seats[number % seats.length] ?? { id: '', role: '' }
    const join = requestOf('teams.join', { id, role: { id: role } }, { token })
    return [prepare(join), prepare(requestOf('teams.leave', { id }, { token }))]
  })
}

/** Approvals of at most `most` pending submissions. */
export async function approvals(sql: postgres.Sql, { adminToken }: Seeded, most: number): Promise<PreparedRequest[]> {
  const pending = await sql<{ id: string }[]>`
    select id from submissions where status = 'pending' order by id limit ${most}`
  return pending.map(({ id }, number) =>
    prepare(requestOf('submissions.evaluate', { id, score: 51 + (number % 50) }, { token: adminToken })),
  )
}

/** Applications of at most `most` teams to a new challenge. Makes the viewer their owner, because only the owner may apply. */
export async function applications(
  sql: postgres.Sql,
  { viewerId, token }: Seeded,
  most: number,
): Promise<PreparedRequest[]> {
  const [challenge] = await sql<{ id: string }[]>`
    insert into challenges (title, description, requirements, difficulty, category, deadline, points, search_text)
    select 'Applications', 'For the bench.', requirements, difficulty, category, now() + interval '1 day', 100, 'applications'
    from challenges limit 1 returning id`
  // The last teams, because `joinsAndLeaves` uses the first ones.
  const teams = await sql<{ id: string }[]>`
    update teams set owner_id = ${viewerId}
    where id in (select id from teams where member_count = 5 order by name_key desc limit ${most}) returning id`
  const { id = '' } = challenge ?? {}
  return teams.map((team) => prepare(requestOf('challenges.applyTo', { id, teamId: team.id }, { token })))
}

/** `most` projects submitted by link, each to a challenge of its own, for 16 teams in turns. Makes the viewer a member of them. */
export async function projects(
  sql: postgres.Sql,
  { viewerId, token }: Seeded,
  most: number,
): Promise<PreparedRequest[]> {
  const challenges = await sql<{ id: string }[]>`
    insert into challenges (title, description, requirements, difficulty, category, deadline, points, search_text)
    select 'Project ' || n, 'For the bench.', requirements, difficulty, category, now() + interval '1 day', 100, 'project ' || n
    from (select * from challenges limit 1), generate_series(1, ${most}) n returning id`
  // `applications` uses the last teams and `joinsAndLeaves` the first ones.
  const teams = await sql<{ name: string }[]>`
    with seats as (
      update team_members set user_id = ${viewerId} where id in (
        select distinct on (m.team_id) m.id from team_members m where not m.is_chef and m.team_id in
          (select id from teams where member_count = 5 order by name_key offset 1000 limit 16)
        order by m.team_id, m.id
      ) returning team_id
    )
    select name from teams where id in (select team_id from seats)`
  return challenges.map(({ id }, number) => {
    const teamName = teams[number % teams.length]?.name ?? ''
    const input = { id, teamName, type: 'link' as const, content: `https://example.ma/project/${number}` }
    return prepare(requestOf('challenges.submit', input, { token }))
  })
}

/** `count` sign-ins, each to a new account and from an IP address of its own. */
export async function signIns(sql: postgres.Sql, count: number): Promise<PreparedRequest[]> {
  const hash = await createPasswordHasher().hash(PASSWORD)
  await sql`
    insert into users (name, email, password_hash, search_text)
    select 'Beside ' || n, 'beside' || n || '@example.ma', ${hash}, '' from generate_series(0, ${count - 1}) n`
  return times(count, (n) =>
    prepare({
      ...requestOf('auth.login', { email: `beside${n}@example.ma` }),
      headers: { 'x-forwarded-for': `10.60.0.${n + 1}` },
    }),
  )
}
