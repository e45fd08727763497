import { PASSWORD, uniqueEmail, wrongCode } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { startIdentityProvider } from '../embedded/identity-provider.ts'
import {
  TRUST_FORWARDED_FOR,
  beginRegistration,
  createRegistrant,
  newAddress,
  findQueuedTemplates,
  countOutcomes,
  times,
} from '../../test/accounts.ts'
import { openBrowser } from '../../test/browser.ts'
import { createToken } from '../../test/personal-token.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'
import { createIdentityProvider } from '../integrations/identity-provider.ts'

const APP_URL = 'http://localhost:3000'
const embedded = await startIdentityProvider({ appUrl: APP_URL })
const identityProvider = createIdentityProvider(embedded.oauth, APP_URL)
const server = await openTestServer({ ...TRUST_FORWARDED_FOR, APP_URL }, { identityProvider })
afterAll(async () => {
  await server.close()
  await embedded.close()
})

const NEXT = 'Tagine-2027'
type Mailbox = Pick<TestUser, 'email'>
const forgot = ({ email }: Mailbox) => server.rest()('POST /auth/forgot-password', { email }, newAddress())
const reset = ({ email }: Mailbox, otp: string, password = NEXT, headers = newAddress()) =>
  server.rest()('POST /auth/reset-password', { email, otp, password, confirmPassword: password }, headers)
const login = ({ email }: Mailbox, password = PASSWORD, headers = newAddress()) =>
  server.rest()('POST /auth/login', { email, password }, headers)
/** Requests a reset code and reads it from the mail. */
async function codeOf(mailbox: Mailbox): Promise<string> {
  const read = server.caughtMails()
  expect((await forgot(mailbox)).status).toBe(200)
  return server.mailedCode(mailbox.email, read)
}

describe('a forgotten password', () => {
  it('is reset with the mailed code, which works once and does not sign in', async () => {
    const member = await server.createMember()
    const requested = await forgot(member)
    expect(requested).toMatchObject({
      status: 200,
      body: { message: 'Verification Code Sent!', data: { expirationMinutes: 5 } },
    })
    const code = await server.mailedCode(member.email)
    const done = await reset(member, code)
    expect(done).toMatchObject({
      status: 200,
      body: {
        message: 'Password reset successfully! You can now log in with your new password.',
        data: {},
      },
    })
    expect((await login(member)).body.code).toBe('WRONG_CREDENTIALS')
    expect((await login(member, NEXT)).status).toBe(200)
    expect((await reset(member, code, 'Couscous-2028')).body.code).toBe('CODE_INVALID')
  })

  it('can be requested every four minutes; a new code invalidates the old one; an expired one says so', async () => {
    const member = await server.createMember()
    const first = await codeOf(member)
    const soon = await forgot(member)
    expect(soon).toMatchObject({ status: 429, body: { code: 'CODE_TOO_SOON' } })
    expect(soon.headers['retry-after']).toBe(String(soon.body.cooldown))
    await server.clock.ageCodes(241)
    const second = await codeOf(member)
    if (first !== second) expect((await reset(member, first)).body.code).toBe('CODE_INVALID')
    await server.clock.ageCodes(301)
    expect((await reset(member, second)).body).toMatchObject({ code: 'CODE_EXPIRED', expired: true })
    expect(await findQueuedTemplates(server, member.email)).toEqual(['code-reset', 'code-reset'])
  })

  it('is mailed in the account’s language, not the browser’s', async () => {
    const member = await server.createMember()
    await server.sql`update users set language = 'fr' where id = ${member.id}`
    await server.rest()('POST /auth/forgot-password', { email: member.email }, { 'accept-language': 'ar' })
    expect((await server.waitForMail(member.email)).subject).toMatch(
      /^\d{6}\u202f: votre code pour un nouveau mot de passe$/,
    )
    const read = server.caughtMails()
    await reset(member, await server.mailedCode(member.email))
    const notice = await server.waitForMail(member.email, read)
    expect(notice.subject).toBe('Votre mot de passe a été réinitialisé')
  })

  it('sets the first password of an external account, and ends what somebody who read the mailbox may have created', async () => {
    const member = await server.createMember()
    const { token } = await createToken(server, member, 'read')
    await server.sql`update users set password_hash = null where id = ${member.id}`
    await server.sql`insert into identities (issuer, subject, user_id) values (${embedded.oauth.issuer}, ${member.email}, ${member.id})`
    expect((await reset(member, await codeOf(member))).status).toBe(200)
    const { body } = await login(member, NEXT)
    expect(body.data.user).toMatchObject({ id: member.id, hasPassword: true })
    expect((await server.rest({ token })('GET /users/profile')).status).toBe(401)
    expect(await server.sql`select subject from identities where user_id = ${member.id}`).toHaveLength(0)
    expect((await server.rest(member)('GET /users/profile')).status).toBe(401)
    expect(await findQueuedTemplates(server, member.email)).toEqual([
      'access-token-created',
      'code-reset',
      'password-reset',
    ])
  })

  it('of a banned or unknown account gets the same response; nothing is mailed and no code is valid', async () => {
    const [banned, unknown] = [await server.createMember(), { email: uniqueEmail() }]
    await server.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${banned.id}`
    for (const user of [banned, unknown]) {
      expect((await forgot(user)).body.data).toEqual({ expirationMinutes: 5, resetId: expect.any(String) })
      expect((await reset(user, '000000')).body.code).toBe('CODE_INVALID')
      expect(await findQueuedTemplates(server, user.email)).toEqual([])
    }
    expect(await server.sql`select payload from jobs where recipient = '' and payload <> ''`).toEqual([])
  })

  it('is not changed for an account banned after the mail', async () => {
    const member = await server.createMember()
    const code = await codeOf(member)
    await server.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${member.id}`
    expect((await reset(member, code)).body.code).toBe('CODE_INVALID')
    const [row] = await server.sql`select password_hash from users where id = ${member.id}`
    expect(await server.deps.passwords.verify(row?.password_hash as string, PASSWORD)).toBe(true)
  })

  it('of an administrator must meet the stricter rules, revealed only with the code; the code stays valid', async () => {
    const admin = await server.createAdmin()
    const code = await codeOf(admin)
    expect((await reset(admin, wrongCode(code), 'Admin-at-Riad-26')).body.code).toBe('CODE_INVALID')
    const msg = 'Password contains common weak patterns. Please choose a stronger password.'
    // More often than there are attempts: only wrong codes use them up.
    for (let again = 0; again < 6; again++)
      expect(await reset(admin, code, 'Admin-at-Riad-26')).toMatchObject({
        status: 400,
        body: { code: 'ADMIN_PASSWORD_WEAK', message: msg, errors: [{ path: 'password', msg }] },
      })
    expect((await reset(admin, code)).status).toBe(200)
  })
})

