import { expect, type Page } from '@playwright/test'
import { newestCode } from '../inbox.ts'
import { PIXEL } from '../tests/challenge-steps.ts'
import { call, inboxUrl, PASSWORD, registered, someone, type Someone } from '../tests/steps.ts'
import { comeBack } from '../tests/team-steps.ts'
import { dialogOf, openBy } from '../walk/scene.ts'
import { byToast, type Filled, type Place, plainly, type Told, twice, type Write } from './place.ts'
import { toAccount } from './reads.ts'
import { NETWORK, type Trouble } from './trouble.ts'

const write = (reach: Write['reach']): Write => ({ kind: 'write', reach })
const field = (page: Page, label: string) => dialogOf(page).getByLabel(label, { exact: true })
const press = (page: Page, name: string) => dialogOf(page).getByRole('button', { name, exact: true }).click()
const isSaid = (page: Page, text: string) => () => expect(page.getByText(text).first()).toBeVisible()
const NEW_PASSWORD = 'Bouregreg2026'

/** On the way in, only the way there has words of its own. */
const wayIn =
  (title: string, fallback: string, inPlace: string | null = fallback) =>
  (trouble: Trouble): Told => {
    if (trouble === 'cut') return { toast: ['Connection Error', NETWORK], words: inPlace === null ? [] : [NETWORK] }
    return { toast: [title, fallback], words: inPlace === null ? [] : [inPlace] }
  }
const aboutCode = wayIn(
  'Verification Failed',
  "We couldn't verify your code. Please check your connection and try again.",
)
const aboutResend = wayIn('Unable to Resend Code', "We couldn't send a new verification code. Please try again.", null)

async function fillIn(page: Page, fields: Record<string, string>): Promise<Filled['kept']> {
  for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value)
  return Object.entries(fields).map(([label, value]) => [field(page, label), value] as const)
}

async function byEmail(page: Page, mode: 'login' | 'register'): Promise<void> {
  await openBy(page, 'openAuthModal', { mode })
  await press(page, 'Continue with Email')
}

async function signUpForm(page: Page, person: Someone): Promise<Filled['kept']> {
  await byEmail(page, 'register')
  const { name, email, password } = person
  return fillIn(page, { 'Full Name': name, Email: email, Password: password, 'Confirm Password': password })
}

const atCode = (page: Page) => expect(page.getByRole('dialog', { name: 'Check Your Email' })).toBeVisible()

/** Somebody whose sign-in asks for a code, at the code. */
async function atSignInCode(page: Page) {
  const person = await registered()
  await call('PUT /users/profile', person.token, { signInOtp: true })
  await byEmail(page, 'login')
  await fillIn(page, { Email: person.email, Password: person.password })
  const since = Date.now()
  await press(page, 'Sign In')
  await atCode(page)
  return { person, since }
}

async function atSignUpCode(page: Page) {
  const [person, since] = [someone(), Date.now()]
  await signUpForm(page, person)
  await press(page, 'Create Account')
  await atCode(page)
  return { person, since }
}

/** The sixth digit sends it; once it is there the button does. */
async function codeIn(
  page: Page,
  { person, since }: { person: Someone; since: number },
  done: string,
): Promise<Filled> {
  const code = await newestCode(inboxUrl, person.email, since)
  const input = page.getByLabel('Verification Code')
  return {
    send: async () => {
      if ((await input.inputValue()) === code) await press(page, 'Verify Code')
      else await input.fill(code)
    },
    told: aboutCode,
    kept: [[input, code]],
    done: isSaid(page, done),
  }
}

/** Past the four minutes of this browser. The server's have not gone by: it is reached when it says so. */
async function codeAgain(page: Page, told: Filled['told'] = aboutResend): Promise<Filled> {
  await page.clock.fastForward('04:05')
  const again = dialogOf(page).getByRole('button', { name: 'Resend Code', exact: true })
  return {
    send: () => again.click(),
    told,
    kept: [],
    done: () => expect(dialogOf(page).getByRole('button', { name: /^Resend Code in \d minutes?$/ })).toBeVisible(),
  }
}

async function inAccount(page: Page, tab: string) {
  const person = await registered()
  await comeBack(page, person)
  await expect(page.getByRole('button', { name: `Account of ${person.name}` })).toBeVisible()
  await toAccount(page, tab)
  return person
}

async function atNewPassword(page: Page) {
  const person = await registered()
  await openBy(page, 'openAuthModal', { mode: 'forgot', email: person.email })
  const since = Date.now()
  await press(page, 'Send Code')
  await expect(field(page, 'New Password')).toBeVisible()
  return { person, since }
}

