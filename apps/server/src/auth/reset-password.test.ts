import { PASSWORD, uniqueEmail } from '@community/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startIdentityProvider } from '../embedded/identity-provider.ts'
import { ageCodes, ANY_ADDRESS, begin, candidate, from, mailsTo, tally, times, wrong } from '../../test/accounts.ts'
import { openBrowser } from '../../test/browser.ts'
import { openWorld, type Person, type World } from '../../test/world.ts'
import { createIdentityProvider } from '../integrations/identity-provider.ts'

const APP_URL = 'http://localhost:3000'
let embedded: Awaited<ReturnType<typeof startIdentityProvider>>
let world: World
beforeAll(async () => {
  embedded = await startIdentityProvider({ appUrl: APP_URL })
  const identityProvider = createIdentityProvider(embedded.oauth, APP_URL)
  world = await openWorld({ ...ANY_ADDRESS, APP_URL }, { identityProvider })
})
afterAll(async () => {
  await world.close()
  await embedded.close()
})

const NEXT = 'Tagine-2027'
type Mailbox = Pick<Person, 'email'>
let lastAddress = 0
const anywhere = () => from(`10.12.${++lastAddress >> 8}.${lastAddress & 255}`)
const forgot = ({ email }: Mailbox) => world.rest()('POST /auth/forgot-password', { email }, anywhere())
const reset = ({ email }: Mailbox, otp: string, password = NEXT, headers = anywhere()) =>
  world.rest()('POST /auth/reset-password', { email, otp, password, confirmPassword: password }, headers)
const login = ({ email }: Mailbox, password = PASSWORD, headers = anywhere()) =>
  world.rest()('POST /auth/login', { email, password }, headers)
/** Requests a reset code and reads it from the mail. */
async function codeOf(who: Mailbox): Promise<string> {
  const read = world.mails()
  expect((await forgot(who)).status).toBe(200)
  return world.code(who.email, read)
}