const cookieOf = ({ cookies }: ReturnType<typeof openBrowser>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

describe('account takeover by reset', () => {
  it.each([
    ['an array', (email: string) => [email, 'evil@example.ma']],
    ['an array of one', (email: string) => [email]],
    ['an object', (email: string) => ({ email, $ne: '' })],
    ['two addresses', (email: string) => `${email},evil@example.ma`],
    ['two addresses apart', (email: string) => `${email} evil@example.ma`],
    ['an additional header', (email: string) => `${email}\r\nBcc: evil@example.ma`],
    ['an additional line', (email: string) => `${email}\nevil@example.ma`],
    ['a display name', (email: string) => `"${email}" <evil@example.ma>`],
    ['a route', (email: string) => `<@evil.example:${email}>`],
    ['a quoted part', (email: string) => `"${email.split('@')[0]}"@example.ma`],
    ['U+0131 for i', (email: string) => email.replace('kin', 'k\u0131n')],
    ['U+212A for k', (email: string) => email.replace('kin', '\u212Ain')],
    ['full-width letters', (email: string) => email.replace('kin', '\uFF4Bin')],
    ['a trailing NUL', (email: string) => `${email}\u0000`],
    ['a NUL within', (email: string) => email.replace('@', '\u0000@')],
    ['a zero-width space', (email: string) => `${email}\u200b`],
  ])('%s is not an address: 400 over both transports, and nothing is mailed', async (_case, spell) => {
    const member = await server.createMember()
    const email = `kin${member.email}`
    await server.sql`update users set email = ${email} where id = ${member.id}`
    const input = { email: spell(email) }
    expect(await server.rest()('POST /auth/forgot-password', input, newAddress())).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'email', msg: 'Please enter a valid email address' }] },
    })
    expect((await server.trpc(null, 'auth.forgotPassword', input)).status).toBe(400)
    const fields = { otp: '000000', password: NEXT, confirmPassword: NEXT }
    expect((await server.rest()('POST /auth/reset-password', { ...input, ...fields }, newAddress())).status).toBe(400)
    expect(await server.sql`select email from codes where purpose = 'reset' and email like '%kin%'`).toEqual([])
    expect(await findQueuedTemplates(server, email)).toEqual([])
    expect(await findQueuedTemplates(server, 'evil@example.ma')).toEqual([])
  })

  it('ignores spaces and case and mails the stored address', async () => {
    const member = await server.createMember()
    expect((await forgot({ email: `  ${member.email.toUpperCase()} ` })).status).toBe(200)
    const mail = await server.waitForMail(member.email)
    expect(mail.to).toEqual([member.email])
    // One row, one cooldown.
    expect((await forgot(member)).body.code).toBe('CODE_TOO_SOON')
    expect((await reset({ email: ` ${member.email} ` }, await server.mailedCode(member.email))).status).toBe(200)
  })

  it('an address that differs by plus or dots is another account', async () => {
    const name = `nour${Date.now()}`
    const [mine, theirs] = [await server.createMember(), await server.createMember()]
    await server.sql`update users set email = ${`${name}@gmail.com`} where id = ${mine.id}`
    await server.sql`update users set email = ${`${name}+evil@gmail.com`} where id = ${theirs.id}`
    const code = await codeOf({ email: `${name}+evil@gmail.com` })
    expect(await findQueuedTemplates(server, `${name}@gmail.com`)).toEqual([])
    expect((await reset({ email: `${name}@gmail.com` }, code)).body.code).toBe('CODE_INVALID')
  })

  it('twenty concurrent entries of one code make one reset', async () => {
    const member = await server.createMember()
    const code = await codeOf(member)
    const newPasswords = times(20, (index) => `Tagine-20${30 + index}`)
    const outcomes = await Promise.all(newPasswords.map((password) => reset(member, code, password)))
    expect(await countOutcomes(outcomes.map((outcome) => Promise.resolve(outcome)))).toEqual({
      200: 1,
      '400 CODE_INVALID': 19,
    })
    const winner = newPasswords[outcomes.findIndex(({ status }) => status === 200)]
    expect((await login(member, winner)).status).toBe(200)
    expect(
      (await findQueuedTemplates(server, member.email)).filter((template) => template === 'password-reset'),
    ).toHaveLength(1)
  })

  it('old tokens are 401 at once over both transports; other codes are invalid; the owner is notified', async () => {
    const member = await server.createMember()
    await server.rest(member)('PUT /users/profile', { signInOtp: true })
    const other = await server.createMember()
    await login(member)
    const signInCode = await server.mailedCode(member.email)
    await server.clock.ageCodes(241)
    const read = server.caughtMails()
    await forgot(member)
    const code = await server.mailedCode(member.email, read)
    expect((await reset(member, code)).status).toBe(200)
    expect((await server.rest(member)('GET /users/profile')).status).toBe(401)
    expect((await server.trpc(member, 'users.profile')).status).toBe(401)
    expect((await server.rest()('POST /auth/refresh', { refreshToken: member.refreshToken })).status).toBe(401)
    const late = await server.rest()('POST /auth/verify-otp', { email: member.email, otp: signInCode }, newAddress())
    expect(late.body.code).toBe('CODE_INVALID')
    expect(await findQueuedTemplates(server, member.email)).toEqual(['code-sign-in', 'code-reset', 'password-reset'])
    const [ended] = await server.sql`select revoked_reason from refresh_families where user_id = ${member.id}`
    expect(ended?.revoked_reason).toBe('the password was reset')
    // Other accounts keep theirs.
    expect((await server.rest(other)('GET /users/profile')).status).toBe(200)
  })

  it('unlinks external identities; a password change keeps them', async () => {
    const [member, other] = [await server.createMember(), await server.createMember()]
    for (const { id, email } of [member, other])
      await server.sql`insert into identities (issuer, subject, user_id) values (${embedded.oauth.issuer}, ${`old-${email}`}, ${id})`
    const subjects = ({ id }: TestUser) => server.sql`select subject from identities where user_id = ${id}`
    const change = { currentPassword: PASSWORD, newPassword: NEXT }
    expect((await server.rest(other)('POST /auth/change-password', change)).status).toBe(200)
    expect((await reset(member, await codeOf(member))).status).toBe(200)
    expect([await subjects(member), await subjects(other)]).toEqual([[], [{ subject: `old-${other.email}` }]])
    // The code is mailed to the account, so its owner can link the provider again.
    const read = server.caughtMails()
    const browser = openBrowser(server)
    await browser.follow(await browser.signInAt(await browser.beginSignIn(), member))
    const { body } = await browser.verify(member.email, await server.mailedCode(member.email, read))
    expect(body.data.user.id).toBe(member.id)
    expect(await subjects(member)).toEqual([{ subject: member.email }])
  })

  it('an external sign-in started before the reset cannot be completed', async () => {
    const member = await server.createMember()
    const browser = openBrowser(server)
    await browser.follow(await browser.signInAt(await browser.beginSignIn(), member))
    const otp = await server.mailedCode(member.email)
    expect((await reset(member, await codeOf(member))).status).toBe(200)
    const headers = { ...newAddress(), cookie: cookieOf(browser) }
    const late = await server.rest()('POST /auth/verify-google-otp', { email: member.email, otp }, headers)
    expect(late.body.code).toBe('CODE_INVALID')
  })

  it('a concurrent refresh does not outlive the reset', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await server.createMember()
      const code = await codeOf(member)
      const refresh = () => server.rest()('POST /auth/refresh', { refreshToken: member.refreshToken }, newAddress())
      const [done, ...pairs] = await Promise.all([reset(member, code), ...times(6, refresh)])
      expect(done.status).toBe(200)
      for (const { body } of pairs)
        if (body.success) {
          expect((await server.rest(body.data)('GET /users/profile')).status).toBe(401)
          const again = await server.rest()(
            'POST /auth/refresh',
            { refreshToken: body.data.refreshToken },
            newAddress(),
          )
          expect(again.status).toBe(401)
        }
    }
  })
})

