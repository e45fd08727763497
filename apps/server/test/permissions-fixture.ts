import type { Challenge, Team } from '@community/contract'
import { inTransaction } from '@community/db'
import { PASSWORD, uniqueEmail, VAPID_KEYS } from '@community/testing'
import { rolesOf } from '@community/testing/database/rows'
import { issueCode } from '../src/auth/codes.ts'
import { createPreferencesUrl } from '../src/notifications/preferences-link.ts'
import { expectInvariants } from '@community/testing/database/invariants'
import { type DatabaseSnapshot, snapshotDatabase } from './database-snapshot.ts'
import type { CallerName } from './permissions-outcomes.ts'
import {
  type PermissionCaller,
  createDeadMail,
  createAnnouncement,
  createNotification,
  createOtherSession,
  createPersonalToken,
  createWebhook,
  issueCodes,
  type WebhookTarget,
} from './permissions-rows.ts'
import { dataOf, openTestServer, type TestUser, type TestServer } from './test-server.ts'

export interface FixtureTeam {
  id: string
  name: string
  /** A member who is neither the chef nor a caller. */
  buddy: TestUser
  webhook: WebhookTarget
  /** The ids of the team's submissions by status. */
  pending: string
  approved: string
  rejected: string
}

export interface PermissionFixture {
  server: TestServer
  database: DatabaseSnapshot
  callers: Record<CallerName, PermissionCaller>
  teams: { A: FixtureTeam; B: FixtureTeam }
  /** An administrator who is not a caller. */
  otherAdmin: TestUser
  /** Open, without applications. */
  challenge: Challenge
  /** With an approved submission of each team. */
  judgedChallenge: Challenge
  warnings: { own: string; foreign: string }
  blacklistEntryId: string
  communityWebhook: WebhookTarget
  deadMailId: string
  importId: string
  announcementId: string
  /** The token of the preferences link in a mail to the chef. */
  linkToken: string
  /** Two pending registrations. */
  registrations: { email: string; otp: string }[]
  roleId: string
  close(): Promise<void>
}

const LINK_WORK = { type: 'link', content: 'https://github.com/atlas-lions/app' } as const

/** Creates a submission of each status, for three challenges because a team can submit once per challenge. */
async function submitWorks(
  server: TestServer,
  otherAdmin: TestUser,
  challenges: Challenge[],
  team: Team,
  by: TestUser,
) {
  const apply = async ({ id }: Challenge, applicationNotes: string): Promise<string> =>
    (await dataOf(server.rest(by)(`POST /challenges/${id}/apply`, { teamId: team.id, ...LINK_WORK, applicationNotes })))
      .submission.id
  const judge = (id: string, verdict: object) =>
    dataOf(server.rest(otherAdmin)(`POST /submissions/${id}/evaluate`, verdict))
  const [first, second, third] = challenges as [Challenge, Challenge, Challenge]
  const work = {
    pending: await apply(first, `Notes of ${team.name}, pending`),
    approved: await apply(second, `Notes of ${team.name}, approved`),
    rejected: await apply(third, `Notes of ${team.name}, rejected`),
  }
  await judge(work.approved, { status: 'approved', score: 80, feedback: `Praise for ${team.name}` })
  await judge(work.rejected, { status: 'rejected', feedback: `Blame for ${team.name}` })
  return work
}

/**
 * Opens a server in a consistent state, in which every caller can call every procedure on own and foreign targets, with a database
 * snapshot to restore it.
 */
