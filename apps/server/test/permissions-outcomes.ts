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
  | 'admin.importPart'
  | 'events.stream'
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
export type PermissionRow = { own: RoleOutcomes } & Partial<Record<ObjectName, RoleOutcomes>>

export const row = (outcome: Outcome, overrides: Partial<RoleOutcomes> = {}): RoleOutcomes => ({
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
export const TOKEN_IGNORED = row('yes', { banned: 'yes' })
export const EVERYONE = row('yes')
export const signedInGet = (error: Outcome): RoleOutcomes =>
  row(error, { visitor: 'notSignedIn', banned: 'notSignedIn' })
export const ALL_SIGNED_IN = signedInGet('yes')
export const signedInExcept = (overrides: Partial<RoleOutcomes>): RoleOutcomes => ({ ...ALL_SIGNED_IN, ...overrides })
export const ADMINS_ONLY: RoleOutcomes = { ...signedInGet('adminsOnly'), admin: 'yes', adminNoPassword: 'yes' }
export const ADMINS_WITH_PASSWORD: RoleOutcomes = { ...ADMINS_ONLY, adminNoPassword: 'passwordRequired' }
export const adminsGet = (error: Outcome): RoleOutcomes => ({ ...ADMINS_ONLY, admin: error, adminNoPassword: error })
export const confirmedAdminsGet = (error: Outcome): RoleOutcomes => ({ ...ADMINS_WITH_PASSWORD, admin: error })
/** Procedures for chefs; administrators may also call them, with their password. */
export const CHEF_OF_OWN_TEAM: RoleOutcomes = {
  ...signedInGet('chefOnly'),
  otherChef: 'yes',
  chef: 'yes',
  admin: 'yes',
  adminNoPassword: 'passwordRequired',
}
export const CHEF_OF_OTHER_TEAM: RoleOutcomes = { ...CHEF_OF_OWN_TEAM, otherChef: 'chefOnly', chef: 'chefOnly' }
export const withoutCurrentPassword = (base: RoleOutcomes): RoleOutcomes => ({
  ...base,
  adminNoPassword: 'currentPasswordRequired',
})
export const withoutOwnPassword = (base: RoleOutcomes): RoleOutcomes => ({ ...base, adminNoPassword: 'validation' })

const CHEF_WITH_WEBHOOK: RoleOutcomes = { ...signedInGet('webhookMissing'), adminNoPassword: 'passwordRequired' }
/** Changes of a webhook of the own team, of another team, and (as `public`) of the community. */
export const WEBHOOK_CHANGE: PermissionRow = {
  own: { ...CHEF_WITH_WEBHOOK, otherChef: 'yes', chef: 'yes' },
  foreign: CHEF_WITH_WEBHOOK,
  public: { ...CHEF_WITH_WEBHOOK, admin: 'yes' },
}
