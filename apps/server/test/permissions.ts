import type { AppContract, ErrorDefinition, appErrors } from '@community/contract'

/** Every procedure of the contract, for example `teams.update`. */
export type ProcedureName = { [D in keyof AppContract]: `${D}.${keyof AppContract[D] & string}` }[keyof AppContract]

/** Routes outside of the contract, over REST only. */
export type PlainRoute =
  | 'upload.single'
  | 'upload.profile'
  | 'upload.submission'
  | 'users.export'
  | 'admin.exportTeams'
  | 'admin.exportSubmissions'
  | 'admin.exportLeaderboard'
  | 'admin.exportAudit'
  | 'admin.exportAll'
  | 'system.health'
  | 'system.live'

/** The callers. `member` and `chef` are in team A, `otherChef` is the chef of team B; the former chef has left A. */
export const CALLERS = [
  'visitor',
  'stranger',
  'member',
  'otherChef',
  'chef',
  'formerChef',
  'banned',
  'admin',
  'adminNoPassword',
] as const
export type CallerName = (typeof CALLERS)[number]

type AppErrors = typeof appErrors
/** The names of the error catalogue. */
type AppErrorName = { [K in keyof AppErrors]: AppErrors[K] extends ErrorDefinition ? K : never }[keyof AppErrors]
/** Success, or the name of the error. */
export type Outcome = 'yes' | AppErrorName
type RoleOutcomes = Record<CallerName, Outcome>

/**
 * The target: the caller's own account, team (A; B for its chef), submission, sign-in or code; a foreign one of the same kind; a public
 * foreign one. Procedures without a target have `own` only.
 */
export const OBJECTS = ['own', 'foreign', 'public'] as const
export type ObjectName = (typeof OBJECTS)[number]
type PermissionRow = { own: RoleOutcomes } & Partial<Record<ObjectName, RoleOutcomes>>

const row = (outcome: Outcome, overrides: Partial<RoleOutcomes> = {}): RoleOutcomes => ({
  visitor: outcome,
  stranger: outcome,
  member: outcome,
  otherChef: outcome,
  chef: outcome,
  formerChef: outcome,
  // The ban ended the session of the token they still send.
  banned: outcome === 'yes' ? 'notSignedIn' : outcome,
  admin: outcome,
  adminNoPassword: outcome,
  ...overrides,
})

/** Procedures that start or end a session ignore the token. */
const TOKEN_IGNORED = row('yes', { banned: 'yes' })
const EVERYONE = row('yes')
const signedInGet = (error: Outcome): RoleOutcomes => row(error, { visitor: 'notSignedIn', banned: 'notSignedIn' })
const ALL_SIGNED_IN = signedInGet('yes')
const signedInExcept = (overrides: Partial<RoleOutcomes>): RoleOutcomes => ({ ...ALL_SIGNED_IN, ...overrides })
const ADMINS_ONLY: RoleOutcomes = { ...signedInGet('adminsOnly'), admin: 'yes', adminNoPassword: 'yes' }
const ADMINS_WITH_PASSWORD: RoleOutcomes = { ...ADMINS_ONLY, adminNoPassword: 'passwordRequired' }
const adminsGet = (error: Outcome): RoleOutcomes => ({ ...ADMINS_ONLY, admin: error, adminNoPassword: error })
const confirmedAdminsGet = (error: Outcome): RoleOutcomes => ({ ...ADMINS_WITH_PASSWORD, admin: error })
/** Procedures for chefs; administrators may also call them, with their password. */
const CHEF_OF_OWN_TEAM: RoleOutcomes = {
  ...signedInGet('chefOnly'),
  otherChef: 'yes',
  chef: 'yes',
  admin: 'yes',
  adminNoPassword: 'passwordRequired',
}
const CHEF_OF_OTHER_TEAM: RoleOutcomes = { ...CHEF_OF_OWN_TEAM, otherChef: 'chefOnly', chef: 'chefOnly' }
const withoutCurrentPassword = (base: RoleOutcomes): RoleOutcomes => ({
  ...base,
  adminNoPassword: 'currentPasswordRequired',
})
const withoutOwnPassword = (base: RoleOutcomes): RoleOutcomes => ({ ...base, adminNoPassword: 'validation' })

