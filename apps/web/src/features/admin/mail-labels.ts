import { msg } from '../../lib/i18n.ts'

/** English labels of the kinds of mail; translate with `t`. A kind without a label is shown by its own name. */
export const MAIL_LABELS: Record<string, string> = {
  'code-registration': msg('Sign-up code'),
  'code-sign-in': msg('Sign-in code'),
  'code-reset': msg('Password reset code'),
  'code-external': msg('External sign-in code'),
  'already-registered': msg('Account already exists'),
  'new-device': msg('New device notice'),
  'password-changed': msg('Password change notice'),
  'password-reset': msg('Password reset notice'),
  'sign-in-code-off': msg('Sign-in code turned off'),
  'device-signed-out': msg('Notice: device signed out'),
  'account-banned': msg('Ban notice'),
  'access-token-created': msg('Access token created'),
  'webhook-disabled': msg('Webhook paused notice'),
  'notification-mail': msg('Notification'),
  'notification-digest': msg('Digest of notifications'),
}
