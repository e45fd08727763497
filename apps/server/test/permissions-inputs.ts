import { type InputOf, PASSWORD, uniqueEmail, uniqueName, validInputOf } from '@community/testing'
import type { CallerName, ProcedureName, ObjectName } from './permissions-outcomes.ts'
import { routeOf } from './permissions-routes.ts'
import type { PermissionFixture, FixtureTeam } from './permissions-fixture.ts'
import type { PermissionCaller } from './permissions-rows.ts'
import type { TestUser } from './test-server.ts'

/** A cell of the matrix: caller and target. */
export interface PermissionCase {
  fixture: PermissionFixture
  role: CallerName
  caller: PermissionCaller
  isOwn: boolean
  object: ObjectName
  /** The target account. */
  account: TestUser
  team: FixtureTeam
}

export function permissionCase(fixture: PermissionFixture, role: CallerName, object: ObjectName): PermissionCase {
  const isOwn = object === 'own'
  const caller = fixture.callers[role]
  const isOfA = role !== 'otherChef'
  const team = isOwn === isOfA ? fixture.teams.A : fixture.teams.B
  return { fixture, role, caller, isOwn, object, team, account: isOwn ? caller : fixture.teams.B.buddy }
}

const webhookOf = ({ fixture, team, object }: PermissionCase) =>
  object === 'public' ? fixture.communityWebhook : team.webhook

/** The `id` of paths such as `/teams/{id}` unless INPUT_FIELDS has another. */
const DEFAULT_ID: Record<string, (testCase: PermissionCase) => string> = {
  users: ({ account }) => account.id,
  teams: ({ team }) => team.id,
  challenges: ({ fixture }) => fixture.challenge.id,
  webhooks: (testCase) => webhookOf(testCase).id,
}

