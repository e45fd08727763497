import type { AccountTemplate, MailText } from './texts.ts'

export const en: Record<AccountTemplate, MailText> = {
  'code-registration': {
    subject: '{code} is your code to join {app}',
    heading: 'Your code to join',
    lines: [
      'Enter it on the page where you signed up. It works once, for five minutes.',
      'Not you? Then ignore this mail: without the code nothing happens.',
    ],
  },
  'code-sign-in': {
    subject: '{code} is your sign-in code',
    heading: 'Your sign-in code',
    lines: [
      'Enter it on the page where you are signing in. It works once, for five minutes.',
      'Not you? Then somebody knows your password: please change it.',
    ],
  },
  'code-reset': {
    subject: '{code} is your code to set a new password',
    heading: 'Your code for a new password',
    lines: [
      'Enter it on the page where you asked for it. It works once, for five minutes.',
      'Not you? Then ignore this mail: your password stays as it is.',
    ],
  },
  'code-external': {
    subject: '{code} is your sign-in code',
    heading: 'Your sign-in code',
    lines: [
      'Enter it in the browser where you began. It works once, for five minutes.',
      'Not you? Then ignore this mail: without the code nobody gets in.',
    ],
  },
  'already-registered': {
    subject: 'You already have an account',
    heading: 'You already have an account',
    lines: [
      'Somebody, probably you, tried to sign up with this address. You can simply sign in.',
      'Not you? There is nothing you need to do.',
    ],
  },
  'new-device': {
    subject: 'New sign-in to your account',
    heading: 'New sign-in to your account',
    lines: [
      'Somebody signed in to your account on a device that was never used for it before.',
      ['Device', 'device'],
      ['Place', 'place'],
      ['Time', 'time'],
      'Was it you? Then there is nothing you need to do.',
      'Not you? Change your password now: that ends every session. You can also end single sessions in your account settings, under Devices.',
    ],
  },
  'password-changed': {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    lines: [
      'Your account has a new password, and every session has ended.',
      ['Device', 'device'],
      ['Place', 'place'],
      ['Time', 'time'],
      'Was it you? Then there is nothing you need to do.',
      'Not you? Set a new one now with “Forgot your password?” on the sign-in page, and make sure that nobody else reads your mail.',
    ],
  },
}
