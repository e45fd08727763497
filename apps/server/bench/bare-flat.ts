// The hot reads as plain rows, all statements of an answer in one round trip; the server joins them.
import type postgres from 'postgres'
import {
  CARD,
  CHALLENGE,
  figures,
  leaders,
  MEMBER,
  openFirst,
  submissionsOf,
  TEAM,
  teamsOf,
  teamsPage,
  total,
  USER,
  worksPage,
} from './bare-parts.ts'

type Row = Record<string, unknown>
/** Runs a statement that is prepared once. */
export type Run = (text: string, values?: postgres.ParameterOrJSON<never>[]) => Promise<Row[]>

const memberRows = (page: string) => `
  select m.team_id, ${MEMBER}, m.joined_at as "joinedAt", r.id as role_id, r.name as role_name, r.emoji as role_emoji
  from (${page}) t join team_members m on m.team_id = t.id join users u on u.id = m.user_id left join roles r on r.id = m.role_id
  order by m.is_chef desc, m.joined_at, m.user_id`
const roleRows = (page: string) => `
  select n.team_id, r.id, r.name, r.emoji from (${page}) t join team_roles_needed n on n.team_id = t.id
  join roles r on r.id = n.role_id order by n.position, r.id`
const submissionRows = (page: string) => `
  select s.id, s.type, s.content, s.notes, s.status, s.score, s.points, s.feedback, s.created_at, s.evaluated_at,
    c.id as challenge_id, c.title, c.points as challenge_points, t.id as team_id, t.name as team_name, b.id as by_id, b.name as by_name,
    b.email as by_email, e.id as judge_id, e.name as judge_name, f.original_name, f.size, f.mime_type
  from (${page}) s join challenges c on c.id = s.challenge_id join teams t on t.id = s.team_id
  left join users b on b.id = s.submitted_by left join users e on e.id = s.evaluated_by left join uploads f on f.id = s.upload_id
  order by s.created_at desc nulls last, s.id`

function grouped(rows: Row[], shape: (row: Row) => Row): Map<unknown, Row[]> {
  const groups = new Map<unknown, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.team_id)
    if (group) group.push(shape(row))
    else groups.set(row.team_id, [shape(row)])
  }
  return groups
}
const roleOf = ({ id, name, emoji }: Row): Row => ({ id, name, emoji })
const memberOf = ({ team_id: _team, role_id, role_name, role_emoji, ...member }: Row): Row => ({
  ...member,
  role: role_id === null ? null : { id: role_id, name: role_name, emoji: role_emoji },
})
const submissionOf = (row: Row, isInside: boolean): Row => ({
  id: row.id,
  _id: row.id,
  challengeId: { id: row.challenge_id, _id: row.challenge_id, title: row.title, points: row.challenge_points },
  teamId: { id: row.team_id, _id: row.team_id, name: row.team_name },
  submittedBy:
    row.by_id === null ? null : { id: row.by_id, name: row.by_name, ...(isInside && { email: row.by_email }) },
  type: row.type,
  content: row.content,
  fileInfo:
    row.original_name === null
      ? null
      : { originalName: row.original_name, fileSize: row.size, mimeType: row.mime_type },
  metadata: { submissionNotes: isInside ? row.notes : '' },
  status: row.status,
  score: row.score,
  points: row.points,
  feedback: row.feedback,
  evaluatedBy: row.judge_id === null ? null : { id: row.judge_id, name: row.judge_name },
  createdAt: row.created_at,
  evaluatedAt: row.evaluated_at,
})

async function wholeTeams(run: Run, page: string, values: string[] = []): Promise<Row[]> {
  const [teams, members, roles] = await Promise.all([
    run(`select ${TEAM}, t.created_at as "createdAt" from (${page}) t`, values),
    run(memberRows(page), values),
    run(roleRows(page), values),
  ])
  const [membersOf, rolesOf] = [grouped(members, memberOf), grouped(roles, roleOf)]
  return teams.map((team) => ({
    ...team,
    rolesNeeded: rolesOf.get(team.id) ?? [],
    members: membersOf.get(team.id) ?? [],
  }))
}

async function cards(run: Run): Promise<Row[]> {
  const [teams, roles] = await Promise.all([
    run(`select ${CARD}, t.created_at as "createdAt" from (${teamsPage}) t`),
    run(roleRows(teamsPage)),
  ])
  const rolesOf = grouped(roles, roleOf)
  return teams.map((team) => ({ ...team, rolesNeeded: rolesOf.get(team.id) ?? [] }))
}

async function listed(name: string, rows: Promise<Row[]>, totals: Promise<Row[]>): Promise<Row> {
  const [found, [pagination]] = await Promise.all([rows, totals])
  return { [name]: found, pagination }
}

async function dashboard(run: Run, viewer: string): Promise<Row> {
  const [[user], [stats], teams, rows] = await Promise.all([
    run(`select ${USER}, created_at as "createdAt" from users where id = $1`, [viewer]),
    run(figures, [viewer]),
    wholeTeams(run, teamsOf, [viewer]),
    run(submissionRows(submissionsOf), [viewer]),
  ])
  return { dashboard: { user, stats, teams, submissions: rows.map((row) => submissionOf(row, true)) } }
}

const ranked = (rows: Row[]): Row => ({ leaderboard: rows.map((row, place) => ({ rank: place + 1, ...row })) })

/** The answers' data, by the path of the product's call. */
export const flatAnswers: Record<string, (run: Run, viewer: string) => Promise<Row>> = {
  '/api/teams/leaderboard': async (run) => ranked(await run(leaders)),
  '/api/teams': (run) => listed('teams', cards(run), run(total('teams_active'))),
  '/api/challenges': (run) =>
    listed(
      'challenges',
      run(
        `select ${CHALLENGE}, deadline, created_at as "createdAt" from challenges where is_active order by ${openFirst} limit 50`,
      ),
      run('select count(*)::int as total from challenges where is_active'),
    ),
  '/api/submissions/approved': (run) =>
    listed(
      'submissions',
      run(submissionRows(worksPage)).then((rows) => rows.map((row) => submissionOf(row, false))),
      run(total('submissions_approved')),
    ),
  '/api/users/dashboard': dashboard,
}
