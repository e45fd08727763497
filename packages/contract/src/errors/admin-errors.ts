import { defineError } from './define-error.ts'

export const ownAccount = defineError(403, 'OWN_ACCOUNT', 'You cannot perform admin actions on your own account')
export const alreadyBanned = defineError(409, 'ALREADY_BANNED', 'This user is already banned')
export const notBanned = defineError(409, 'NOT_BANNED', 'This user is not banned')
export const warningMissing = defineError(404, 'WARNING_MISSING', 'Warning not found')
export const entryMissing = defineError(404, 'ENTRY_MISSING', 'Entry not found')
export const alreadyBlacklisted = defineError(409, 'ALREADY_BLACKLISTED', 'This address is already on the blacklist', {
  path: 'email',
})
export const deadlinePast = defineError(400, 'DEADLINE_PAST', 'Deadline must be in the future', { path: 'deadline' })
export const adminNeedsPassword = defineError(
  409,
  'ADMIN_NEEDS_PASSWORD',
  'This account has no password. Administrators need one.',
)
/** Also for mails that exist but are not dead. */
export const mailMissing = defineError(404, 'MAIL_MISSING', 'Email not found')
export const mailExpired = defineError(
  409,
  'MAIL_EXPIRED',
  'The code in this email has expired. The recipient must request a new one.',
  { expired: true },
)
export const mailUnwanted = defineError(
  409,
  'MAIL_UNWANTED',
  'This email would not be sent: it was read in the app, turned off or is outdated, emails to its recipient are paused, or the account is banned or deleted.',
)
export const importMissing = defineError(404, 'IMPORT_MISSING', 'Import not found')
export const importRunning = defineError(409, 'IMPORT_RUNNING', 'Another import is running')
export const productNotEmpty = defineError(
  409,
  'PRODUCT_NOT_EMPTY',
  'An archive can only be imported into an empty installation',
)
/** The part is not the next one, or has another size. */
export const importPartWrong = defineError(409, 'IMPORT_PART_WRONG', 'This is not the next part of the archive')
