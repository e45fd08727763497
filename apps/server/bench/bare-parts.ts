// What the statements of the bare programs have in common. `$1` is the viewer. Plain text, made once: the driver prepares each.
export const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

export const MEMBER = `
  m.id, m.user_id as "userId", m.name, m.email, m.phone, m.github, m.instagram, m.portfolio, m.bio, m.experience,
  m.is_chef as "isChef", u.avatar_url as "avatarUrl", u.name as "accountName", u.email = m.email as "isAccountEmail"`
export const TEAM = `
  t.id, t.id as "_id", t.name, t.description, t.is_active as "isActive", t.owner_id as "ownerId", t.max_members as "maxMembers",
  t.member_count as "memberCount", t.points, t.challenges_completed as "challengesCompleted", t.experience`
export const CARD = `t.id, t.id as "_id", t.name, t.is_active as "isActive", t.max_members as "maxMembers"`
export const CHALLENGE = `
  id, id as "_id", title, description, requirements, points, category, difficulty, tags, max_submissions as "maxSubmissions",
  evaluation_criteria as "evaluationCriteria", resources, is_active as "isActive", submission_count as "submissionCount"`
export const USER = `
  id, id as "_id", name, email, role, avatar_url as "avatarUrl", is_banned as "isBanned", ban_reason as "banReason",
  warning_count as warnings, phone, github, instagram, portfolio, bio, experience, language, sign_in_otp as "signInOtp",
  password_hash is not null as "hasPassword"`

export const leaders = `
  select id, id as "_id", name, challenges_completed as "challengesCompleted", points from teams where is_active or points > 0
  order by points desc nulls last, points_reached_at asc nulls last, name_key limit 100`
export const openFirst = `
  (is_active and deadline > now()) desc, (case when is_active and deadline > now() then deadline else 'infinity' end), deadline desc, id`
export const worksPage = `select * from submissions where status = 'approved' order by created_at desc nulls last, id limit 100`
export const teamsPage = `select * from teams where is_active order by name_key, id limit 100`
export const teamsOf = `select t.* from team_members mine join teams t on t.id = mine.team_id where mine.user_id = $1 order by name_key, t.id limit 100`
export const submissionsOf = `
  select * from submissions where team_id in (select team_id from team_members where user_id = $1)
  order by created_at desc nulls last, id limit 100`

export const total = (name: string) =>
  `select coalesce(sum(amount), 0)::float8 as total from counts where name = '${name}'`

export const figures = `
  select f.*, s.* from (
    select count(*)::int as teams, coalesce(sum(points), 0)::int as points, coalesce(sum(challenges_completed), 0)::int as "challengesCompleted"
    from team_members m join teams t on t.id = m.team_id where m.user_id = $1
  ) f, (
    select count(*)::int as submissions, (count(*) filter (where status = 'pending'))::int as pending,
      (count(*) filter (where status = 'approved'))::int as approved, (count(*) filter (where status = 'rejected'))::int as rejected
    from submissions where team_id in (select team_id from team_members where user_id = $1)
  ) s`
