import { DEVICE_LINES } from './device-lines.ts'
import type { AccountTemplate, MailText } from './texts.ts'

export const en: Record<AccountTemplate, MailText> = {
  'code-registration': {
    subject: '{code} is your code to join {app}',
    heading: 'Your code to join',
    lines: [
      'Enter it on the sign-up page. It works once and expires in five minutes.',
      'If this wasn’t you, ignore this email. Nothing happens without the code.',
    ],
  },
  'code-sign-in': {
    subject: '{code} is your sign-in code',
    heading: 'Your sign-in code',
    lines: [
      'Enter it on the sign-in page. It works once and expires in five minutes.',
      'If this wasn’t you, someone knows your password. Change it now.',
    ],
  },
  'code-reset': {
    subject: '{code} is your code to set a new password',
    heading: 'Your code for a new password',
    lines: [
      'Enter it on the page where you requested it. It works once and expires in five minutes.',
      'If this wasn’t you, ignore this email. Your password stays the same.',
    ],
  },
  'code-external': {
    subject: '{code} is your sign-in code',
    heading: 'Your sign-in code',
    lines: [
      'Enter it in the browser where you started signing in. It works once and expires in five minutes.',
      'If this wasn’t you, ignore this email. Nobody can sign in without the code.',
    ],
  },
  'already-registered': {
    subject: 'You already have an account',
    heading: 'You already have an account',
    lines: [
      'Someone, probably you, tried to sign up with this email address. You can sign in instead.',
      'If this wasn’t you, you don’t need to do anything.',
    ],
  },
  'new-device': {
    subject: 'New sign-in to your account',
    heading: 'New sign-in to your account',
    lines: [
      'Someone signed in to your account from a new device.',
      ...DEVICE_LINES.en,
      'If this was you, you don’t need to do anything.',
      'If this wasn’t you, change your password now. That signs out all devices. You can also sign out a single device in your account settings, under Devices.',
    ],
  },
  'password-changed': {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    lines: [
      'Your account has a new password, and all devices have been signed out.',
      ...DEVICE_LINES.en,
      'If this was you, you don’t need to do anything.',
      'If this wasn’t you, set a new password now with “Forgot your password?” on the sign-in page, and make sure that nobody else can read your email.',
    ],
  },
  'webhook-disabled': {
    subject: 'Your webhook to {host} was paused',
    heading: 'Your webhook was paused',
    lines: [
      '{host} has accepted no message for three days, or answered that it is gone. We no longer send events there.',
      'Check the receiver, then resume the webhook. The list of deliveries shows why each failed.',
    ],
  },
}