export async function openPermissionFixture(): Promise<PermissionFixture> {
  const server = await openTestServer(VAPID_KEYS)
  const otherAdmin = await server.createAdmin()
  const password = PASSWORD
  const createMember = (name: string) => server.createMember(name)
  // One after the other, because lists and the document's examples show them in this order.
  const visitor = await createMember('Nadia Visitor')
  const stranger = await createMember('Samir Stranger')
  const member = await createMember('Mina Member')
  const otherChef = await createMember('Omar Otherchef')
  const chef = await createMember('Chafik Chef')
  const formerChef = await createMember('Fatima Formerchef')
  const banned = await createMember('Badr Banned')
  const buddyA = await createMember('Bouchra Buddy')
  const buddyB = await createMember('Brahim Buddy')
  const promoted = await createMember('Aicha Administrator')
  const teamFields = { maxMembers: 11, description: 'What only signed-in people read of it' }
  const [a, b] = [await server.createTeam(formerChef, teamFields), await server.createTeam(otherChef, teamFields)]
  for (const user of [chef, member, buddyA, banned, promoted]) await dataOf(server.join(a, user))
  await dataOf(server.join(b, buddyB))

  const challenges: Challenge[] = []
  for (let count = 0; count < 3; count++) challenges.push(await server.createChallenge(otherAdmin))
  // The second one is where `submitWorks` has a submission approved.
  const judgedChallenge = challenges[1] as Challenge
  const works = {
    A: await submitWorks(server, otherAdmin, challenges, a, formerChef),
    B: await submitWorks(server, otherAdmin, challenges, b, otherChef),
  }
  await dataOf(server.rest(formerChef)(`POST /teams/${a.id}/transfer-ownership`, { newOwnerId: chef.id }))
  await dataOf(server.rest(formerChef)(`POST /teams/${a.id}/leave`))
  await dataOf(server.rest(promoted)(`POST /teams/${a.id}/leave`))
  // Without members, for admin.cleanupTeams.
  const abandoned = await server.createTeam(promoted, teamFields)
  await dataOf(server.rest(promoted)(`POST /teams/${abandoned.id}/leave`))

  const warn = async (user: TestUser): Promise<string> =>
    (
      await dataOf(
        server.rest(otherAdmin)('POST /admin/warnings', {
          userId: user.id,
          reason: `Warning to ${user.name}`,
          password,
        }),
      )
    ).warning.id
  const warnings = { own: await warn(promoted), foreign: await warn(buddyB) }
  const blacklisted = await dataOf(
    server.rest(otherAdmin)('POST /admin/blacklist', { email: uniqueEmail(), reason: 'Sold links' }),
  )
  await dataOf(
    server.rest(otherAdmin)('POST /admin/ban', { userId: banned.id, reason: 'Spam in every team', password }),
  )
  await dataOf(server.rest(otherAdmin)(`PUT /admin/users/${promoted.id}/role`, { role: 'admin', password }))
  const signedIn = await dataOf(server.rest()('POST /auth/login', { email: promoted.email, password }))
  const admin: TestUser = { ...promoted, token: signedIn.token, refreshToken: signedIn.refreshToken }
  await server.stopWorker()
  await dataOf(server.rest()('POST /auth/forgot-password', { email: chef.email }))
  const deadMailId = await createDeadMail(server)
  await server.sql`delete from codes`

  const callerOf = async (person: TestUser): Promise<PermissionCaller> => ({
    ...person,
    otherSession: await createOtherSession(server, person),
    personalToken: await createPersonalToken(server, person),
    notification: await createNotification(server, person),
    otp: await issueCodes(server, person),
  })
  const bannedFamily = await server.sql<{ id: string }[]>`select id from refresh_families where user_id = ${banned.id}`
  const administrator = await callerOf(admin)
  const callers: PermissionFixture['callers'] = {
    visitor: await callerOf(visitor),
    stranger: await callerOf(stranger),
    member: await callerOf(member),
    otherChef: await callerOf(otherChef),
    chef: await callerOf(chef),
    formerChef: await callerOf(formerChef),
    banned: {
      ...banned,
      otherSession: bannedFamily[0]?.id ?? '',
      personalToken: administrator.personalToken,
      notification: administrator.notification,
      otp: { signIn: '123456', reset: '123456', external: '123456' },
    },
    admin: administrator,
    adminNoPassword: administrator,
  }
  await server.sql`
    insert into push_subscriptions (family_id, user_id, endpoint, p256dh, auth)
    select f.id, u.id, 'https://push.example/' || lower(replace(u.name, ' ', '-')) || '/'
      || row_number() over (partition by u.id order by f.created_at), 'key', 'secret'
    from refresh_families f join users u on u.id = f.user_id where f.revoked_at is null`
  await server.sql`insert into mail_bounces (user_id, email, failures, paused_at) select id, email, 3, now() from users`
  const registrations: PermissionFixture['registrations'] = []
  for (const email of [uniqueEmail(), uniqueEmail()]) {
    const otp = await inTransaction(server.db, (tx) => issueCode(tx, server.deps, { purpose: 'registration', email }))
    registrations.push({ email, otp: otp ?? '' })
  }
  // Mailed five minutes ago, and valid while the fixture is used.
  await server.clock.age('codes', 'sent_at', 300)
  await server.clock.expireIn(3600, 'codes')
  const challenge = await server.createChallenge(otherAdmin)
  await server.sql`delete from jobs where status <> 'dead'`
  await server.sql`delete from rate_limits`
  await expectInvariants(server.db)

  const [role] = await rolesOf(server.db)
  const teamOf = async (team: Team, buddy: TestUser, work: (typeof works)['A']): Promise<FixtureTeam> => ({
    ...team,
    buddy,
    ...work,
    webhook: await createWebhook(server, team.id),
  })
  for (const { id } of [a, b])
    await server.sql`insert into challenge_reminders (challenge_id, team_id) values (${judgedChallenge.id}, ${id})`
  const preferencesUrl = createPreferencesUrl(server.deps, { userId: chef.id, email: chef.email })
  const announcementId = await createAnnouncement(server)
  const [archiveImport] = await server.sql<{ id: string }[]>`
    insert into archive_imports (file_name, size) values ('archive.zip', 9) returning id`
  const communityWebhook = await createWebhook(server, null)
  const teams = { A: await teamOf(a, buddyA, works.A), B: await teamOf(b, buddyB, works.B) }
  return {
    server,
    database: await snapshotDatabase(server),
    callers,
    teams,
    otherAdmin,
    challenge,
    judgedChallenge,
    warnings,
    blacklistEntryId: blacklisted.entry.id,
    communityWebhook,
    deadMailId,
    importId: archiveImport?.id ?? '',
    announcementId,
    linkToken: preferencesUrl.slice(preferencesUrl.lastIndexOf('-preferences-') + '-preferences-'.length),
    registrations,
    roleId: role.id,
    close: () => server.close(),
  }
}
