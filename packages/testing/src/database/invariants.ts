import type { Reader } from '@community/db'
import { sql } from 'drizzle-orm'

/** An email address as the blacklist compares it: without plus parts and dots. */
const foldEmail = (email: string): string => `regexp_replace(lower(${email}), '[+][^@]*|[.](?=.*@)', '', 'g')`

/**
 * Invariants of the database: each statement selects the rows that violate it.
 * Not checkable: that nobody joined an inactive team, because no column says since when it is inactive.
 */
export const INVARIANTS = {
  'a team counts its members': `
    select t.id, t.member_count, count(m.id) as members
    from teams t left join team_members m on m.team_id = t.id
    group by t.id having t.member_count <> count(m.id)`,
  'a team has no more members than seats, and 11 at most': `
    select t.id, t.max_members, count(m.id) as members
    from teams t join team_members m on m.team_id = t.id
    group by t.id having count(m.id) > least(t.max_members, 11)`,
  'nobody is in a team twice': `
    select team_id, user_id from team_members group by team_id, user_id having count(*) > 1`,
  'a team with members has one chef, who owns it': `
    select t.id, t.owner_id, array_agg(m.user_id) filter (where m.is_chef) as chefs
    from teams t join team_members m on m.team_id = t.id
    group by t.id
    having count(*) filter (where m.is_chef) <> 1
      or t.owner_id is distinct from (array_agg(m.user_id) filter (where m.is_chef))[1]`,
  'a team without members has no owner and is inactive': `
    select t.id, t.owner_id, t.is_active from teams t
    where not exists (select 1 from team_members m where m.team_id = t.id) and (t.is_active or t.owner_id is not null)`,
  'a team has no more open or approved submissions of a challenge than it allows': `
    select s.team_id, s.challenge_id, c.max_submissions, count(*) as taken
    from submissions s join challenges c on c.id = s.challenge_id
    where s.status in ('pending', 'approved')
    group by s.team_id, s.challenge_id, c.max_submissions having count(*) > c.max_submissions`,
  'nobody is in two teams that applied to one challenge': `
    select m.user_id, s.challenge_id, array_agg(distinct s.team_id) as teams
    from submission_members m join submissions s on s.id = m.submission_id
    where s.status in ('pending', 'approved')
    group by m.user_id, s.challenge_id having count(distinct s.team_id) > 1`,
  'a challenge counts its submissions': `
    select c.id, c.submission_count, count(s.id) as submissions
    from challenges c left join submissions s on s.challenge_id = c.id
    group by c.id having c.submission_count <> count(s.id)`,
  'a team’s points are the sum of its best approved submission of each challenge': `
    select t.id, t.points, t.challenges_completed, coalesce(sum(b.best), 0) as earned, count(b.best) as completed
    from teams t left join (
      select team_id, challenge_id, max(points) as best from submissions where status = 'approved' group by team_id, challenge_id
    ) b on b.team_id = t.id
    group by t.id having t.points <> coalesce(sum(b.best), 0) or t.challenges_completed <> count(b.best)`,
  'the ledger adds up to a team’s points': `
    select t.id, t.points, coalesce(sum(l.delta), 0) as ledger
    from teams t left join points_ledger l on l.team_id = t.id
    group by t.id having t.points <> coalesce(sum(l.delta), 0)`,
  'exactly the teams with points have a time when they reached them': `
    select id, points, points_reached_at from teams where (points > 0) <> (points_reached_at is not null)`,
  'a verdict has a time, and a score from 1 to 100 exactly if it approves': `
    select id, status, score, points, evaluated_at from submissions
    where (status = 'approved') <> (score is not null and points is not null and score between 1 and 100)
      or status <> 'approved' and (score is not null or points is not null)
      or (status = 'pending') <> (evaluated_at is null)`,
  // An administrator may remove a banned user's address from the blacklist, which is audited.
  'a banned person has no live session, no unrevoked sign-in, no team, and an entry in the blacklist': `
    select u.id from users u where u.is_banned and (
      exists (select 1 from sessions s where s.user_id = u.id and s.expires_at > now())
      or exists (select 1 from refresh_families f where f.user_id = u.id and f.revoked_at is null and f.expires_at > now())
      or exists (select 1 from team_members m where m.user_id = u.id)
      or not exists (select 1 from blacklist b where ${foldEmail('b.email')} = ${foldEmail('u.email')})
        and not exists (
          select 1 from audit_log a
          where a.action = 'admin.removeFromBlacklist' and ${foldEmail("a.details->>'email'")} = ${foldEmail('u.email')}))`,
  'a person has 20 access tokens at most, for administration only as an administrator, and none while banned': `
    select u.id, u.role, u.is_banned, count(*) as tokens from users u join personal_tokens t on t.user_id = u.id
    group by u.id having count(*) > 20 or u.is_banned or u.role <> 'admin' and bool_or('admin' = any(t.scopes))`,
  'a revoked sign-in has no live session': `
    select s.family_id from sessions s join refresh_families f on f.id = s.family_id
    where f.revoked_at is not null and s.expires_at > now()`,
  'a file in use is marked as attached': `
    select u.id from uploads u join submissions s on s.upload_id = u.id where u.attached_at is null`,
  'a person’s picture is a file of their own, in use': `
    select p.id, p.avatar_url from users p where p.avatar_url is not null and not exists (
      select 1 from uploads u where u.user_id = p.id and u.attached_at is not null and p.avatar_url like '%/files/' || u.key || '/%')`,
  'the counts equal the rows of their tables': `
    with counted as (select name, key, sum(amount) as amount from counts group by name, key having sum(amount) <> 0),
    actual as (
      select c.name, c.key, sum(c.amount) as amount from users u, counts_of_user(u) c group by 1, 2
      union all select c.name, c.key, sum(c.amount) from teams t, counts_of_team(t) c group by 1, 2
      union all select c.name, c.key, sum(c.amount) from submissions s, counts_of_submission(s) c group by 1, 2
      union all select c.name, c.key, sum(c.amount) from points_ledger p, counts_of_points(p) c group by 1, 2 having sum(c.amount) <> 0
      union all select c.name, c.key, sum(c.amount) from warnings w, counts_of_warning(w) c group by 1, 2)
    select name, key, counted.amount as counted, actual.amount as actual
    from counted full join actual using (name, key) where counted.amount is distinct from actual.amount`,
  'a person’s Idempotency-Keys are counted, and 1,000 at most': `
    with stored as (select owner, count(*) as keys from idempotency_keys where owner not like 'address:%' group by owner)
    select owner, o.live, s.keys from idempotency_owners o full join stored s using (owner)
    where o.live is distinct from s.keys or s.keys > 1000`,
} satisfies Record<string, string>

interface Violation {
  invariant: string
  rows: unknown[]
}

/** One statement for all of them: one round trip. */
const ALL_INVARIANTS = Object.entries(INVARIANTS)
  .map(
    ([name, statement]) =>
      `select '${name}' as invariant, jsonb_agg(v) as rows from (${statement}) v having count(*) > 0`,
  )
  .join(' union all ')

/** Violated invariants with the offending rows; `query` runs a statement. */
export const findViolationsWith = async (
  query: (statement: string) => PromiseLike<Iterable<unknown>>,
): Promise<Violation[]> => [...(await query(ALL_INVARIANTS))] as Violation[]

/** Like `findViolationsWith`, on a Drizzle database. */
export const findViolations = (db: Reader): Promise<Violation[]> =>
  findViolationsWith((statement) => db.execute(sql.raw(statement)))

/** Throws with the offending rows if an invariant is violated. Call it after races and faults. */
export async function expectInvariants(db: Reader): Promise<void> {
  const found = await findViolations(db)
  if (found.length > 0) throw new Error(`Invariants broken:\n${JSON.stringify(found, null, 2)}`)
}