const CHEF_WITH_WEBHOOK: RoleOutcomes = { ...signedInGet('webhookMissing'), adminNoPassword: 'passwordRequired' }
/** Changes of a webhook of the own team, of another team, and (as `public`) of the community. */
const WEBHOOK_CHANGE: PermissionRow = {
  own: { ...CHEF_WITH_WEBHOOK, otherChef: 'yes', chef: 'yes' },
  foreign: CHEF_WITH_WEBHOOK,
  public: { ...CHEF_WITH_WEBHOOK, admin: 'yes' },
}

/** The permission matrix: one outcome per procedure, caller and target. A missing procedure does not compile. */
export const PERMISSIONS: Record<ProcedureName, PermissionRow> = {
  'auth.login': {
    own: withoutOwnPassword({ ...TOKEN_IGNORED, banned: 'banned' }),
    foreign: withoutOwnPassword(row('wrongCredentials')),
  },
  'auth.register': { own: { ...TOKEN_IGNORED, banned: 'emailRefused' }, foreign: TOKEN_IGNORED },
  'auth.verifyRegistrationOtp': { own: TOKEN_IGNORED, foreign: row('codeInvalid') },
  'auth.resendRegistrationOtp': { own: TOKEN_IGNORED, foreign: row('emailRefused') },
  'auth.sendOtp': { own: TOKEN_IGNORED, foreign: TOKEN_IGNORED },
  'auth.resendOtp': { own: TOKEN_IGNORED, foreign: TOKEN_IGNORED },
  'auth.verifyOtp': { own: { ...TOKEN_IGNORED, banned: 'codeInvalid' }, foreign: row('codeInvalid') },
  'auth.verifyGoogleOtp': { own: { ...TOKEN_IGNORED, banned: 'codeInvalid' }, foreign: row('codeInvalid') },
  'auth.logout': { own: TOKEN_IGNORED, foreign: TOKEN_IGNORED },
  'auth.refresh': { own: { ...TOKEN_IGNORED, banned: 'banned' }, foreign: row('refreshInvalid') },
  'auth.changePassword': {
    own: withoutOwnPassword(ALL_SIGNED_IN),
    foreign: withoutOwnPassword(signedInGet('wrongCurrentPassword')),
  },
  'auth.forgotPassword': { own: TOKEN_IGNORED, foreign: TOKEN_IGNORED },
  'auth.resetPassword': { own: { ...TOKEN_IGNORED, banned: 'codeInvalid' }, foreign: row('codeInvalid') },
  'auth.proofOfWork': { own: TOKEN_IGNORED },
  'auth.sessions': { own: ALL_SIGNED_IN },
  'auth.endSession': { own: ALL_SIGNED_IN, foreign: signedInGet('sessionMissing') },
  'auth.endSessions': { own: ALL_SIGNED_IN },

  'users.list': { own: ADMINS_ONLY },
  'users.dashboard': { own: ALL_SIGNED_IN },
  'users.submissions': { own: ALL_SIGNED_IN },
  'users.debug': { own: ALL_SIGNED_IN },
  'users.get': { own: ALL_SIGNED_IN, foreign: ALL_SIGNED_IN },
  'users.update': { own: ALL_SIGNED_IN, foreign: signedInGet('notYourAccount') },
  'users.remove': {
    own: withoutOwnPassword(signedInExcept({ admin: 'adminsStay' })),
    foreign: withoutOwnPassword(signedInGet('notYourAccount')),
  },
  'users.profile': { own: ALL_SIGNED_IN },
  'users.tokens': { own: ALL_SIGNED_IN },
  'users.createToken': {
    own: withoutCurrentPassword(ALL_SIGNED_IN),
    foreign: withoutCurrentPassword(signedInGet('wrongCurrentPassword')),
  },
  'users.revokeToken': { own: ALL_SIGNED_IN, foreign: signedInGet('tokenMissing') },
  'users.updateProfile': { own: ALL_SIGNED_IN },
  'users.teams': { own: ALL_SIGNED_IN, foreign: ALL_SIGNED_IN },

  'roles.list': { own: EVERYONE },
  'roles.create': { own: ADMINS_ONLY },

  'teams.list': { own: EVERYONE },
  'teams.leaderboard': { own: EVERYONE },
  'teams.pointsHistory': { own: EVERYONE },
  'teams.standings': { own: ALL_SIGNED_IN },
  'teams.get': { own: EVERYONE, foreign: EVERYONE },
  'teams.create': { own: signedInExcept({ admin: 'adminsCannotCreate', adminNoPassword: 'adminsCannotCreate' }) },
  'teams.join': {
    own: {
      ...signedInGet('alreadyMember'),
      stranger: 'yes',
      formerChef: 'yes',
      admin: 'adminsCannotJoin',
      adminNoPassword: 'adminsCannotJoin',
    },
    foreign: signedInExcept({ admin: 'adminsCannotJoin', adminNoPassword: 'adminsCannotJoin' }),
  },
  'teams.leave': {
    own: { ...signedInGet('notAMember'), member: 'yes', otherChef: 'yes', chef: 'yes' },
    foreign: signedInGet('notAMember'),
  },
  'teams.submissions': { own: EVERYONE, foreign: EVERYONE },
  'teams.update': { own: CHEF_OF_OWN_TEAM, foreign: CHEF_OF_OTHER_TEAM },
  'teams.remove': { own: CHEF_OF_OWN_TEAM, foreign: CHEF_OF_OTHER_TEAM },
  'teams.removeMember': { own: CHEF_OF_OWN_TEAM, foreign: CHEF_OF_OTHER_TEAM },
  'teams.transferOwnership': { own: CHEF_OF_OWN_TEAM, foreign: CHEF_OF_OTHER_TEAM },

  'challenges.list': { own: EVERYONE },
  'challenges.active': { own: EVERYONE },
  'challenges.byCategory': { own: EVERYONE },
  'challenges.byDifficulty': { own: EVERYONE },
  'challenges.myTeamApplications': { own: ALL_SIGNED_IN },
  'challenges.get': { own: EVERYONE },
  'challenges.applyTo': {
    own: { ...signedInGet('chefRequired'), otherChef: 'yes', chef: 'yes' },
    foreign: signedInGet('chefRequired'),
  },
  'challenges.submissions': { own: EVERYONE },
  'challenges.submit': {
    own: { ...signedInGet('teamMissing'), member: 'yes', otherChef: 'yes', chef: 'yes' },
    foreign: signedInGet('teamMissing'),
  },

  'submissions.list': { own: ADMINS_ONLY },
  'submissions.pending': { own: ADMINS_ONLY },
  'submissions.approved': { own: EVERYONE },
  'submissions.get': {
    own: {
      ...row('yes', { visitor: 'submissionMissing', stranger: 'submissionMissing', formerChef: 'submissionMissing' }),
    },
    foreign: row('submissionMissing', { banned: 'notSignedIn', admin: 'yes', adminNoPassword: 'yes' }),
    public: EVERYONE,
  },
  'submissions.evaluate': { own: adminsGet('ownTeam'), foreign: ADMINS_ONLY },
  'submissions.leaderboard': { own: EVERYONE },
  'submissions.stats': { own: EVERYONE },
  'submissions.remove': { own: ADMINS_WITH_PASSWORD, foreign: ADMINS_WITH_PASSWORD },
  'submissions.setStatus': {
    own: { ...signedInGet('submissionMissing'), member: 'submitterOnly', otherChef: 'yes', chef: 'yes' },
    foreign: signedInGet('submissionMissing'),
  },
  'submissions.resetEvaluation': { own: adminsGet('ownTeam'), foreign: ADMINS_ONLY },

  'webhooks.list': { own: ALL_SIGNED_IN },
  'webhooks.create': {
    own: { ...CHEF_OF_OWN_TEAM, admin: 'chefOnly' },
    foreign: { ...CHEF_OF_OTHER_TEAM, admin: 'chefOnly' },
    public: ADMINS_WITH_PASSWORD,
  },
  'webhooks.update': WEBHOOK_CHANGE,
  'webhooks.remove': WEBHOOK_CHANGE,
  'webhooks.rotateSecret': WEBHOOK_CHANGE,
  'webhooks.ping': WEBHOOK_CHANGE,
  'webhooks.deliveries': {
    own: { ...signedInGet('webhookMissing'), otherChef: 'yes', chef: 'yes' },
    foreign: signedInGet('webhookMissing'),
    public: { ...signedInGet('webhookMissing'), admin: 'yes', adminNoPassword: 'yes' },
  },
  'webhooks.redeliver': WEBHOOK_CHANGE,

  'admin.verifyPassword': { own: withoutOwnPassword(ADMINS_ONLY) },
  'admin.settings': { own: ADMINS_ONLY },
  'admin.setPage': { own: ADMINS_WITH_PASSWORD },
  'admin.setTeamCreation': { own: ADMINS_WITH_PASSWORD },
  'admin.listChallenges': { own: ADMINS_ONLY },
  'admin.createChallenge': { own: ADMINS_WITH_PASSWORD },
  'admin.mails': { own: ADMINS_ONLY },
  'admin.retryMail': { own: ADMINS_ONLY },
  'admin.warnings': { own: ADMINS_ONLY },
  'admin.warn': { own: confirmedAdminsGet('ownAccount'), foreign: ADMINS_WITH_PASSWORD },
  'admin.takeWarningBack': { own: adminsGet('ownAccount'), foreign: ADMINS_ONLY },
  'admin.ban': { own: confirmedAdminsGet('ownAccount'), foreign: ADMINS_WITH_PASSWORD },
  'admin.unban': { own: confirmedAdminsGet('ownAccount'), foreign: ADMINS_WITH_PASSWORD },
  'admin.deleteUser': { own: confirmedAdminsGet('ownAccount'), foreign: ADMINS_WITH_PASSWORD },
  'admin.setRole': { own: confirmedAdminsGet('ownAccount'), foreign: ADMINS_WITH_PASSWORD },
  'admin.blacklist': { own: ADMINS_ONLY },
  'admin.addToBlacklist': { own: adminsGet('ownAccount'), foreign: ADMINS_ONLY },
  'admin.removeFromBlacklist': { own: ADMINS_ONLY },
  'admin.stats': { own: ADMINS_ONLY },
  'admin.audit': { own: ADMINS_ONLY },
  'admin.deleteTeam': { own: ADMINS_WITH_PASSWORD, foreign: ADMINS_WITH_PASSWORD },
  'admin.removeTeamMember': { own: confirmedAdminsGet('ownAccount'), foreign: ADMINS_WITH_PASSWORD },
  'admin.renameTeam': { own: ADMINS_WITH_PASSWORD, foreign: ADMINS_WITH_PASSWORD },
  'admin.activateTeam': { own: ADMINS_ONLY, foreign: ADMINS_ONLY },
  'admin.deactivateTeam': { own: ADMINS_ONLY, foreign: ADMINS_ONLY },
  'admin.cleanupTeams': { own: ADMINS_ONLY },
  'admin.updateChallenge': { own: ADMINS_WITH_PASSWORD },
  'admin.deleteChallenge': { own: ADMINS_WITH_PASSWORD },
  'admin.activateChallenge': { own: ADMINS_WITH_PASSWORD },
  'admin.deactivateChallenge': { own: ADMINS_WITH_PASSWORD },

  'system.settings': { own: EVERYONE },
  'system.page': { own: EVERYONE },
}

export const PLAIN_PERMISSIONS: Record<PlainRoute, PermissionRow> = {
  'upload.single': { own: ALL_SIGNED_IN },
  'upload.profile': { own: ALL_SIGNED_IN },
  'upload.submission': { own: ALL_SIGNED_IN },
  'users.export': { own: ALL_SIGNED_IN },
  'admin.exportTeams': { own: ADMINS_ONLY },
  'admin.exportSubmissions': { own: ADMINS_ONLY },
  'admin.exportLeaderboard': { own: ADMINS_ONLY },
  'admin.exportAudit': { own: ADMINS_ONLY },
  'admin.exportAll': { own: ADMINS_WITH_PASSWORD },
  // Monitoring has no token; invalid ones are ignored.
  'system.health': { own: TOKEN_IGNORED },
  'system.live': { own: TOKEN_IGNORED },
}
