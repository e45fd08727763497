import type { AppContract, Input, Route } from '@community/contract'
import { newEmail } from './accounts.ts'
import type { CallerName, CallName, ObjectName } from './permissions.ts'
import type { Caller, Situation, TeamOfTwo } from './permissions-situation.ts'
import { createForm, joinForm, uniqueName } from './team-forms.ts'
import { PASSWORD, type Person } from './world.ts'

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

type RouteNamed<N extends string> = N extends `${infer D}.${infer K}`
  ? D extends keyof AppContract
    ? K extends keyof AppContract[D]
      ? Extract<AppContract[D][K], Route>
      : never
    : never
  : never

/** What a call is sent; a password that somebody leaves out is the one thing that may be missing. */
type Sent<R extends Route> =
  Input<R> extends object ? Omit<Input<R>, 'password' | 'currentPassword'> & { password?: string | undefined } : void

/** The caller's own password, which the administrator without one leaves out. */
const mine = ({ who }: Place) => (who === 'adminNoPassword' ? {} : { password: PASSWORD })
/** In the chef's calls only an administrator has to give one. */
const minesAsAdmin = ({ who }: Place) => (who === 'admin' ? { password: PASSWORD } : {})

const challengeForm = () => ({
  title: 'A challenge of the matrix',
  description: 'A page that works in a tunnel.',
  requirements: ['Works offline'],
  deadline: new Date(Date.now() + 86_400_000).toISOString(),
})

const link = { type: 'link', content: 'https://github.com/atlas-lions/matrix' } as const

