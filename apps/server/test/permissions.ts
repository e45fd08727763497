import type { AppContract, ErrorDefinition, appErrors } from '@community/contract'

/** Every call of the contract by its name, for example `teams.update`. */
export type CallName = { [D in keyof AppContract]: `${D}.${keyof AppContract[D] & string}` }[keyof AppContract]

/** Calls that are no JSON and so stand beside the contract, at the REST door only. */
export type PlainCall = 'upload.single' | 'upload.profile' | 'upload.submission' | 'system.health' | 'system.live'

/** Who calls. `member` and `chef` are of team A, `otherChef` is the chef of team B; the former chef has left A. */
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

type Faults = typeof appErrors
/** The contract's faults by their names there. */
export type FaultName = { [K in keyof Faults]: Faults[K] extends ErrorDefinition ? K : never }[keyof Faults]
/** Done, or the fault it is refused with. */
export type Outcome = 'yes' | FaultName
export type Row = Record<CallerName, Outcome>

/**
 * Upon what: the caller's own account, team (A; B for its chef), work, sign-in or code; a foreign one of the same kind; a foreign
 * one that everybody may see. Calls that are about nothing in particular have `own` only.
 */
export const OBJECTS = ['own', 'foreign', 'public'] as const
export type ObjectName = (typeof OBJECTS)[number]
type Cells = { own: Row } & Partial<Record<ObjectName, Row>>

const row = (all: Outcome, over: Partial<Row> = {}): Row => ({
  visitor: all,
  stranger: all,
  member: all,
  otherChef: all,
  chef: all,
  formerChef: all,
  // A ban has ended the session of the token they still send.
  banned: all === 'yes' ? 'notSignedIn' : all,
  admin: all,
  adminNoPassword: all,
  ...over,
})

/** Calls that make a session, or end it, look at no token. */
const ANYBODY = row('yes', { banned: 'yes' })
const EVERYBODY = row('yes')
const nobody = (fault: Outcome): Row => row(fault, { visitor: 'notSignedIn', banned: 'notSignedIn' })
const SIGNED_IN = nobody('yes')
const signedIn = (over: Partial<Row>): Row => ({ ...SIGNED_IN, ...over })
const ADMINS: Row = { ...nobody('adminsOnly'), admin: 'yes', adminNoPassword: 'yes' }
/** The password stands in the body, or the input is not valid. */
const CONFIRMED: Row = { ...ADMINS, adminNoPassword: 'validation' }
const admins = (fault: Outcome): Row => ({ ...ADMINS, admin: fault, adminNoPassword: fault })
const confirmed = (fault: Outcome): Row => ({ ...CONFIRMED, admin: fault })
/** The chef's calls: an administrator's too, with their password, which nobody else has to send. */
const CHEF_OF_IT: Row = {
  ...nobody('chefOnly'),
  otherChef: 'yes',
  chef: 'yes',
  admin: 'yes',
  adminNoPassword: 'passwordRequired',
}
const CHEF_OF_ANOTHER: Row = { ...CHEF_OF_IT, otherChef: 'chefOnly', chef: 'chefOnly' }
const withoutOwnPassword = (base: Row): Row => ({ ...base, adminNoPassword: 'validation' })