it('a code works for its own purpose only: sign-in, registration, reset and external, at each procedure', async () => {
  const purposes = ['sign-in', 'registration', 'reset', 'external'] as const
  for (const issuedFor of purposes)
    for (const used of purposes) {
      // A separate account for every cell, so that attempts and used codes do not interfere.
      const member = await server.createMember()
      const account =
        issuedFor === 'registration' ? createRegistrant() : { ...createRegistrant(member.email), id: member.id }
      const browser = openBrowser(server)
      if (issuedFor === 'sign-in') {
        await server.rest(member)('PUT /users/profile', { signInOtp: true })
        await login(member)
      }
      if (issuedFor === 'registration') await beginRegistration(server, account)
      if (issuedFor === 'reset') await forgot(account)
      if (issuedFor === 'external') await browser.follow(await browser.signInAt(await browser.beginSignIn(), account))
      const otp = await server.mailedCode(account.email)
      const cookie = cookieOf(browser)
      const { email, name } = account
      const calls = {
        'sign-in': () => server.rest()('POST /auth/verify-otp', { email, otp }, newAddress()),
        registration: () =>
          server.rest()('POST /auth/verify-registration-otp', { name, email, password: PASSWORD, otp }, newAddress()),
        reset: () => reset(account, otp),
        external: () => server.rest()('POST /auth/verify-google-otp', { email, otp }, { ...newAddress(), cookie }),
      }
      const { status, body } = await calls[used]()
      const outcome = issuedFor === used ? status < 300 : body.code
      expect([issuedFor, used, outcome]).toEqual([issuedFor, used, issuedFor === used ? true : 'CODE_INVALID'])
    }
})