/** Who one is and how one comes in. */
export const ACCOUNT_WRITES: Record<string, Place> = {
  'auth.login': write(async (page) => {
    const person = await registered()
    await byEmail(page, 'login')
    return {
      kept: await fillIn(page, { Email: person.email, Password: person.password }),
      send: () => press(page, 'Sign In'),
      told: wayIn('Login failed', "We couldn't sign you in. Please try again."),
      done: isSaid(page, 'Welcome Back!'),
    }
  }),
  'auth.register': write(async (page) => ({
    kept: await signUpForm(page, someone()),
    send: () => press(page, 'Create Account'),
    told: wayIn('Registration failed', "We couldn't create your account. Please try again."),
    done: () => atCode(page),
  })),
  'auth.verifyRegistrationOtp': write(async (page) =>
    codeIn(page, await atSignUpCode(page), 'Welcome to the community!'),
  ),
  'auth.resendRegistrationOtp': write(async (page) => {
    await page.clock.install()
    await atSignUpCode(page)
    return codeAgain(page)
  }),
  'auth.verifyOtp': write(async (page) => codeIn(page, await atSignInCode(page), 'Welcome Back!')),
  'auth.resendOtp': write(async (page) => {
    await page.clock.install()
    await atSignInCode(page)
    return codeAgain(page)
  }),
  'auth.verifyGoogleOtp': write(async (page) => {
    const person = someone('Hicham Alaoui')
    await openBy(page, 'openAuthModal', { mode: 'login' })
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Continue' }).click()
    const input = page.getByLabel('Verification Code')
    const code = await newestCode(inboxUrl, person.email)
    await input.fill(code)
    return {
      within: page.locator('main'),
      kept: [[input, code]],
      send: () => page.getByRole('button', { name: 'Verify Code' }).click(),
      told: aboutCode,
      done: () => expect(page.getByText('Welcome!', { exact: true }).first()).toBeVisible(),
    }
  }),
  'auth.forgotPassword': write(async (page) => {
    const { email } = await registered()
    await openBy(page, 'openAuthModal', { mode: 'forgot' })
    return {
      kept: await fillIn(page, { Email: email }),
      send: () => press(page, 'Send Code'),
      told: wayIn(
        'Unable to Send Code',
        "We couldn't send the verification code. Please try again.",
        'Failed to send reset OTP',
      ),
      done: isSaid(page, 'Verification Code Sent!'),
    }
  }),
  'auth.resetPassword': write(async (page) => {
    const { person, since } = await atNewPassword(page)
    const code = await newestCode(inboxUrl, person.email, since)
    return {
      kept: await fillIn(page, {
        'Verification Code': code,
        'New Password': NEW_PASSWORD,
        'Confirm New Password': NEW_PASSWORD,
      }),
      send: () => press(page, 'Reset Password'),
      told: wayIn('Password Reset Failed', 'Failed to reset password'),
      done: isSaid(page, 'Password reset successfully! You can now log in with your new password.'),
    }
  }),
  'auth.changePassword': write(async (page) => {
    await inAccount(page, 'Security')
    return {
      kept: await fillIn(page, {
        'Current Password': PASSWORD,
        'New Password': NEW_PASSWORD,
        'Confirm New Password': NEW_PASSWORD,
      }),
      send: () => press(page, 'Change password'),
      told: twice('Password change failed'),
      done: isSaid(page, 'Password changed. Please sign in again.'),
    }
  }),
  // Where they registered is another device.
  'auth.endSession': write(async (page) => {
    await inAccount(page, 'Devices')
    return {
      kept: [],
      send: () =>
        dialogOf(page)
          .getByRole('button', { name: /^Sign out (?!everywhere)/ })
          .click(),
      told: byToast(),
      done: isSaid(page, 'Signed out there'),
    }
  }),
  'auth.endSessions': write(async (page) => {
    await inAccount(page, 'Devices')
    return {
      kept: [],
      send: () => press(page, 'Sign out everywhere else'),
      told: byToast(),
      done: isSaid(page, 'Signed out everywhere else'),
    }
  }),
  'users.updateProfile': write(async (page) => {
    await inAccount(page, 'Profile')
    return {
      kept: await fillIn(page, { Phone: '0612345678', Portfolio: 'https://sara.example.ma/' }),
      send: () => press(page, 'Save'),
      told: twice('Profile update failed'),
      done: isSaid(page, 'Profile updated'),
    }
  }),
  'users.remove': write(async (page) => {
    await inAccount(page, 'Security')
    await press(page, 'Delete account')
    const question = page.getByRole('dialog', { name: 'Delete your account?' })
    await question.getByLabel('Your password').fill(PASSWORD)
    return {
      within: question,
      kept: [[question.getByLabel('Your password'), PASSWORD]],
      send: () => question.getByRole('button', { name: 'Delete account' }).click(),
      told: (trouble) =>
        trouble === 'html' ? { words: ['Password verification endpoint not available'] } : plainly()(trouble),
      done: isSaid(page, 'Your account was deleted'),
    }
  }),
  '/api/upload/profile': write(async (page) => {
    await inAccount(page, 'Profile')
    const picture = { name: 'me.png', mimeType: 'image/png', buffer: PIXEL }
    return {
      kept: [],
      send: () => dialogOf(page).getByLabel('Profile picture').setInputFiles(picture),
      told: plainly(),
      done: isSaid(page, 'Picture changed'),
    }
  }),
}
