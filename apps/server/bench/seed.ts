import { insertSessions } from '@community/testing/database/users'
import postgres from 'postgres'

/** Teams of each scale, with five members (the chef only, beyond `WHOLE_TEAMS`) and three approved submissions each; 200 challenges. */
export const SCALES = { S: 100, M: 10_000, L: 1_000_000 } as const
export type Scale = keyof typeof SCALES

/** The users that measurements act as. */
export interface Seeded {
  /** The token of a chef whose team has five members and three or four submissions. */
  token: string
  viewerId: string
  adminToken: string
  /** The tokens of users without a team. */
  joinerTokens: string[]
}

const JOINERS = 64
/** How many teams have five members; the others have a chef only. */
const WHOLE_TEAMS = 200_000
/** How many teams have a pending submission. */
const WITH_PENDING = 10_000
/** Accounts and submissions are spread evenly over these minutes, about a year. */
const SPREAD_MINUTES = 500_000

async function insertPeople(tx: postgres.TransactionSql, teams: number) {
  const people = Math.min(teams, WHOLE_TEAMS) * 5 + Math.max(0, teams - WHOLE_TEAMS)
  await tx`
    insert into users (name, email, search_text, phone, github, bio, experience, created_at)
    select 'Member ' || n, 'member' || n || '@example.ma', 'member ' || n, '+212 612345678', 'https://github.com/member' || n,
      'Writes code that works on slow phones, and likes to explain it.', 'Beginner', now() - make_interval(mins => (n::bigint * ${SPREAD_MINUTES} / ${people}::int)::int)
    from generate_series(1, ${people}::int) n`
}

async function insertTeams(tx: postgres.TransactionSql, teams: number) {
  await tx`
    create temp table numbered on commit drop as
    select gen_random_uuid() as id, n, case when n % 1000 = 7 then 'Zellige ' || n else 'Team ' || n end as name
    from generate_series(1, ${teams}::int) n`
  await tx`
    create temp table people on commit drop as
    select id, name, email, phone, github, bio, experience, row_number() over (order by id) - 1 as k from users`
  await tx`create index on numbered (n)`
  await tx`create index on people (k)`
  await tx`analyze numbered, people`
  await tx`
    insert into teams (id, name, name_key, description, max_members, member_count, search_text, experience, created_at)
    select id, name, lower(name), 'We build small, useful things and ship them every week.', 11,
      case when n <= ${WHOLE_TEAMS} then 5 else 1 end,
      lower(name) || chr(10) || 'we build small, useful things and ship them every week.', 'Beginner', now() - make_interval(mins => n)
    from numbered`
  await tx`
    insert into team_members (team_id, user_id, is_chef, role_id, name, email, phone, github, bio, experience, joined_at)
    select t.id, u.id, seat.n = 0, r.id, u.name, u.email, u.phone, u.github, u.bio, u.experience, now() + make_interval(mins => seat.n)
    from numbered t
    cross join generate_series(0, 4) seat(n)
    join people u on u.k = case when t.n <= ${WHOLE_TEAMS} then (t.n - 1) * 5 + seat.n
      else ${WHOLE_TEAMS * 5} + (t.n - ${WHOLE_TEAMS} - 1) end
    join (select id, row_number() over (order by position) - 1 as k from roles) r on r.k = seat.n
    where seat.n = 0 or t.n <= ${WHOLE_TEAMS}`
  await tx`
    update teams set owner_id = m.user_id from team_members m where m.team_id = teams.id and m.is_chef`
  await tx`
    insert into team_roles_needed (team_id, role_id, position)
    select t.id, r.id, r.position from teams t cross join (select id, position from roles order by position limit 3) r`
}