describe('a forgotten password', () => {
  it('is reset with the mailed code, which works once and does not sign in', async () => {
    const member = await world.member()
    const asked = await forgot(member)
    expect(asked).toMatchObject({
      status: 200,
      body: { message: 'Verification Code Sent!', data: { expirationMinutes: 5 } },
    })
    const code = await world.code(member.email)
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
    const member = await world.member()
    const first = await codeOf(member)
    const soon = await forgot(member)
    expect(soon).toMatchObject({ status: 429, body: { code: 'CODE_TOO_SOON' } })
    expect(soon.headers['retry-after']).toBe(String(soon.body.cooldown))
    await ageCodes(world, 241)
    const second = await codeOf(member)
    if (first !== second) expect((await reset(member, first)).body.code).toBe('CODE_INVALID')
    await ageCodes(world, 301)
    expect((await reset(member, second)).body).toMatchObject({ code: 'CODE_EXPIRED', expired: true })
    expect(await mailsTo(world, member.email)).toEqual(['code-reset', 'code-reset'])
  })

  it('is mailed in the account’s language, not the browser’s', async () => {
    const member = await world.member()
    await world.sql`update users set language = 'fr' where id = ${member.id}`
    await world.rest()('POST /auth/forgot-password', { email: member.email }, { 'accept-language': 'ar' })
    expect((await world.mail(member.email)).subject).toMatch(/^\d{6} : votre code pour un nouveau mot de passe$/)
    const read = world.mails()
    await reset(member, await world.code(member.email))
    const notice = await world.mail(member.email, read)
    expect(notice.subject).toBe('Votre mot de passe a été modifié')
  })

  it('sets the first password of an external account', async () => {
    const member = await world.member()
    await world.sql`update users set password_hash = null where id = ${member.id}`
    expect((await reset(member, await codeOf(member))).status).toBe(200)
    const { body } = await login(member, NEXT)
    expect(body.data.user).toMatchObject({ id: member.id, hasPassword: true })
  })

  it('of a banned or unknown account gets the same response; nothing is mailed and no code is valid', async () => {
    const [banned, nobody] = [await world.member(), { email: uniqueEmail() }]
    await world.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${banned.id}`
    for (const who of [banned, nobody]) {
      expect((await forgot(who)).body.data).toEqual({ expirationMinutes: 5, resetId: expect.any(String) })
      expect((await reset(who, '000000')).body.code).toBe('CODE_INVALID')
      expect(await mailsTo(world, who.email)).toEqual([])
    }
    expect(await world.sql`select payload from jobs where recipient = '' and payload <> ''`).toEqual([])
  })

  it('is not changed for an account banned after the mail', async () => {
    const member = await world.member()
    const code = await codeOf(member)
    await world.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${member.id}`
    expect((await reset(member, code)).body.code).toBe('CODE_INVALID')
    const [row] = await world.sql`select password_hash from users where id = ${member.id}`
    expect(await world.deps.passwords.verify(row?.password_hash as string, PASSWORD)).toBe(true)
  })

  it('of an administrator must meet the stricter rules, revealed only with the code; the code stays valid', async () => {
    const admin = await world.admin()
    const code = await codeOf(admin)
    expect((await reset(admin, wrong(code), 'Admin-at-Riad-26')).body.code).toBe('CODE_INVALID')
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

describe('T-A7 account takeover by reset', () => {
  it.each([
    ['an array', (email: string) => [email, 'evil@example.ma']],
    ['an array of one', (email: string) => [email]],
    ['an object', (email: string) => ({ email, $ne: '' })],
    ['two addresses', (email: string) => `${email},evil@example.ma`],
    ['two addresses apart', (email: string) => `${email} evil@example.ma`],
    ['a header more', (email: string) => `${email}\r\nBcc: evil@example.ma`],
    ['a line more', (email: string) => `${email}\nevil@example.ma`],
    ['a display name', (email: string) => `"${email}" <evil@example.ma>`],
    ['a route', (email: string) => `<@evil.example:${email}>`],
    ['a quoted part', (email: string) => `"${email.split('@')[0]}"@example.ma`],
    ['U+0131 for i', (email: string) => email.replace('kin', 'k\u0131n')],
    ['U+212A for k', (email: string) => email.replace('kin', '\u212Ain')],
    ['full-width letters', (email: string) => email.replace('kin', '\uFF4Bin')],
    ['a trailing NUL', (email: string) => `${email}\u0000`],
    ['a NUL within', (email: string) => email.replace('@', '\u0000@')],
    ['a zero-width space', (email: string) => `${email}\u200b`],
  ])('T-A7 %s is not an address: 400 over both transports, and nothing is mailed', async (_case, spell) => {
    const member = await world.member()
    const email = `kin${member.email}`
    await world.sql`update users set email = ${email} where id = ${member.id}`
    const input = { email: spell(email) }
    expect(await world.rest()('POST /auth/forgot-password', input, anywhere())).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'email', msg: 'Please enter a valid email address' }] },
    })
    expect((await world.trpc(null, 'auth.forgotPassword', input)).status).toBe(400)
    const fields = { otp: '000000', password: NEXT, confirmPassword: NEXT }
    expect((await world.rest()('POST /auth/reset-password', { ...input, ...fields }, anywhere())).status).toBe(400)
    expect(await world.sql`select email from codes where purpose = 'reset' and email like '%kin%'`).toEqual([])
    expect(await mailsTo(world, email)).toEqual([])
    expect(await mailsTo(world, 'evil@example.ma')).toEqual([])
  })

  it('T-A7 ignores spaces and case and mails the stored address', async () => {
    const member = await world.member()
    expect((await forgot({ email: `  ${member.email.toUpperCase()} ` })).status).toBe(200)
    const mail = await world.mail(member.email)
    expect(mail.to).toEqual([member.email])
    // One row, one cooldown.
    expect((await forgot(member)).body.code).toBe('CODE_TOO_SOON')
    expect((await reset({ email: ` ${member.email} ` }, await world.code(member.email))).status).toBe(200)
  })

  it('T-A7 an address that differs by plus or dots is another account', async () => {
    const name = `nour${Date.now()}`
    const [mine, theirs] = [await world.member(), await world.member()]
    await world.sql`update users set email = ${`${name}@gmail.com`} where id = ${mine.id}`
    await world.sql`update users set email = ${`${name}+evil@gmail.com`} where id = ${theirs.id}`
    const code = await codeOf({ email: `${name}+evil@gmail.com` })
    expect(await mailsTo(world, `${name}@gmail.com`)).toEqual([])
    expect((await reset({ email: `${name}@gmail.com` }, code)).body.code).toBe('CODE_INVALID')
  })

  it('T-A7 twenty concurrent entries of one code make one reset', async () => {
    const member = await world.member()
    const code = await codeOf(member)
    const wanted = times(20, (index) => `Tagine-20${30 + index}`)
    const outcomes = await Promise.all(wanted.map((password) => reset(member, code, password)))
    expect(await tally(outcomes.map((one) => Promise.resolve(one)))).toEqual({ 200: 1, '400 CODE_INVALID': 19 })
    const winner = wanted[outcomes.findIndex(({ status }) => status === 200)]
    expect((await login(member, winner)).status).toBe(200)
    expect((await mailsTo(world, member.email)).filter((one) => one === 'password-changed')).toHaveLength(1)
  })

  it('T-A7 old tokens are 401 at once over both transports; other codes are invalid; the owner is notified', async () => {
    const member = await world.member()
    await world.rest(member)('PUT /users/profile', { signInOtp: true })
    const other = await world.member()
    await login(member)
    const signInCode = await world.code(member.email)
    await ageCodes(world, 241)
    const read = world.mails()
    await forgot(member)
    const code = await world.code(member.email, read)
    expect((await reset(member, code)).status).toBe(200)
    expect((await world.rest(member)('GET /users/profile')).status).toBe(401)
    expect((await world.trpc(member, 'users.profile')).status).toBe(401)
    expect((await world.rest()('POST /auth/refresh', { refreshToken: member.refreshToken })).status).toBe(401)
    const late = await world.rest()('POST /auth/verify-otp', { email: member.email, otp: signInCode }, anywhere())
    expect(late.body.code).toBe('CODE_INVALID')
    expect(await mailsTo(world, member.email)).toEqual(['code-sign-in', 'code-reset', 'password-changed'])
    const [ended] = await world.sql`select revoked_reason from refresh_families where user_id = ${member.id}`
    expect(ended?.revoked_reason).toBe('the password was reset')
    // Other accounts keep theirs.
    expect((await world.rest(other)('GET /users/profile')).status).toBe(200)
  })

  it('T-A7 an external sign-in started before the reset cannot be completed', async () => {
    const member = await world.member()
    const browser = openBrowser(world)
    await browser.follow(await browser.signInAt(await browser.begin(), member))
    const otp = await world.code(member.email)
    expect((await reset(member, await codeOf(member))).status).toBe(200)
    const headers = { ...anywhere(), cookie: cookieOf(browser) }
    const late = await world.rest()('POST /auth/verify-google-otp', { email: member.email, otp }, headers)
    expect(late.body.code).toBe('CODE_INVALID')
  })

  it('T-A7 a concurrent refresh does not outlive the reset', async () => {
    for (let round = 0; round < 5; round++) {
      const member = await world.member()
      const code = await codeOf(member)
      const refresh = () => world.rest()('POST /auth/refresh', { refreshToken: member.refreshToken }, anywhere())
      const [done, ...pairs] = await Promise.all([reset(member, code), ...times(6, refresh)])
      expect(done.status).toBe(200)
      for (const { body } of pairs)
        if (body.success) {
          expect((await world.rest(body.data)('GET /users/profile')).status).toBe(401)
          const again = await world.rest()('POST /auth/refresh', { refreshToken: body.data.refreshToken }, anywhere())
          expect(again.status).toBe(401)
        }
    }
  })
})

