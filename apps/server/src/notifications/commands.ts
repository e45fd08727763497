import { type NotificationKindName, type NotificationParams, notificationKindOf } from '@community/contract'
import { placeholders, prepared, rawQuery, type Tx } from '@community/db'
import { jobs, notificationPreferences, notifications, teamMembers, users } from '@community/db/schema'
import { type SQL, sql } from 'drizzle-orm'
import { selectPushJobs } from './push-commands.ts'

/** A notification without its recipients. */
export interface NewNotification<N extends NotificationKindName = NotificationKindName> {
  kind: N
  /** Without `person`: the database adds the subject’s name. */
  params: Omit<NotificationParams<N>, 'person'>
  /** The account that caused it, which is never notified. */
  actorId: string | null
  /** The account whose name the texts show. */
  subjectId?: string | null
  /** Each person gets only one notification with this key. */
  key?: string
  teamId?: string | null
  challengeId?: string | null
  submissionId?: string | null
  announcementId?: string | null
}

export type UnkeyedNotification<N extends NotificationKindName = NotificationKindName> = Omit<NewNotification<N>, 'key'>

/** The kind of the jobs that mail one notification; its id is their key. */
export const NOTIFICATION_MAIL_JOB = 'notification-mail'

const param = placeholders([
  ...(['kind', 'params', 'actorId', 'subjectId', 'key', 'teamId', 'challengeId', 'submissionId'] as const),
  ...(['announcementId', 'app', 'mail', 'push', 'isSafety', 'namesPerson'] as const),
])

const channelsOf = (kind: NotificationKindName) => {
  const { channels, isSafety, hasOwnMail = false, params } = notificationKindOf(kind)
  return {
    ...channels,
    mail: hasOwnMail ? 'off' : channels.mail,
    isSafety: isSafety && !hasOwnMail,
    namesPerson: 'person' in params.shape,
  }
}

const DEFAULT_VALUES = {
  subjectId: null,
  key: null,
  teamId: null,
  challengeId: null,
  submissionId: null,
  announcementId: null,
}

/** Returns the parameters of a statement with `insertFor`: the notification, and the default channels of its kind. */
export const valuesOf = ({ params, ...about }: NewNotification) => ({
  ...DEFAULT_VALUES,
  ...about,
  params: JSON.stringify(params),
  ...channelsOf(about.kind),
})

// A subquery is evaluated once, not for each person.
const paramsWithPerson = sql`(select ${param.params}::text::jsonb || case when ${param.namesPerson}::boolean
  then jsonb_build_object('person', (select name from ${users} where id = ${param.subjectId}::uuid)) else '{}' end)`

/**
 * Inserts a notification for each person of `recipients`, a relation with `user_id`, except the actor, banned accounts and those who
 * turned off every channel. With `isPerTeam`, `recipients` also has the `params` (text) and the `team_id` of each notification. For
 * notifications with a key, append `on conflict do nothing`; others save the look-up, a tenth of an insert.
 */
export const insertFor = (recipients: SQL, { isPerTeam = false } = {}): SQL => sql`
  insert into ${notifications} (user_id, kind, params, key, subject_id, team_id, challenge_id, submission_id, announcement_id,
    is_in_app, mail, push)
  select wanted.user_id, ${param.kind}::text, ${isPerTeam ? sql`wanted.params::jsonb` : paramsWithPerson},
    ${param.key}::text, ${param.subjectId}::uuid, ${isPerTeam ? sql`wanted.team_id` : sql`${param.teamId}::uuid`}, ${param.challengeId}::uuid, ${param.submissionId}::uuid,
    ${param.announcementId}::uuid, wanted.app, wanted.mail, wanted.push
  from (
    select recipient.user_id, coalesce(preference.app, ${param.app}::boolean) as app,
      case when ${param.isSafety}::boolean then 'instant' when ${param.mail}::text = 'off' then 'off'
        else coalesce(preference.mail, ${param.mail}::text) end as mail,
      coalesce(preference.push, ${param.push}::boolean) as push
      ${isPerTeam ? sql`, recipient.params, recipient.team_id` : sql``}
    from ${recipients} as recipient
    join ${users} on ${users.id} = recipient.user_id and not ${users.isBanned}
    left join ${notificationPreferences} preference
      on preference.user_id = recipient.user_id and preference.kind = ${param.kind}::text
    where recipient.user_id is distinct from ${param.actorId}::uuid
  ) as wanted
  where wanted.app or wanted.push or wanted.mail <> 'off'`

/** Inserts the jobs of instant mails and push messages for the rows of a relation `added`, which `insertFor` returned. */
export const insertJobs = sql`
  insert into ${jobs} (kind, key, payload)
  select ${sql.raw(`'${NOTIFICATION_MAIL_JOB}'`)}, id::text, '' from added where mail = 'instant'
  union all ${selectPushJobs}`

/** The statement that inserts notifications and the jobs of their instant mails and push messages. */
const insertWithJobs = (recipients: SQL, { isPerTeam = false } = {}): SQL =>
  sql`with added as (${insertFor(recipients, { isPerTeam })} returning id, user_id, mail, push) ${insertJobs}`

const insertForPerson = prepared(
  'notifications.insert-for-person',
  rawQuery(insertWithJobs(sql`(select ${sql.placeholder('userId')}::uuid as user_id)`)),
)
const insertForTeam = prepared(
  'notifications.insert-for-team',
  rawQuery(
    insertWithJobs(sql`(select user_id from ${teamMembers} where team_id = ${sql.placeholder('membersOf')}::uuid)`),
  ),
)

const membersOfTeams = sql`(
  select member.user_id, team.params, member.team_id
  from unnest(${sql.placeholder('teamIds')}::uuid[], ${sql.placeholder('paramsOfTeams')}::text[]) as team (id, params)
  join ${teamMembers} member on member.team_id = team.id)`
const insertForTeams = prepared(
  'notifications.insert-for-teams',
  rawQuery(insertWithJobs(membersOfTeams, { isPerTeam: true })),
)

/** Writes a notification for a person, in the transaction of its cause. */
export async function insertNotification(tx: Tx, userId: string, about: UnkeyedNotification): Promise<void> {
  await insertForPerson(tx, { ...valuesOf(about), userId })
}

/** Writes a notification for the current members of a locked team. */
export async function insertTeamNotifications(tx: Tx, teamId: string, about: UnkeyedNotification): Promise<void> {
  await insertForTeam(tx, { ...valuesOf({ ...about, teamId }), membersOf: teamId })
}

/** Writes a notification for the current members of each locked team, in one statement. Its kind must not name a person. */
export async function insertNotificationsOfTeams<N extends NotificationKindName>(
  tx: Tx,
  paramsByTeam: (NotificationParams<N> & { teamId: string })[],
  about: Omit<UnkeyedNotification<N>, 'params' | 'teamId'>,
): Promise<void> {
  await insertForTeams(tx, {
    ...valuesOf({ ...about, params: {} }),
    teamIds: paramsByTeam.map(({ teamId }) => teamId),
    paramsOfTeams: paramsByTeam.map((params) => JSON.stringify(params)),
  })
}