async function insertWork(tx: postgres.TransactionSql, teams: number) {
  await tx`
    insert into challenges (title, description, requirements, deadline, points, category, difficulty, tags, evaluation_criteria, search_text)
    select 'Challenge ' || n, repeat('A page that works in a tunnel. ', 8), array['Works offline', 'A licence', 'Tests'],
      now() + make_interval(days => 1 + n % 60, secs => n), 100, 'Design', 'Beginner', array['web', 'offline'],
      array['Clarity', 'Speed'], 'challenge ' || n
    from generate_series(1, 200) n`
  await tx`
    insert into submissions (challenge_id, team_id, submitted_by, type, content, notes, status, score, points, evaluated_at, created_at)
    select c.id, t.id, t.owner_id, 'link', 'https://github.com/community/work', 'See the read-me.',
      case when s.n < 3 then 'approved' else 'pending' end::submission_status,
      case when s.n < 3 then 50 + (t.k * 7 + s.n * 13) % 50 end, case when s.n < 3 then 50 + (t.k * 7 + s.n * 13) % 50 end,
      case when s.n < 3 then now() - make_interval(mins => (t.k * ${SPREAD_MINUTES} / ${teams}::int)::int) end,
      now() - make_interval(mins => (t.k * ${SPREAD_MINUTES} / ${teams}::int)::int, secs => s.n)
    from (select id, owner_id, row_number() over (order by id) - 1 as k from teams) t
    cross join generate_series(0, 3) s(n)
    join (select id, row_number() over (order by id) - 1 as k from challenges) c on c.k = (t.k + s.n) % 200
    where s.n < 3 or t.k < ${WITH_PENDING}`
  await insertSnapshots(tx)
  await tx`
    insert into points_ledger (team_id, challenge_id, submission_id, reason, delta, created_at)
    select team_id, challenge_id, id, 'award', points, evaluated_at from submissions where status = 'approved'`
  await tx`
    update teams set points = x.points, challenges_completed = x.done, points_reached_at = now()
    from (select team_id, sum(points)::int as points, count(points)::int as done from submissions group by team_id) x
    where x.team_id = teams.id`
  await tx`
    update challenges set submission_count = x.n
    from (select challenge_id, count(*)::int as n from submissions group by challenge_id) x where x.challenge_id = challenges.id`
}

/**
 * Fills `submission_members`: the members that a team had when it applied. PostgreSQL keeps the plans that it made for an empty table,
 * and these get slow as a bench fills it. May run again: `writes.ts` calls it after the seed of an older checkout, which leaves it empty.
 */
export const insertSnapshots = (sql: postgres.Sql | postgres.TransactionSql) => sql`
  insert into submission_members (submission_id, user_id)
  select s.id, m.user_id from submissions s join team_members m using (team_id) on conflict do nothing`

/** Fills `counts` like the migration that created its triggers. */
const fillCounts = (tx: postgres.TransactionSql) => tx`
  insert into counts
  select c.name, c.key, sum(c.amount) from users u, counts_of_user(u) c group by 1, 2
  union all select c.name, c.key, sum(c.amount) from teams t, counts_of_team(t) c group by 1, 2
  union all select c.name, c.key, sum(c.amount) from submissions s, counts_of_submission(s) c group by 1, 2
  union all select c.name, c.key, sum(c.amount) from points_ledger p, counts_of_points(p) c group by 1, 2`

/** Drops the indexes that belong to no constraint, runs `fill` and builds them again, because updating them row by row is slower. */
async function withoutIndexes(sql: postgres.Sql, fill: () => Promise<unknown>) {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    join pg_class on pg_class.oid = indrelid
    where relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = indexrelid)`
  await sql`drop index ${sql(indexes.map(({ name }) => name))}`
  await fill()
  await sql`set maintenance_work_mem = '1GB'`
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`reset maintenance_work_mem`
}

/** Runs a transaction without triggers and checks of foreign keys. */
const runUnchecked = <T>(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    return work(tx)
  })

/**
 * Fills an empty database with teams of five, 200 challenges, and three approved and one pending submission of each team, within
 * `WHOLE_TEAMS` and `WITH_PENDING`, each with a snapshot of the members. Triggers and foreign keys are disabled meanwhile, so it
 * fills the counts at the end.
 */
export async function seed(url: string, teams: number): Promise<Seeded> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await withoutIndexes(sql, async () => {
    await runUnchecked(sql, async (tx) => {
      await insertPeople(tx, teams)
      await insertTeams(tx, teams)
      await insertWork(tx, teams)
    })
    // Each team was updated twice, each challenge once. Without this, old row versions would fill the first pages of the table and slow down scans.
    await sql`vacuum full teams, challenges`
  })
  const seeded = await runUnchecked(sql, async (tx) => {
    const joiners = await tx<{ id: string }[]>`
      insert into users (name, email, search_text)
      select 'Joiner ' || n, 'joiner' || n || '@example.ma', 'joiner ' || n from generate_series(1, ${JOINERS}) n returning id`
    const [admin] = await tx<{ id: string }[]>`
      insert into users (name, email, search_text, role) values ('Judge', 'judge@example.ma', 'judge', 'admin') returning id`
    const [viewer] = await tx<{ id: string }[]>`select owner_id as id from teams where name_key = 'team 1'`
    if (!admin || !viewer) throw new Error('no user was created')
    await fillCounts(tx)
    const [token = '', adminToken = '', ...joinerTokens] = await insertSessions(tx, [
      viewer.id,
      admin.id,
      ...joiners.map(({ id }) => id),
    ])
    return { token, viewerId: viewer.id, adminToken, joinerTokens }
  })
  await sql`vacuum analyze`
  // The seed's writes are on disk before anything is measured.
  await sql`checkpoint`
  await sql.end()
  return seeded
}
