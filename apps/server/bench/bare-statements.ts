// The hot reads as JSON made in PostgreSQL, one statement each: the server passes the bytes on.
import {
  CARD,
  CHALLENGE,
  figures,
  instant,
  leaders,
  MEMBER,
  openFirst,
  submissionsOf,
  TEAM,
  teamsOf,
  teamsPage,
  USER,
  worksPage,
} from './bare-parts.ts'

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
const teamsJson = (page: string) => `(
  select coalesce(json_agg(row_to_json(y)), '[]') from (
    select ${TEAM}, ${instant('t.created_at')} as "createdAt", ${rolesJson} as "rolesNeeded", ${membersJson} as members
    from (${page}) t
  ) y)`
const cardsJson = `(
  select coalesce(json_agg(row_to_json(y)), '[]') from (
    select ${CARD}, ${instant('t.created_at')} as "createdAt", ${rolesJson} as "rolesNeeded" from (${teamsPage}) t
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
      json_build_object('submissionNotes', ${isInside ? `s.notes` : `''`}) as metadata, s.status, s.score, s.points, s.feedback,
      case when e.id is not null then json_build_object('id', e.id, 'name', e.name) end as "evaluatedBy",
      ${instant('s.created_at')} as "createdAt", ${instant('s.evaluated_at')} as "evaluatedAt"
    from (${page}) s join challenges c on c.id = s.challenge_id join teams t on t.id = s.team_id
    left join users b on b.id = s.submitted_by left join users e on e.id = s.evaluated_by left join uploads f on f.id = s.upload_id
    order by s.created_at desc nulls last, s.id
  ) x)`
const totalJson = (name: string) =>
  `json_build_object('total', (select coalesce(sum(amount), 0) from counts where name = '${name}'))`

export interface RawAnswer {
  /** Answers one row with the whole answer as `body`. */
  statement: string
  takesViewer?: boolean
}

const listed = (name: string, rows: string, pagination: string) => ({
  statement: envelope(`json_build_object('${name}', ${rows}, 'pagination', ${pagination})`),
})

/** By the path of the product's call. */
export const rawAnswers: Record<string, RawAnswer> = {
  '/api/teams/leaderboard': {
    statement: envelope(
      `json_build_object('leaderboard', (
        select json_agg(row_to_json(x)) from (select row_number() over () as rank, l.* from (${leaders}) l) x))`,
    ),
  },
  '/api/teams': listed('teams', cardsJson, totalJson('teams_active')),
  '/api/challenges': listed(
    'challenges',
    `(select json_agg(row_to_json(x)) from (
      select ${CHALLENGE}, ${instant('deadline')} as deadline, ${instant('created_at')} as "createdAt"
      from challenges where is_active order by ${openFirst} limit 50
    ) x)`,
    `json_build_object('total', (select count(*) from challenges where is_active))`,
  ),
  '/api/submissions/approved': listed(
    'submissions',
    submissionsJson(worksPage, false),
    totalJson('submissions_approved'),
  ),
  '/api/users/dashboard': {
    statement: envelope(`json_build_object('dashboard', json_build_object(
      'user', (select row_to_json(x) from (
        select ${USER}, ${instant('created_at')} as "createdAt" from users where id = $1) x),
      'stats', (select row_to_json(x) from (${figures}) x),
      'teams', ${teamsJson(teamsOf)},
      'submissions', ${submissionsJson(submissionsOf, true)}))`),
    takesViewer: true,
  },
}
