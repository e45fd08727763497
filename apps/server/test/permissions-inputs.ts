import { type InputOf, PASSWORD, uniqueEmail, uniqueName, validInputOf } from '@community/testing'
import type { CallerName, CallName, ObjectName } from './permissions.ts'
import { routeOf } from './permissions-routes.ts'
import type { Caller, Situation, TeamOfTwo } from './permissions-situation.ts'
import type { Person } from './world.ts'

/** One cell's facts: who calls, upon what. */
export interface Place {
  s: Situation
  who: CallerName
  me: Caller
  isOwn: boolean
  object: ObjectName
  /** The account it is about. */
  account: Person
  team: TeamOfTwo
}

export function placeOf(s: Situation, who: CallerName, object: ObjectName): Place {
  const isOwn = object === 'own'
  const me = s.people[who]
  const isOfA = who !== 'otherChef'
  const team = isOwn === isOfA ? s.teams.A : s.teams.B
  return { s, who, me, isOwn, object, team, account: isOwn ? me : s.teams.B.buddy }
}

/** What `id` names in a domain's procedures where CHOSEN does not say otherwise. */
const ID_OF: Record<string, (place: Place) => string> = {
  users: ({ account }) => account.id,
  teams: ({ team }) => team.id,
  challenges: ({ s }) => s.challenge.id,
}

/** What the schema cannot tell: ids that must exist, whose address it is, which code was mailed. */
const CHOSEN: { [N in CallName]?: (place: Place) => Partial<InputOf<N>> & object } = {
  'auth.login': ({ isOwn, account }) => ({ email: account.email, ...(!isOwn && { password: 'Not-Theirs-2026' }) }),
  'auth.register': ({ isOwn, me }) => ({ email: isOwn ? me.email : uniqueEmail() }),
  'auth.verifyRegistrationOtp': ({ s, isOwn }) => ({
    email: s.newcomers[isOwn ? 0 : 1]?.email ?? '',
    otp: s.newcomers[0]?.otp ?? '',
  }),
  'auth.resendRegistrationOtp': ({ s, isOwn }) => ({
    email: isOwn ? (s.newcomers[0]?.email ?? '') : s.people.banned.email,
  }),
  'auth.sendOtp': ({ account }) => ({ email: account.email }),
  'auth.resendOtp': ({ account }) => ({ email: account.email }),
  'auth.verifyOtp': ({ account, me }) => ({ email: account.email, otp: me.otp.signIn }),
  'auth.verifyGoogleOtp': ({ me }) => ({ email: me.email, otp: me.otp.external }),
  'auth.logout': ({ isOwn, me }) => ({ refreshToken: isOwn ? me.refreshToken : 'x'.repeat(43) }),
  'auth.refresh': ({ isOwn, me }) => (isOwn ? { refreshToken: me.refreshToken } : {}),
  'auth.changePassword': ({ isOwn }) => (isOwn ? {} : { currentPassword: 'Not-Theirs-2026' }),
  'auth.forgotPassword': ({ isOwn, me }) => ({ email: isOwn ? me.email : uniqueEmail() }),
  'auth.resetPassword': ({ account, me }) => ({
    email: account.email,
    otp: me.otp.reset,
    password: 'Marrakech-2027',
    confirmPassword: 'Marrakech-2027',
  }),
  'auth.endSession': ({ isOwn, me, s }) => ({ id: isOwn ? me.otherSession : s.people.visitor.otherSession }),

  'users.update': () => ({ bio: 'Changed' }),
  'users.updateProfile': () => ({ bio: 'Changed' }),

  'teams.pointsHistory': ({ s }) => ({ ids: s.teams.A.id }),
  'teams.create': ({ s }) => ({ rolesNeeded: [{ id: s.roleId }] }),
  'teams.join': ({ s }) => ({ role: { id: s.roleId } }),
  'teams.update': () => ({ name: uniqueName() }),
  'teams.removeMember': ({ team }) => ({ userId: team.buddy.id }),
  'teams.transferOwnership': ({ team }) => ({ newOwnerId: team.buddy.id }),

  'challenges.applyTo': ({ team }) => ({ teamId: team.id }),
  'challenges.submissions': ({ s }) => ({ id: s.judged.id }),
  'challenges.submit': ({ team }) => ({ teamName: team.name }),

  'submissions.get': ({ team, object }) => ({ id: object === 'public' ? team.approved : team.pending }),
  'submissions.evaluate': ({ team }) => ({ id: team.pending }),
  'submissions.remove': ({ team }) => ({ id: team.approved }),
  'submissions.setStatus': ({ team }) => ({ id: team.rejected }),
  'submissions.resetEvaluation': ({ team }) => ({ id: team.approved }),

  'admin.retryMail': ({ s }) => ({ id: s.mail }),
  'admin.warn': ({ account }) => ({ userId: account.id }),
  'admin.takeWarningBack': ({ s, isOwn }) => ({ id: isOwn ? s.warnings.own : s.warnings.foreign }),
  'admin.ban': ({ account }) => ({ userId: account.id }),
  'admin.unban': ({ isOwn, me, s }) => ({ userId: isOwn ? me.id : s.people.banned.id }),
  'admin.deleteUser': ({ account }) => ({ id: account.id }),
  'admin.setRole': ({ isOwn, account }) => ({ id: account.id, role: isOwn ? 'member' : 'admin' }),
  'admin.addToBlacklist': ({ isOwn, me }) => ({ email: isOwn ? me.email : uniqueEmail() }),
  'admin.removeFromBlacklist': ({ s }) => ({ id: s.entry }),
  'admin.deleteTeam': ({ team }) => ({ id: team.id }),
  'admin.removeTeamMember': ({ team, isOwn, me }) => ({ id: team.id, userId: isOwn ? me.id : team.buddy.id }),
  'admin.renameTeam': ({ team }) => ({ id: team.id, name: uniqueName() }),
  'admin.activateTeam': ({ team }) => ({ id: team.id }),
  'admin.deactivateTeam': ({ team }) => ({ id: team.id }),
  'admin.updateChallenge': ({ s }) => ({ id: s.challenge.id, title: 'Another title' }),
  'admin.deleteChallenge': ({ s }) => ({ id: s.judged.id }),
  'admin.activateChallenge': ({ s }) => ({ id: s.challenge.id }),
  'admin.deactivateChallenge': ({ s }) => ({ id: s.challenge.id }),
}

/**
 * A valid input of a procedure, undefined where it takes none: what is refused is refused for who asks, not for what they send. The
 * administrator without a password leaves their own out.
 */
export function inputOf(name: CallName, place: Place): Record<string, unknown> | undefined {
  const { input, access } = routeOf(name)
  if (!input) return undefined
  const idOf = 'id' in input.shape ? ID_OF[name.split('.')[0] ?? ''] : undefined
  // In the chef's procedures only an administrator has to give their password.
  const givesPassword = place.who === 'admin' && 'password' in input.shape
  const fields = {
    ...(idOf && { id: idOf(place) }),
    ...(givesPassword && { password: PASSWORD }),
    ...CHOSEN[name]?.(place),
  }
  const sent = validInputOf(name, fields)
  if (place.who !== 'adminNoPassword' || (access === 'visitor' && name !== 'auth.login')) return sent
  const { password: _password, currentPassword: _currentPassword, ...rest } = sent
  return rest
}