/** A valid input of every call: what is refused is refused for who asks, not for what they send. */
export const INPUTS: { [N in CallName]: (place: Place) => Sent<RouteNamed<N>> } = {
  'auth.login': (p) =>
    p.isOwn
      ? { email: p.me.email, ...mine(p) }
      : { email: p.account.email, ...(mine(p).password && { password: 'Not-Theirs-2026' }) },
  'auth.register': (p) => ({
    name: 'Nour Benali',
    email: p.isOwn ? p.me.email : newEmail(),
    password: PASSWORD,
    confirmPassword: PASSWORD,
  }),
  'auth.verifyRegistrationOtp': ({ s, isOwn }) => ({
    name: 'Nour Benali',
    password: PASSWORD,
    email: s.newcomers[isOwn ? 0 : 1]?.email ?? '',
    otp: s.newcomers[0]?.otp ?? '',
  }),
  'auth.resendRegistrationOtp': ({ s, isOwn }) => ({
    name: 'Nour Benali',
    email: isOwn ? (s.newcomers[0]?.email ?? '') : s.people.banned.email,
  }),
  'auth.sendOtp': ({ account }) => ({ email: account.email }),
  'auth.resendOtp': ({ account }) => ({ email: account.email }),
  'auth.verifyOtp': ({ account, me }) => ({ email: account.email, otp: me.otp.signIn }),
  'auth.verifyGoogleOtp': ({ me }) => ({ email: me.email, otp: me.otp.external }),
  'auth.logout': ({ isOwn, me }) => ({ refreshToken: isOwn ? me.refreshToken : 'x'.repeat(43) }),
  'auth.refresh': ({ isOwn, me }) => ({ refreshToken: isOwn ? me.refreshToken : 'x'.repeat(43) }),
  'auth.changePassword': (p) => ({
    newPassword: 'Marrakech-2027',
    ...(mine(p).password && { currentPassword: p.isOwn ? PASSWORD : 'Not-Theirs-2026' }),
  }),
  'auth.forgotPassword': ({ isOwn, me }) => ({ email: isOwn ? me.email : newEmail() }),
  'auth.resetPassword': ({ account, me }) => ({
    email: account.email,
    otp: me.otp.reset,
    password: 'Marrakech-2027',
    confirmPassword: 'Marrakech-2027',
  }),
  'auth.proofOfWork': () => ({ purpose: 'registration' as const }),
  'auth.sessions': () => ({}),
  'auth.endSession': ({ isOwn, me, s }) => ({ id: isOwn ? me.otherSession : s.people.visitor.otherSession }),
  'auth.endSessions': () => ({}),

  'users.list': () => ({}),
  'users.dashboard': () => {},
  'users.submissions': () => ({}),
  'users.debug': () => {},
  'users.get': ({ account }) => ({ id: account.id }),
  'users.update': ({ account }) => ({ id: account.id, bio: 'Changed' }),
  'users.remove': (p) => ({ id: p.account.id, ...mine(p) }),
  'users.profile': () => {},
  'users.updateProfile': () => ({ bio: 'Changed' }),
  'users.teams': ({ account }) => ({ id: account.id }),

  'roles.list': () => {},
  'roles.create': () => ({ name: 'Archivist', emoji: '📚', category: 'Other' }),

  'teams.list': () => ({}),
  'teams.leaderboard': () => ({}),
  'teams.pointsHistory': ({ s }) => ({ ids: s.teams.A.id }),
  'teams.standings': () => {},
  'teams.get': ({ team }) => ({ id: team.id }),
  'teams.create': ({ s }) => createForm([{ id: s.roleId }]),
  'teams.join': ({ team, s }) => joinForm(team.id, { id: s.roleId }),
  'teams.leave': ({ team }) => ({ id: team.id }),
  'teams.submissions': ({ team }) => ({ id: team.id }),
  'teams.update': (p) => ({ id: p.team.id, name: uniqueName(), ...minesAsAdmin(p) }),
  'teams.remove': (p) => ({ id: p.team.id, ...minesAsAdmin(p) }),
  'teams.removeMember': (p) => ({ id: p.team.id, userId: p.team.buddy.id, ...minesAsAdmin(p) }),
  'teams.transferOwnership': (p) => ({ id: p.team.id, newOwnerId: p.team.buddy.id, ...minesAsAdmin(p) }),

  'challenges.list': () => ({}),
  'challenges.active': () => ({}),
  'challenges.byCategory': () => ({ c: 'Web Development' as const }),
  'challenges.byDifficulty': () => ({ d: 'Beginner' as const }),
  'challenges.myTeamApplications': () => ({}),
  'challenges.get': ({ s }) => ({ id: s.challenge.id }),
  'challenges.applyTo': ({ s, team }) => ({ id: s.challenge.id, teamId: team.id, ...link }),
  'challenges.submissions': ({ s }) => ({ id: s.judged.id }),
  'challenges.submit': ({ s, team }) => ({ id: s.challenge.id, teamName: team.name, ...link }),

  'submissions.list': () => ({}),
  'submissions.pending': () => ({}),
  'submissions.approved': () => ({}),
  'submissions.get': ({ team, object }) => ({ id: object === 'public' ? team.approved : team.pending }),
  'submissions.evaluate': ({ team }) => ({ id: team.pending, status: 'approved' as const, score: 90 }),
  'submissions.leaderboard': () => ({}),
  'submissions.stats': () => {},
  'submissions.remove': (p) => ({ id: p.team.approved, ...mine(p) }),
  'submissions.setStatus': ({ team }) => ({ id: team.rejected, status: 'pending' as const }),
  'submissions.resetEvaluation': ({ team }) => ({ id: team.approved }),

  'admin.verifyPassword': mine,
  'admin.settings': () => {},
  'admin.setTeamCreation': (p) => ({ enabled: false, ...mine(p) }),
  'admin.listChallenges': () => ({}),
  'admin.createChallenge': (p) => ({ ...challengeForm(), ...mine(p) }),
  'admin.mails': () => ({}),
  'admin.retryMail': ({ s }) => ({ id: s.mail }),
  'admin.warnings': () => ({}),
  'admin.warn': (p) => ({ userId: p.account.id, reason: 'A reason', ...mine(p) }),
  'admin.takeWarningBack': ({ s, isOwn }) => ({ id: isOwn ? s.warnings.own : s.warnings.foreign }),
  'admin.ban': (p) => ({ userId: p.account.id, reason: 'A reason', ...mine(p) }),
  'admin.unban': (p) => ({ userId: p.isOwn ? p.me.id : p.s.people.banned.id, ...mine(p) }),
  'admin.deleteUser': (p) => ({ id: p.account.id, ...mine(p) }),
  'admin.setRole': (p) => ({ id: p.account.id, role: p.isOwn ? 'member' : 'admin', ...mine(p) }),
  'admin.blacklist': () => ({}),
  'admin.addToBlacklist': ({ isOwn, me }) => ({ email: isOwn ? me.email : newEmail(), reason: 'A reason' }),
  'admin.removeFromBlacklist': ({ s }) => ({ id: s.entry }),
  'admin.stats': () => {},
  'admin.audit': () => ({}),
  'admin.deleteTeam': (p) => ({ id: p.team.id, ...mine(p) }),
  'admin.removeTeamMember': (p) => ({ id: p.team.id, userId: p.isOwn ? p.me.id : p.team.buddy.id, ...mine(p) }),
  'admin.renameTeam': (p) => ({ id: p.team.id, name: uniqueName(), ...mine(p) }),
  'admin.activateTeam': ({ team }) => ({ id: team.id }),
  'admin.deactivateTeam': ({ team }) => ({ id: team.id }),
  'admin.cleanupTeams': () => {},
  'admin.updateChallenge': (p) => ({ id: p.s.challenge.id, title: 'Another title', ...mine(p) }),
  'admin.deleteChallenge': (p) => ({ id: p.s.judged.id, ...mine(p) }),
  'admin.activateChallenge': (p) => ({ id: p.s.challenge.id, ...mine(p) }),
  'admin.deactivateChallenge': (p) => ({ id: p.s.challenge.id, ...mine(p) }),

  'system.settings': () => {},
}
