import { challenges, roles, submissions, teamMembers, teams, uploads, users, auditLog } from '@community/db/schema'
import { type SQL, sql } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import { leaderboardCondition, leaderboardOrder } from '../teams/leaderboard-queries.ts'

interface CsvTable {
  summary: string
  /** SQL expressions by column header, in order. */
  columns: Readonly<Record<string, SQL | PgColumn>>
  from: SQL
}

/** A time in UTC, in the form that spreadsheets read as a date. */
const formatTime = (column: PgColumn) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`

const leaderboardOrderBy = sql.join(leaderboardOrder.orderBy, sql`, `)

const evaluator = alias(users, 'evaluator')

/** The tables that administrators download. New columns are added at the end. */
export const CSV_TABLES = {
  teams: {
    summary: 'Teams with their members: a row per member, and one for a team without any',
    columns: {
      team_id: teams.id,
      team: teams.name,
      description: teams.description,
      is_active: teams.isActive,
      max_members: teams.maxMembers,
      members: teams.memberCount,
      points: teams.points,
      challenges_completed: teams.challengesCompleted,
      created_at_utc: formatTime(teams.createdAt),
      member_id: teamMembers.userId,
      member: teamMembers.name,
      is_chef: teamMembers.isChef,
      role: roles.name,
      email: teamMembers.email,
      phone: teamMembers.phone,
      github: teamMembers.github,
      instagram: teamMembers.instagram,
      portfolio: teamMembers.portfolio,
      experience: teamMembers.experience,
      joined_at_utc: formatTime(teamMembers.joinedAt),
    },
    from: sql`${teams} left join ${teamMembers} on ${teamMembers.teamId} = ${teams.id}
      left join ${roles} on ${roles.id} = ${teamMembers.roleId}
      order by ${teams.nameKey}, ${teamMembers.isChef} desc, ${teamMembers.joinedAt}, ${teamMembers.id}`,
  },
  submissions: {
    summary: 'Submissions with their evaluation, newest first',
    columns: {
      submission_id: submissions.id,
      challenge_id: submissions.challengeId,
      challenge: challenges.title,
      team_id: submissions.teamId,
      team: teams.name,
      submitted_by: users.name,
      submitted_by_email: users.email,
      type: submissions.type,
      content: submissions.content,
      file_name: uploads.originalName,
      notes: submissions.notes,
      status: submissions.status,
      score: submissions.score,
      points: submissions.points,
      feedback: submissions.feedback,
      evaluated_by: evaluator.name,
      evaluated_at_utc: formatTime(submissions.evaluatedAt),
      submitted_at_utc: formatTime(submissions.createdAt),
    },
    from: sql`${submissions} join ${challenges} on ${challenges.id} = ${submissions.challengeId}
      join ${teams} on ${teams.id} = ${submissions.teamId}
      left join ${users} on ${users.id} = ${submissions.submittedBy}
      left join ${uploads} on ${uploads.id} = ${submissions.uploadId}
      left join ${users} ${evaluator} on ${evaluator.id} = ${submissions.evaluatedBy}
      order by ${submissions.createdAt} desc, ${submissions.id}`,
  },
  leaderboard: {
    summary: 'Teams in the order of the leaderboard',
    columns: {
      rank: sql`row_number() over (order by ${leaderboardOrderBy})`,
      team_id: teams.id,
      team: teams.name,
      points: teams.points,
      challenges_completed: teams.challengesCompleted,
      points_reached_at_utc: formatTime(teams.pointsReachedAt),
      members: teams.memberCount,
      is_active: teams.isActive,
    },
    from: sql`${teams} where ${leaderboardCondition} order by ${leaderboardOrderBy}`,
  },
  audit: {
    summary: 'The audit log, newest first',
    columns: {
      entry_id: auditLog.uuid,
      created_at_utc: formatTime(auditLog.createdAt),
      administrator_id: auditLog.actorId,
      administrator: auditLog.actorName,
      action: auditLog.action,
      target_type: auditLog.targetType,
      target_id: auditLog.targetId,
      details: auditLog.details,
      result: auditLog.result,
      ip_address: auditLog.address,
      token: auditLog.tokenName,
      uses: auditLog.uses,
      last_used_at_utc: formatTime(auditLog.lastUsedAt),
      request_id: auditLog.requestId,
    },
    from: sql`${auditLog} order by ${auditLog.id} desc`,
  },
} satisfies Record<string, CsvTable>

export type CsvTableName = keyof typeof CSV_TABLES
/** Cast, because Object.keys returns strings. */
export const CSV_TABLE_NAMES = Object.keys(CSV_TABLES) as CsvTableName[]

/** The query of a table's rows. */
export function csvQuery({ columns, from }: CsvTable): SQL {
  const selection = Object.entries(columns).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`)
  return sql`select ${sql.join(selection, sql`, `)} from ${from}`
}
