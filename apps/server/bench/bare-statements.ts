// The statements of the bare server. `$1` is the viewer. Plain text, so that the driver prepares each once.
const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const MEMBER = `
  m.id, m.user_id as "userId", m.name, m.email, m.phone, m.github, m.instagram, m.portfolio, m.bio, m.experience,
  m.is_chef as "isChef", u.avatar_url as "avatarUrl", u.name as "accountName", u.email = m.email as "isAccountEmail"`
const TEAM = `
  t.id, t.id as "_id", t.name, t.description, t.is_active as "isActive", t.owner_id as "ownerId", t.max_members as "maxMembers",
  t.member_count as "memberCount", t.points, t.challenges_completed as "challengesCompleted", t.experience`
export const CARD = `t.id, t.id as "_id", t.name, t.is_active as "isActive", t.max_members as "maxMembers"`
export const CHALLENGE = `
  id, id as "_id", title, description, requirements, points, category, difficulty, tags, max_submissions as "maxSubmissions",
  evaluation_criteria as "evaluationCriteria", resources, is_active as "isActive", submission_count as "submissionCount"`
const USER = `
  id, id as "_id", name, email, role, avatar_url as "avatarUrl", is_banned as "isBanned", ban_reason as "banReason",
  warning_count as warnings, phone, github, instagram, portfolio, bio, experience, language, sign_in_otp as "signInOtp",
  password_hash is not null as "hasPassword"`

export const leaders = `
  select id, id as "_id", name, challenges_completed as "challengesCompleted", points from teams where is_active or points > 0
  order by points desc nulls last, points_reached_at asc nulls last, name_key limit 100`
export const openFirst = `
  (is_active and deadline > now()) desc, (case when is_active and deadline > now() then deadline else 'infinity' end), deadline desc, id`
const worksPage = `select * from submissions where status = 'approved' order by created_at desc nulls last, id limit 100`
export const teamsPage = `select * from teams where is_active order by name_key, id limit 100`
const teamsOf = `select t.* from team_members mine join teams t on t.id = mine.team_id where mine.user_id = $1 order by name_key, t.id limit 100`
const submissionsOf = `
  select * from submissions where team_id in (select team_id from team_members where user_id = $1)
  order by created_at desc nulls last, id limit 100`

export const TEAMS_TOTAL = `(select coalesce(sum(amount), 0)::float8 from counts where name = 'teams_active')`

const figures = `
  select f.*, s.* from (
    select count(*)::int as teams, coalesce(sum(points), 0)::int as points, coalesce(sum(challenges_completed), 0)::int as "challengesCompleted"
    from team_members m join teams t on t.id = m.team_id where m.user_id = $1
  ) f, (
    select count(*)::int as submissions, (count(*) filter (where status = 'pending'))::int as pending,
      (count(*) filter (where status = 'approved'))::int as approved, (count(*) filter (where status = 'rejected'))::int as rejected
    from submissions where team_id in (select team_id from team_members where user_id = $1)
  ) s`

const envelope = (data: string) =>
  `select json_build_object('success', true, 'message', 'OK', 'data', ${data})::text as body`

const rolesJson = `(
  select coalesce(json_agg(row_to_json(x)), '[]') from (
    select r.id, r.name, r.emoji from team_roles_needed n join roles r on r.id = n.role_id where n.team_id = t.id order by n.position, r.id
  ) x)`
const membersJson = `(
  select coalesce(json_agg(row_to_json(x)), '[]') from (
    select ${MEMBER}, ${instant('m.joined_at')} as "joinedAt",
      case when r.id is not null then json_build_object('id', r.id, 'name', r.name, 'emoji', r.emoji) end as role
    from team_members m join users u on u.id = m.user_id left join roles r on r.id = m.role_id
    where m.team_id = t.id order by m.is_chef desc, m.joined_at, m.user_id
  ) x)`
const teamsJson = `(
  select coalesce(json_agg(row_to_json(y)), '[]') from (
    select ${TEAM}, ${instant('t.created_at')} as "createdAt", ${rolesJson} as "rolesNeeded", ${membersJson} as members
    from (${teamsOf}) t
  ) y)`
const submissionsJson = (page: string, isInside: boolean) => `(
  select coalesce(json_agg(row_to_json(x)), '[]') from (
    select s.id, s.id as "_id",
      json_build_object('id', c.id, '_id', c.id, 'title', c.title, 'points', c.points) as "challengeId",
      json_build_object('id', t.id, '_id', t.id, 'name', t.name) as "teamId",
      case when b.id is not null then ${
        isInside
          ? `json_build_object('id', b.id, 'name', b.name, 'email', b.email)`
          : `json_build_object('id', b.id, 'name', b.name)`
      } end as "submittedBy", s.type, s.content,
      case when f.id is not null then
        json_build_object('originalName', f.original_name, 'fileSize', f.size, 'mimeType', f.mime_type) end as "fileInfo",
      f.preview,
      json_build_object('submissionNotes', ${isInside ? `s.notes` : `''`}) as metadata, s.status, s.score, s.points, s.feedback,
      case when e.id is not null then json_build_object('id', e.id, 'name', e.name) end as "evaluatedBy",
      ${instant('s.created_at')} as "createdAt", ${instant('s.evaluated_at')} as "evaluatedAt"
    from (${page}) s join challenges c on c.id = s.challenge_id join teams t on t.id = s.team_id
    left join users b on b.id = s.submitted_by left join users e on e.id = s.evaluated_by left join uploads f on f.id = s.upload_id
    order by s.created_at desc nulls last, s.id
  ) x)`

/** The community's works, as one JSON text. */
export const works = envelope(`json_build_object(
  'submissions', ${submissionsJson(worksPage, false)},
  'pagination', json_build_object('total', (
    select coalesce(sum(amount), 0) from counts where name = 'submissions_approved')))`)

export const dashboard = envelope(`json_build_object('dashboard', json_build_object(
  'user', (select row_to_json(x) from (
    select ${USER}, ${instant('created_at')} as "createdAt" from users where id = $1) x),
  'stats', (select row_to_json(x) from (${figures}) x),
  'teams', ${teamsJson},
  'submissions', ${submissionsJson(submissionsOf, true)}))`)