it('T-A8 a code works for its own purpose only: sign-in, registration, reset and external, at each procedure', async () => {
  const purposes = ['sign-in', 'registration', 'reset', 'external'] as const
  for (const made of purposes)
    for (const used of purposes) {
      // A separate account for every cell, so that attempts and used codes do not interfere.
      const member = await world.member()
      const who = made === 'registration' ? candidate() : { ...candidate(member.email), id: member.id }
      const browser = openBrowser(world)
      if (made === 'sign-in') {
        await world.rest(member)('PUT /users/profile', { signInOtp: true })
        await login(member)
      }
      if (made === 'registration') await begin(world, who)
      if (made === 'reset') await forgot(who)
      if (made === 'external') await browser.follow(await browser.signInAt(await browser.begin(), who))
      const otp = await world.code(who.email)
      const cookie = cookieOf(browser)
      const { email, name } = who
      const calls = {
        'sign-in': () => world.rest()('POST /auth/verify-otp', { email, otp }, anywhere()),
        registration: () =>
          world.rest()('POST /auth/verify-registration-otp', { name, email, password: PASSWORD, otp }, anywhere()),
        reset: () => reset(who, otp),
        external: () => world.rest()('POST /auth/verify-google-otp', { email, otp }, { ...anywhere(), cookie }),
      }
      const { status, body } = await calls[used]()
      const outcome = made === used ? status < 300 : body.code
      expect([made, used, outcome]).toEqual([made, used, made === used ? true : 'CODE_INVALID'])
    }
})

it('T-A10 a reset works while sign-ins are locked, and lifts the lock for every address', async () => {
  const [member, bystander] = [await world.member(), await world.member()]
  const [mine, theirs] = [anywhere(), anywhere()]
  for (const who of [member, bystander])
    for (const place of [mine, theirs]) await Promise.all(times(12, () => login(who, 'Zellige-2027', place)))
  await Promise.all(times(12, () => login(member, 'Zellige-2027')))
  expect((await login(member)).body.code).toBe('SIGN_IN_LOCKED')
  await world.sql`delete from rate_limits where key like 'wrong:%'`
  expect((await reset(member, await codeOf(member), NEXT, mine)).status).toBe(200)
  for (const place of [mine, theirs, anywhere()]) expect((await login(member, NEXT, place)).status).toBe(200)
  expect((await login(bystander, PASSWORD, mine)).body.code).toBe('SIGN_IN_LOCKED')
})

it('T-A1 a reset allows five guesses per code and twenty a day over all codes', async () => {
  const member = await world.member()
  const code = await codeOf(member)
  expect(await tally(times(30, () => reset(member, wrong(code))))).toEqual({ '400 CODE_INVALID': 30 })
  expect((await reset(member, code)).body.code).toBe('CODE_INVALID')
  for (let again = 0; again < 3; again++) {
    await ageCodes(world, 241)
    const next = await codeOf(member)
    await Promise.all(times(5, () => reset(member, wrong(next))))
  }
  await ageCodes(world, 241)
  expect(await reset(member, await codeOf(member))).toMatchObject({ status: 429, body: { code: 'CODE_LOCKED' } })
})
