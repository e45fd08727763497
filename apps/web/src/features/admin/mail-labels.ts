import { msg } from '../../lib/i18n.ts'

/** English labels of the kinds of mail; translate with `t`. A kind without a label is shown by its own name. */
export const MAIL_LABELS: Record<string, string> = {
  'code-registration': msg('Code to register'),
  'code-sign-in': msg('Code to sign in'),
  'code-reset': msg('Code for a new password'),
  'code-external': msg('Code to sign in from outside'),
  'already-registered': msg('Reminder that an account exists'),
  'new-device': msg('Notice of a new device'),
  'password-changed': msg('Notice of a changed password'),
  'sign-in-code-off': msg('Notice that the code at sign-in is off'),
  'device-signed-out': msg('Notice of a device signed out'),
}
