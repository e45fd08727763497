import { createHash, randomBytes } from 'node:crypto'
import postgres from 'postgres'

/** Fills an empty database with teams of five, 200 challenges and three submissions a team; answers a member's access token. */
export async function seed(url: string, teams: number): Promise<{ token: string }> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const token = randomBytes(25).toString('hex').slice(0, 40)
  const hash = createHash('sha256').update(token).digest('hex')
  await sql.begin(async (tx) => {
    await tx`insert into users (name, email, search_text) select 'Member ' || n, 'member' || n || '@example.ma', 'member ' || n from generate_series(1, ${teams * 5}) n`
    await tx`insert into teams (name, name_key, description, owner_id, max_members, member_count, search_text)
      select 'Team ' || n, 'team ' || n, 'We build small, useful things and ship them every week.', null, 5, 5, 'team ' || n from generate_series(1, ${teams}) n`
    await tx`insert into team_members (team_id, user_id, is_chef, name, email)
      select t.id, u.id, u.k % 5 = 0, u.name, u.email
      from (select id, row_number() over (order by created_at, id) - 1 as k from teams) t
      join (select id, name, email, row_number() over (order by created_at, id) - 1 as k from users) u on u.k / 5 = t.k`
    await tx`update teams set owner_id = m.user_id from team_members m where m.team_id = teams.id and m.is_chef`
    await tx`insert into team_roles_needed (team_id, role_id, position) select t.id, r.id, r.position from teams t cross join (select id, position from roles order by position limit 3) r`
    await tx`insert into challenges (title, description, requirements, deadline, points, category, difficulty)
      select 'Challenge ' || n, 'A page that works in a tunnel.', array['Works offline', 'A licence', 'Tests'], now() + make_interval(days => 1 + n % 60), 100, 'Design', 'Beginner' from generate_series(1, 200) n`
    await tx`insert into submissions (challenge_id, team_id, submitted_by, type, content, status, score, points, evaluated_at, created_at)
      select c.id, t.id, t.owner_id, 'link', 'https://github.com/community/work', 'approved', 50 + (t.k % 50)::int, 50 + (t.k % 50)::int, now(), now() - make_interval(mins => (t.k * 3 + s.n)::int)
      from (select id, owner_id, row_number() over (order by id) - 1 as k from teams) t
      cross join generate_series(0, 2) s(n)
      join (select id, row_number() over (order by id) - 1 as k from challenges) c on c.k = (t.k + s.n) % 200`
    await tx`update teams set points = x.points, challenges_completed = x.done, points_reached_at = now()
      from (select team_id, sum(points)::int as points, count(*)::int as done from submissions group by team_id) x where x.team_id = teams.id`
    await tx`update challenges set submission_count = x.n from (select challenge_id, count(*)::int as n from submissions group by challenge_id) x where x.challenge_id = challenges.id`
    const [member] = await tx<{ id: string }[]>`select id from users limit 1`
    const [family] = await tx<
      { id: string }[]
    >`insert into refresh_families (user_id, expires_at) values (${member?.id ?? ''}, now() + interval '1 day') returning id`
    await tx`insert into sessions (id, user_id, family_id, expires_at) values (${hash}, ${member?.id ?? ''}, ${family?.id ?? ''}, now() + interval '1 day')`
  })
  await sql`vacuum analyze`
  await sql.end()
  return { token }
}
