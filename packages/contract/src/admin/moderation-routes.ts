import { z } from 'zod'
import {
  adminNeedsPassword,
  alreadyBanned,
  alreadyBlacklisted,
  entryMissing,
  notBanned,
  ownAccount,
  userMissing,
  warningMissing,
} from '../error-catalogue.ts'
import { Id, Page, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { searchErrors, searchIn } from '../search.ts'
import { ROLES_OF_USERS, User } from '../users/schemas.ts'
import {
  AdminStats,
  AuditEntry,
  AuditInput,
  BlacklistEntry,
  BlacklistInput,
  PasswordConfirmation,
  Reason,
  Warning,
} from './schemas.ts'

/** Admin procedures for users. */
export const moderationRoutes = {
  warnings: route('GET /admin/warnings', {
    access: 'admin',
    summary: 'Warnings, newest first',
    input: z.object({ ...Page, userId: Id.optional().describe('Only warnings of this user') }),
    output: z.object({ warnings: z.array(Warning), pagination: Pagination }),
  }),
  warn: route('POST /admin/warnings', {
    access: 'admin',
    audits: 'user',
    requiresAdminPassword: true,
    creates: true,
    summary: 'Warn another user who is not banned; administrators can be warned too',
    input: z.object({ userId: Id, reason: Reason, ...PasswordConfirmation }),
    output: z.object({ warning: Warning, user: User }),
    successMessage: 'Warning given successfully',
    errors: { userMissing, ownAccount, alreadyBanned },
  }),
  takeWarningBack: route('DELETE /admin/warnings/{id}', {
    access: 'admin',
    audits: 'user',
    summary: 'Revoke a warning',
    input: z.object({ id: Id }),
    output: z.object({ user: User }),
    successMessage: 'Warning removed',
    errors: { warningMissing, userMissing, ownAccount },
  }),
  ban: route('POST /admin/ban', {
    access: 'admin',
    audits: 'user',
    requiresAdminPassword: true,
    summary:
      'Ban another user: ends their sessions and memberships, blacklists the e-mail address and revokes the admin role',
    description:
      'Their personal access tokens are revoked too. Teams they led get another chef. A mail tells them the reason. Of more than 100 teams, a job ends the other memberships within minutes, unless the user is unbanned before.',
    input: z.object({ userId: Id, reason: Reason, ...PasswordConfirmation }),
    output: z.object({ user: User }),
    successMessage: 'User banned successfully',
    errors: { userMissing, ownAccount, alreadyBanned },
  }),
  unban: route('POST /admin/unban/{userId}', {
    access: 'admin',
    audits: 'user',
    requiresAdminPassword: true,
    summary: 'Lift a ban and remove its blacklist entry',
    description: 'Memberships, tokens and the administrator role are not restored.',
    input: z.object({ userId: Id, ...PasswordConfirmation }),
    output: z.object({ user: User }),
    successMessage: 'User unbanned successfully',
    errors: { userMissing, ownAccount, notBanned },
  }),
  deleteUser: route('DELETE /admin/users/{id}', {
    access: 'admin',
    audits: 'user',
    requiresAdminPassword: true,
    summary: 'Delete another user’s account and personal data, administrators included; points and the audit log stay',
    input: z.object({ id: Id, ...PasswordConfirmation }),
    successMessage: 'User deleted successfully',
    errors: { userMissing, ownAccount },
  }),
  setRole: route('PUT /admin/users/{id}/role', {
    access: 'admin',
    audits: 'user',
    beyondSpecification: true,
    requiresAdminPassword: true,
    summary: 'Grant or revoke the administrator role',
    input: z.object({ id: Id, role: z.enum(ROLES_OF_USERS, 'Please choose admin or member'), ...PasswordConfirmation }),
    output: z.object({ user: User }),
    successMessage: 'Role changed',
    errors: { userMissing, ownAccount, alreadyBanned, adminNeedsPassword },
  }),
  blacklist: route('GET /admin/blacklist', {
    access: 'admin',
    summary: 'Addresses that cannot register, newest first',
    input: z.object({ ...Page, search: searchIn('the address') }),
    output: z.object({ blacklist: z.array(BlacklistEntry), pagination: Pagination }),
    errors: searchErrors,
  }),
  addToBlacklist: route('POST /admin/blacklist', {
    access: 'admin',
    audits: 'blacklist',
    creates: true,
    summary: 'Block an address and its variants',
    description: 'Existing accounts with the address stay. Variants are other spellings of the same mailbox.',
    input: BlacklistInput,
    output: z.object({ entry: BlacklistEntry }),
    successMessage: 'Address added to the blacklist',
    errors: { alreadyBlacklisted, ownAccount },
  }),
  removeFromBlacklist: route('DELETE /admin/blacklist/{id}', {
    access: 'admin',
    audits: 'blacklist',
    summary: 'Remove an address from the blacklist',
    input: z.object({ id: Id }),
    successMessage: 'Address removed from the blacklist',
    errors: { entryMissing },
  }),
  stats: route('GET /admin/stats', {
    access: 'admin',
    summary: 'Totals, trends, weekly figures and the state of the services',
    output: z.object({ stats: AdminStats }),
  }),
  audit: route('GET /admin/audit', {
    access: 'admin',
    beyondSpecification: true,
    summary: 'The audit log, newest first',
    description: 'Each entry names the actor, the action, its target, the time, the IP address and the access token.',
    input: AuditInput,
    output: z.object({ entries: z.array(AuditEntry), pagination: Pagination }),
    errors: searchErrors,
  }),
}
