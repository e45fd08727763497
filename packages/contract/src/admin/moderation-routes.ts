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

/** What administrators do about people. */
export const moderationRoutes = {
  warnings: route('GET /admin/warnings', {
    access: 'admin',
    summary: 'Warnings, newest first',
    input: z.object({ ...Page, userId: Id.optional() }),
    output: z.object({ warnings: z.array(Warning), pagination: Pagination }),
  }),
  warn: route('POST /admin/warnings', {
    access: 'admin',
    confirm: true,
    creates: true,
    summary: 'Warn somebody else who is not banned; administrators too',
    input: z.object({ userId: Id, reason: Reason, ...PasswordConfirmation }),
    output: z.object({ warning: Warning, user: User }),
    successMessage: 'Warning given successfully',
    errors: { userMissing, ownAccount, alreadyBanned },
  }),
  takeWarningBack: route('DELETE /admin/warnings/{id}', {
    access: 'admin',
    summary: 'Take a warning back',
    input: z.object({ id: Id }),
    output: z.object({ user: User }),
    successMessage: 'Warning removed',
    errors: { warningMissing, userMissing, ownAccount },
  }),
  ban: route('POST /admin/ban', {
    access: 'admin',
    confirm: true,
    summary:
      'Ban somebody else: signed out everywhere, out of all teams, e-mail on the blacklist; an administrator loses the role',
    input: z.object({ userId: Id, reason: Reason, ...PasswordConfirmation }),
    output: z.object({ user: User }),
    successMessage: 'User banned successfully',
    errors: { userMissing, ownAccount, alreadyBanned },
  }),
  unban: route('POST /admin/unban/{userId}', {
    access: 'admin',
    confirm: true,
    summary: 'Take a ban back, and the blacklist entry with it',
    input: z.object({ userId: Id, ...PasswordConfirmation }),
    output: z.object({ user: User }),
    successMessage: 'User unbanned successfully',
    errors: { userMissing, ownAccount, notBanned },
  }),
  deleteUser: route('DELETE /admin/users/{id}', {
    access: 'admin',
    confirm: true,
    summary: 'Delete another’s account, an administrator’s too, and its personal data; points and the audit log stay',
    input: z.object({ id: Id, ...PasswordConfirmation }),
    successMessage: 'User deleted successfully',
    errors: { userMissing, ownAccount },
  }),
  setRole: route('PUT /admin/users/{id}/role', {
    access: 'admin',
    confirm: true,
    summary: 'Make somebody an administrator, or an ordinary member again',
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
    creates: true,
    summary: 'Refuse an address and its variants',
    input: BlacklistInput,
    output: z.object({ entry: BlacklistEntry }),
    successMessage: 'Address added to the blacklist',
    errors: { alreadyBlacklisted, ownAccount },
  }),
  removeFromBlacklist: route('DELETE /admin/blacklist/{id}', {
    access: 'admin',
    summary: 'Take an address off the blacklist',
    input: z.object({ id: Id }),
    successMessage: 'Address removed from the blacklist',
    errors: { entryMissing },
  }),
  stats: route('GET /admin/stats', {
    access: 'admin',
    summary: 'Figures, trends, weeks and the state of the system',
    output: z.object({ stats: AdminStats }),
  }),
  audit: route('GET /admin/audit', {
    access: 'admin',
    summary: 'What administrators did, newest first',
    input: AuditInput,
    output: z.object({ entries: z.array(AuditEntry), pagination: Pagination }),
    errors: searchErrors,
  }),
}