/** Fields whose values depend on the fixture: existing ids, addresses, mailed codes. */
const INPUT_FIELDS: { [N in ProcedureName]?: (testCase: PermissionCase) => Partial<InputOf<N>> & object } = {
  'auth.login': ({ isOwn, account }) => ({ email: account.email, ...(!isOwn && { password: 'Not-Theirs-2026' }) }),
  'auth.register': ({ isOwn, caller }) => ({ email: isOwn ? caller.email : uniqueEmail() }),
  'auth.verifyRegistrationOtp': ({ fixture, isOwn }) => ({
    email: fixture.registrations[isOwn ? 0 : 1]?.email ?? '',
    otp: fixture.registrations[0]?.otp ?? '',
  }),
  'auth.resendRegistrationOtp': ({ fixture, isOwn }) => ({
    email: isOwn ? (fixture.registrations[0]?.email ?? '') : fixture.callers.banned.email,
  }),
  'auth.sendOtp': ({ account }) => ({ email: account.email }),
  'auth.resendOtp': ({ account }) => ({ email: account.email }),
  'auth.verifyOtp': ({ account, caller }) => ({ email: account.email, otp: caller.otp.signIn }),
  'auth.verifyGoogleOtp': ({ caller }) => ({ email: caller.email, otp: caller.otp.external }),
  'auth.logout': ({ isOwn, caller }) => ({ refreshToken: isOwn ? caller.refreshToken : 'x'.repeat(43) }),
  'auth.refresh': ({ isOwn, caller }) => (isOwn ? { refreshToken: caller.refreshToken } : {}),
  'auth.changePassword': ({ isOwn }) => (isOwn ? {} : { currentPassword: 'Not-Theirs-2026' }),
  'auth.forgotPassword': ({ isOwn, caller }) => ({ email: isOwn ? caller.email : uniqueEmail() }),
  'auth.resetPassword': ({ account, caller }) => ({
    email: account.email,
    otp: caller.otp.reset,
    password: 'Marrakech-2027',
    confirmPassword: 'Marrakech-2027',
  }),
  'auth.endSession': ({ isOwn, caller, fixture }) => ({
    id: isOwn ? caller.otherSession : fixture.callers.visitor.otherSession,
  }),

  'users.update': () => ({ bio: 'Changed' }),
  'users.updateProfile': () => ({ bio: 'Changed' }),
  'users.createToken': ({ isOwn }) => ({ currentPassword: isOwn ? PASSWORD : 'Not-Theirs-2026' }),
  'users.revokeToken': ({ isOwn, caller, fixture }) => ({
    id: isOwn ? caller.personalToken : fixture.callers.visitor.personalToken,
  }),

  'teams.pointsHistory': ({ fixture }) => ({ ids: [fixture.teams.A.id] }),
  'teams.create': ({ fixture }) => ({ rolesNeeded: [{ id: fixture.roleId }] }),
  'teams.join': ({ fixture }) => ({ role: { id: fixture.roleId } }),
  'teams.update': () => ({ name: uniqueName() }),
  'teams.removeMember': ({ team }) => ({ userId: team.buddy.id }),
  'teams.transferOwnership': ({ team }) => ({ newOwnerId: team.buddy.id }),

  'challenges.applyTo': ({ team }) => ({ teamId: team.id }),
  'challenges.submissions': ({ fixture }) => ({ id: fixture.judgedChallenge.id }),
  'challenges.remind': ({ team }) => ({ teamId: team.id }),
  'challenges.stopReminding': ({ fixture, team }) => ({ id: fixture.judgedChallenge.id, teamId: team.id }),
  'challenges.submit': ({ team }) => ({ teamName: team.name }),

  'submissions.get': ({ team, object }) => ({ id: object === 'public' ? team.approved : team.pending }),
  'submissions.evaluate': ({ team }) => ({ id: team.pending }),
  'submissions.remove': ({ team }) => ({ id: team.approved }),
  'submissions.setStatus': ({ team }) => ({ id: team.rejected }),
  'submissions.resetEvaluation': ({ team }) => ({ id: team.approved }),

  'webhooks.create': ({ team, object }) => (object === 'public' ? {} : { teamId: team.id }),
  'webhooks.redeliver': (testCase) => ({ deliveryId: webhookOf(testCase).deliveryId }),

  'notifications.read': ({ isOwn, caller, fixture }) => ({
    ids: [isOwn ? caller.notification : fixture.callers.visitor.notification],
  }),

  'notifications.setPreferences': () => ({ settings: { digestHour: 9 } }),
  'notifications.linkedPreferences': ({ isOwn, fixture }) => ({ token: isOwn ? fixture.linkToken : 'forged' }),
  'notifications.setLinkedPreferences': ({ isOwn, fixture }) => ({
    token: isOwn ? fixture.linkToken : 'forged',
    settings: { digestHour: 9 },
  }),

  'admin.cancelAnnouncement': ({ fixture }) => ({ id: fixture.announcementId }),
  'admin.cancelImport': ({ fixture }) => ({ id: fixture.importId }),
  'admin.retryMail': ({ fixture }) => ({ id: fixture.deadMailId }),
  'admin.warn': ({ account }) => ({ userId: account.id }),
  'admin.takeWarningBack': ({ fixture, isOwn }) => ({ id: isOwn ? fixture.warnings.own : fixture.warnings.foreign }),
  'admin.ban': ({ account }) => ({ userId: account.id }),
  'admin.unban': ({ isOwn, caller, fixture }) => ({ userId: isOwn ? caller.id : fixture.callers.banned.id }),
  'admin.setRole': ({ isOwn }) => ({ role: isOwn ? 'member' : 'admin' }),
  'admin.addToBlacklist': ({ isOwn, caller }) => ({ email: isOwn ? caller.email : uniqueEmail() }),
  'admin.removeFromBlacklist': ({ fixture }) => ({ id: fixture.blacklistEntryId }),
  'admin.removeTeamMember': ({ team, isOwn, caller }) => ({ userId: isOwn ? caller.id : team.buddy.id }),
  'admin.renameTeam': () => ({ name: uniqueName() }),
  'admin.updateChallenge': () => ({ title: 'Another title' }),
  'admin.deleteChallenge': ({ fixture }) => ({ id: fixture.judgedChallenge.id }),
}

/**
 * A valid input of a procedure, so that a rejection is due to the caller; undefined if it takes none. `adminNoPassword` omits their own
 * password.
 */
export function inputOf(name: ProcedureName, testCase: PermissionCase): Record<string, unknown> | undefined {
  const { input, access, path } = routeOf(name)
  if (!input) return undefined
  const idOf = DEFAULT_ID[/(\w+)\/\{id\}/.exec(path)?.[1] ?? '']
  // In chef procedures only administrators must send their password.
  const givesPassword = testCase.role === 'admin' && 'password' in input.shape
  const fields = {
    ...(idOf && { id: idOf(testCase) }),
    ...(givesPassword && { password: PASSWORD }),
    ...INPUT_FIELDS[name]?.(testCase),
  }
  const sent = validInputOf(name, fields)
  if (testCase.role !== 'adminNoPassword' || (access === 'visitor' && name !== 'auth.login')) return sent
  const { password: _password, currentPassword: _currentPassword, ...rest } = sent
  return rest
}