/** Who may do what: one outcome for every call, caller and object. A call that is missing here does not compile. */
export const PERMISSIONS: Record<CallName, Cells> = {
  'auth.login': {
    own: withoutOwnPassword({ ...ANYBODY, banned: 'banned' }),
    foreign: withoutOwnPassword(row('wrongCredentials')),
  },
  'auth.register': { own: { ...ANYBODY, banned: 'emailRefused' }, foreign: ANYBODY },
  'auth.verifyRegistrationOtp': { own: ANYBODY, foreign: row('codeInvalid') },
  'auth.resendRegistrationOtp': { own: ANYBODY, foreign: row('emailRefused') },
  'auth.sendOtp': { own: ANYBODY, foreign: ANYBODY },
  'auth.resendOtp': { own: ANYBODY, foreign: ANYBODY },
  'auth.verifyOtp': { own: { ...ANYBODY, banned: 'codeInvalid' }, foreign: row('codeInvalid') },
  'auth.verifyGoogleOtp': { own: { ...ANYBODY, banned: 'codeInvalid' }, foreign: row('codeInvalid') },
  'auth.logout': { own: ANYBODY, foreign: ANYBODY },
  'auth.refresh': { own: { ...ANYBODY, banned: 'banned' }, foreign: row('refreshInvalid') },
  'auth.changePassword': {
    own: withoutOwnPassword(SIGNED_IN),
    foreign: withoutOwnPassword(nobody('wrongCurrentPassword')),
  },
  'auth.forgotPassword': { own: ANYBODY, foreign: ANYBODY },
  'auth.resetPassword': { own: { ...ANYBODY, banned: 'codeInvalid' }, foreign: row('codeInvalid') },
  'auth.proofOfWork': { own: ANYBODY },
  'auth.sessions': { own: SIGNED_IN },
  'auth.endSession': { own: SIGNED_IN, foreign: nobody('sessionMissing') },
  'auth.endSessions': { own: SIGNED_IN },

  'users.list': { own: ADMINS },
  'users.dashboard': { own: SIGNED_IN },
  'users.submissions': { own: SIGNED_IN },
  'users.debug': { own: SIGNED_IN },
  'users.get': { own: SIGNED_IN, foreign: SIGNED_IN },
  'users.update': { own: SIGNED_IN, foreign: nobody('notYourAccount') },
  'users.remove': {
    own: withoutOwnPassword(signedIn({ admin: 'adminsStay' })),
    foreign: withoutOwnPassword(nobody('notYourAccount')),
  },
  'users.profile': { own: SIGNED_IN },
  'users.updateProfile': { own: SIGNED_IN },
  'users.teams': { own: SIGNED_IN, foreign: SIGNED_IN },

  'roles.list': { own: EVERYBODY },
  'roles.create': { own: ADMINS },

  'teams.list': { own: EVERYBODY },
  'teams.leaderboard': { own: EVERYBODY },
  'teams.pointsHistory': { own: EVERYBODY },
  'teams.standings': { own: SIGNED_IN },
  'teams.get': { own: EVERYBODY, foreign: EVERYBODY },
  'teams.create': { own: signedIn({ admin: 'adminsCannotCreate', adminNoPassword: 'adminsCannotCreate' }) },
  'teams.join': {
    own: {
      ...nobody('alreadyMember'),
      stranger: 'yes',
      formerChef: 'yes',
      admin: 'adminsCannotJoin',
      adminNoPassword: 'adminsCannotJoin',
    },
    foreign: signedIn({ admin: 'adminsCannotJoin', adminNoPassword: 'adminsCannotJoin' }),
  },
  'teams.leave': {
    own: { ...nobody('notAMember'), member: 'yes', otherChef: 'yes', chef: 'yes' },
    foreign: nobody('notAMember'),
  },
  'teams.submissions': { own: EVERYBODY, foreign: EVERYBODY },
  'teams.update': { own: CHEF_OF_IT, foreign: CHEF_OF_ANOTHER },
  'teams.remove': { own: CHEF_OF_IT, foreign: CHEF_OF_ANOTHER },
  'teams.removeMember': { own: CHEF_OF_IT, foreign: CHEF_OF_ANOTHER },
  'teams.transferOwnership': { own: CHEF_OF_IT, foreign: CHEF_OF_ANOTHER },

  'challenges.list': { own: EVERYBODY },
  'challenges.active': { own: EVERYBODY },
  'challenges.byCategory': { own: EVERYBODY },
  'challenges.byDifficulty': { own: EVERYBODY },
  'challenges.myTeamApplications': { own: SIGNED_IN },
  'challenges.get': { own: EVERYBODY },
  'challenges.applyTo': {
    own: { ...nobody('chefRequired'), otherChef: 'yes', chef: 'yes' },
    foreign: nobody('chefRequired'),
  },
  'challenges.submissions': { own: EVERYBODY },
  'challenges.submit': {
    own: { ...nobody('teamMissing'), member: 'yes', otherChef: 'yes', chef: 'yes' },
    foreign: nobody('teamMissing'),
  },

  'submissions.list': { own: ADMINS },
  'submissions.pending': { own: ADMINS },
  'submissions.approved': { own: EVERYBODY },
  'submissions.get': {
    own: {
      ...row('yes', { visitor: 'submissionMissing', stranger: 'submissionMissing', formerChef: 'submissionMissing' }),
    },
    foreign: row('submissionMissing', { banned: 'notSignedIn', admin: 'yes', adminNoPassword: 'yes' }),
    public: EVERYBODY,
  },
  'submissions.evaluate': { own: admins('ownTeam'), foreign: ADMINS },
  'submissions.leaderboard': { own: EVERYBODY },
  'submissions.stats': { own: EVERYBODY },
  'submissions.remove': { own: CONFIRMED, foreign: CONFIRMED },
  'submissions.setStatus': {
    own: { ...nobody('submissionMissing'), member: 'submitterOnly', otherChef: 'yes', chef: 'yes' },
    foreign: nobody('submissionMissing'),
  },
  'submissions.resetEvaluation': { own: admins('ownTeam'), foreign: ADMINS },

  'admin.verifyPassword': { own: CONFIRMED },
  'admin.settings': { own: ADMINS },
  'admin.setTeamCreation': { own: CONFIRMED },
  'admin.listChallenges': { own: ADMINS },
  'admin.createChallenge': { own: CONFIRMED },
  'admin.mails': { own: ADMINS },
  'admin.retryMail': { own: ADMINS },
  'admin.warnings': { own: ADMINS },
  'admin.warn': { own: confirmed('ownAccount'), foreign: CONFIRMED },
  'admin.takeWarningBack': { own: admins('ownAccount'), foreign: ADMINS },
  'admin.ban': { own: confirmed('ownAccount'), foreign: CONFIRMED },
  'admin.unban': { own: confirmed('ownAccount'), foreign: CONFIRMED },
  'admin.deleteUser': { own: confirmed('ownAccount'), foreign: CONFIRMED },
  'admin.setRole': { own: confirmed('ownAccount'), foreign: CONFIRMED },
  'admin.blacklist': { own: ADMINS },
  'admin.addToBlacklist': { own: admins('ownAccount'), foreign: ADMINS },
  'admin.removeFromBlacklist': { own: ADMINS },
  'admin.stats': { own: ADMINS },
  'admin.audit': { own: ADMINS },
  'admin.deleteTeam': { own: CONFIRMED, foreign: CONFIRMED },
  'admin.removeTeamMember': { own: confirmed('ownAccount'), foreign: CONFIRMED },
  'admin.renameTeam': { own: CONFIRMED, foreign: CONFIRMED },
  'admin.activateTeam': { own: ADMINS, foreign: ADMINS },
  'admin.deactivateTeam': { own: ADMINS, foreign: ADMINS },
  'admin.cleanupTeams': { own: ADMINS },
  'admin.updateChallenge': { own: CONFIRMED },
  'admin.deleteChallenge': { own: CONFIRMED },
  'admin.activateChallenge': { own: CONFIRMED },
  'admin.deactivateChallenge': { own: CONFIRMED },

  'system.settings': { own: EVERYBODY },
}

export const PLAIN_PERMISSIONS: Record<PlainCall, Cells> = {
  'upload.single': { own: SIGNED_IN },
  'upload.profile': { own: SIGNED_IN },
  'upload.submission': { own: SIGNED_IN },
  // Whoever watches the service has no token; one that counts no more is not looked at.
  'system.health': { own: ANYBODY },
  'system.live': { own: ANYBODY },
}