it('a reset works during a lockout, and ends it for every address', async () => {
  const [member, bystander] = [await server.createMember(), await server.createMember()]
  const [mine, theirs] = [newAddress(), newAddress()]
  for (const user of [member, bystander])
    for (const place of [mine, theirs]) await Promise.all(times(12, () => login(user, 'Zellige-2027', place)))
  await Promise.all(times(12, () => login(member, 'Zellige-2027')))
  expect((await login(member)).body.code).toBe('SIGN_IN_LOCKED')
  await server.sql`delete from rate_limits where key like 'wrong:%'`
  expect((await reset(member, await codeOf(member), NEXT, mine)).status).toBe(200)
  for (const place of [mine, theirs, newAddress()]) expect((await login(member, NEXT, place)).status).toBe(200)
  expect((await login(bystander, PASSWORD, mine)).body.code).toBe('SIGN_IN_LOCKED')
})

it('a reset allows five guesses per code and twenty a day over all codes', async () => {
  const member = await server.createMember()
  const code = await codeOf(member)
  expect(await countOutcomes(times(30, () => reset(member, wrongCode(code))))).toEqual({ '400 CODE_INVALID': 30 })
  expect((await reset(member, code)).body.code).toBe('CODE_INVALID')
  for (let again = 0; again < 3; again++) {
    await server.clock.ageCodes(241)
    const next = await codeOf(member)
    await Promise.all(times(5, () => reset(member, wrongCode(next))))
  }
  await server.clock.ageCodes(241)
  expect(await reset(member, await codeOf(member))).toMatchObject({ status: 429, body: { code: 'CODE_LOCKED' } })
})
