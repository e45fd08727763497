import { PASSWORD, uniqueEmail, wrongCode } from '@community/testing'
import { randomUUID } from 'node:crypto'
import { createTestDatabase } from '@community/testing/database'
import { afterAll, describe, expect, it } from 'vitest'
import { findQueuedTemplates, register, createRegistrant, times } from '../../test/accounts.ts'
import { openBrowser } from '../../test/browser.ts'
import { openTestServer, openTestServerOn, type TestServer } from '../../test/test-server.ts'
import { startIdentityProvider } from '../embedded/identity-provider.ts'
import { deleteExpired } from '../jobs/expired-commands.ts'
import { createIdentityProvider, type IdentityProvider } from '../integrations/identity-provider.ts'

const APP_URL = 'http://localhost:3000'
const embedded = await startIdentityProvider({ appUrl: APP_URL })
const server = await openTestServer({ APP_URL }, { identityProvider: createIdentityProvider(embedded.oauth, APP_URL) })
afterAll(async () => {
  await server.close()
  await embedded.close()
})

const FAILED = `${APP_URL}/#external-sign-in-failed`

/** Signs in at the provider and follows the callback; `target` is where the app redirects to. */
async function returnFromProvider(person: { email: string; name?: string; isVerified?: boolean }) {
  const browser = openBrowser(server)
  const back = await browser.signInAt(await browser.beginSignIn(), person)
  const target = await browser.follow(back)
  return { browser, back, target }
}
/** Links an identity of the provider, whose subject is its address there. */
const link = (subject: string, { id }: { id: string }) => server.sql`
  insert into identities (issuer, subject, user_id) values (${embedded.oauth.issuer}, ${subject}, ${id})`
const account = async (email: string) => (await server.sql`select * from users where email = ${email}`)[0]

describe('the redirect to the provider', () => {
  it.each(['/auth/google', '/api/auth/google'])(
    '%s uses a state, a nonce and PKCE, encrypted in a cookie',
    async (path) => {
      const response = await server.app.inject(path)
      expect(response.statusCode).toBe(302)
      const target = new URL(response.headers.location ?? '')
      expect(target.origin).toBe(embedded.oauth.issuer)
      const query = Object.fromEntries(target.searchParams)
      expect(query).toMatchObject({
        response_type: 'code',
        client_id: 'community',
        code_challenge_method: 'S256',
        redirect_uri: `${APP_URL}/auth/google/callback`,
        scope: 'openid email profile',
      })
      for (const name of ['state', 'nonce', 'code_challenge']) expect(query[name]?.length).toBeGreaterThanOrEqual(40)
      const cookie = String(response.headers['set-cookie'])
      expect(cookie).toMatch(/^community_external=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
      expect(Buffer.from(cookie, 'base64url').includes(query['state'] ?? '')).toBe(false)
      const again = new URL((await server.app.inject(path)).headers.location ?? '')
      for (const name of ['state', 'nonce', 'code_challenge'])
        expect(again.searchParams.get(name)).not.toBe(query[name])
    },
  )

  it('uses `__Host-` cookies over https', async () => {
    const safe = await openTestServer(
      { APP_URL: 'https://community.example' },
      { identityProvider: server.deps.identityProvider },
    )
    const cookie = String((await safe.app.inject('/auth/google')).headers['set-cookie'])
    expect(cookie).toMatch(/^__Host-community_external=[\w-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    await safe.close()
  })

  it('takes its URLs from the settings, not from the Host header', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const { location } = (await server.app.inject({ url: '/auth/google?next=https://evil.example', headers })).headers
    expect(location).not.toContain('evil')
    const back = await server.app.inject({ url: '/auth/google/callback?next=//evil.example', headers })
    expect(back.headers.location).toBe(FAILED)
  })

  it('is 404 without a provider, and redirects to the app while the provider is unavailable', async () => {
    const plain = await openTestServer()
    for (const path of ['/auth/google', '/api/auth/google']) {
      const off = await plain.app.inject(path)
      expect([off.statusCode, off.json().code]).toEqual([404, 'EXTERNAL_SIGN_IN_OFF'])
    }
    await plain.close()
    const unreachable = { issuer: 'http://127.0.0.1:9', clientId: 'a', clientSecret: 'b' }
    const away = await openTestServer({ APP_URL }, { identityProvider: createIdentityProvider(unreachable, APP_URL) })
    const { statusCode, headers } = await away.app.inject('/auth/google')
    expect([statusCode, headers.location]).toEqual([302, FAILED])
    await away.close()
  })
})

describe('the callback', () => {
  it('mails a code and redirects to its page; the code creates the account and signs in', async () => {
    const email = uniqueEmail()
    const { browser, target } = await returnFromProvider({ email, name: 'خديجة' })
    expect(target).toBe(`${APP_URL}/auth/google-otp?${new URLSearchParams({ email, name: 'خديجة' }).toString()}`)
    expect(await findQueuedTemplates(server, email)).toEqual(['code-external'])
    expect(await account(email)).toBeUndefined()

    const { status, body, cookies } = await browser.verify(email, await server.mailedCode(email))
    expect(status).toBe(200)
    expect(body.data.user).toMatchObject({ name: 'خديجة', email, role: 'member', hasPassword: false })
    expect((await server.rest(body.data)('GET /users/profile')).status).toBe(200)
    // The binding cookie is cleared; only the device cookie remains.
    expect(cookies.join()).toMatch(/community_external_code=; Max-Age=0; Path=\//)
    expect([...browser.cookies.keys()]).toEqual(['community_devices'])
    // The account has no password, so every password is wrong.
    expect((await server.rest()('POST /auth/login', { email, password: PASSWORD })).status).toBe(401)
  })

  it('signs in to the same account later', async () => {
    const email = uniqueEmail()
    const first = await returnFromProvider({ email })
    const { id } = (await first.browser.verify(email, await server.mailedCode(email))).body.data.user
    const read = server.caughtMails()
    const second = await returnFromProvider({ email })
    const again = await second.browser.verify(email, await server.mailedCode(email, read))
    expect(again.body.data.user.id).toBe(id)
  })

  it.each(['nobody', 'another account'])(
    'mails the code of a linked account to its own address, if that at the provider is now of %s',
    async (owner) => {
      const [member, other] = [await server.createMember(), await server.createMember()]
      const moved = owner === 'nobody' ? uniqueEmail() : other.email
      await link(moved, member)
      const { browser, target } = await returnFromProvider({ email: moved })
      expect(new URL(target).searchParams.get('email')).toBe(member.email)
      expect(await findQueuedTemplates(server, moved)).toEqual([])
      expect((await browser.verify(moved, '000000')).body.code).toBe('CODE_INVALID')
      const { body } = await browser.verify(member.email, await server.mailedCode(member.email))
      expect(body.data.user.id).toBe(member.id)
    },
  )

  it('does not sign in to an account linked since with a code that was mailed elsewhere', async () => {
    const [member, email] = [await server.createMember(), uniqueEmail()]
    const { browser } = await returnFromProvider({ email })
    await link(email, member)
    expect((await browser.verify(email, await server.mailedCode(email))).body.code).toBe('CODE_INVALID')
  })

  it('links an account with a password only after the code is entered', async () => {
    const { user } = await register(server)
    const read = server.caughtMails()
    const { browser } = await returnFromProvider({ email: user.email, name: 'Somebody else' })
    const links = () => server.sql`select issuer, subject from identities where user_id = ${user.id}`
    expect(await links()).toEqual([])
    const code = await server.mailedCode(user.email, read)
    expect((await browser.verify(user.email, wrongCode(code))).status).toBe(400)
    expect(await links()).toEqual([])
    const { body } = await browser.verify(user.email, code)
    expect(body.data.user).toMatchObject({ id: user.id, name: user.name, hasPassword: true })
    expect(await links()).toEqual([{ issuer: embedded.oauth.issuer, subject: user.email }])
    expect((await server.rest()('POST /auth/login', { email: user.email, password: PASSWORD })).status).toBe(200)
  })

  it('mails in Arabic for an Arabic browser', async () => {
    const browser = openBrowser(server)
    const email = uniqueEmail()
    const back = await browser.signInAt(await browser.beginSignIn(), { email })
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'accept-language': 'ar' }
    await server.app.inject({ url: `${back.pathname}${back.search}`, headers })
    expect((await server.waitForMail(email)).subject).toContain('رمز تسجيل الدخول')
  })

  it.each([
    ['ar', 'رمز تسجيل الدخول'],
    ['tlh', 'is your sign-in code'],
    ['ar&language=fr', 'is your sign-in code'],
  ])('mails in the language of the page it started on, if valid: %s', async (language, subject) => {
    const browser = openBrowser(server)
    const email = uniqueEmail()
    await browser.follow(
      await browser.signInAt(await browser.beginSignIn(`/auth/google?language=${language}`), { email }),
    )
    expect((await server.waitForMail(email)).subject).toContain(subject)
  })
})

describe('external sign-in is rejected', () => {
  it('from another browser, which uses up no attempts', async () => {
    const email = uniqueEmail()
    const { browser } = await returnFromProvider({ email })
    const code = await server.mailedCode(email)
    const stranger = openBrowser(server)
    const other = await returnFromProvider({ email: uniqueEmail() })
    for (const thief of [stranger, other.browser])
      for (const otp of [code, ...times(6, () => wrongCode(code))]) {
        const { status, body } = await thief.verify(email, otp)
        expect([status, body.code]).toEqual([400, 'CODE_INVALID'])
      }
    expect((await browser.verify(email, code)).status).toBe(200)
  })

  it('with another user’s code entered in one’s own browser', async () => {
    const [mine, theirs] = [uniqueEmail(), uniqueEmail()]
    const { browser } = await returnFromProvider({ email: mine })
    await returnFromProvider({ email: theirs })
    expect((await browser.verify(theirs, await server.mailedCode(theirs))).status).toBe(400)
  })

  it('without the state of the same browser', async () => {
    const email = uniqueEmail()
    const browser = openBrowser(server)
    const back = await browser.signInAt(await browser.beginSignIn(), { email })
    const without = (name: string) => {
      const url = new URL(back)
      url.searchParams.delete(name)
      return url
    }
    const foreign = openBrowser(server)
    await foreign.beginSignIn()
    // A browser lured into this sign-in; one that started none; one that lost a cookie or parameter.
    expect(await foreign.follow(back)).toBe(FAILED)
    expect(await openBrowser(server).follow(back)).toBe(FAILED)
    for (const name of ['state', 'code']) {
      const copy = openBrowser(server)
      for (const [key, value] of browser.cookies) copy.cookies.set(key, value)
      expect(await copy.follow(without(name))).toBe(FAILED)
      // One callback per state, successful or not.
      expect(copy.cookies.size).toBe(0)
      expect(await copy.follow(back)).toBe(FAILED)
    }
    expect(await findQueuedTemplates(server, email)).toEqual([])
    expect(await browser.follow(back)).toContain('/auth/google-otp?')
    // The provider's code is valid once.
    expect(await browser.follow(back)).toBe(FAILED)
    expect(await findQueuedTemplates(server, email)).toHaveLength(1)
  })

  it('after consent was denied, or with an unverified address', async () => {
    const browser = openBrowser(server)
    const provider = await browser.beginSignIn()
    const rejected = new URL('/auth/google/callback', APP_URL)
    rejected.search = new URLSearchParams({
      error: 'access_denied',
      state: provider.searchParams.get('state') ?? '',
    }).toString()
    expect(await browser.follow(rejected)).toBe(FAILED)
    const email = uniqueEmail()
    expect((await returnFromProvider({ email, isVerified: false })).target).toBe(FAILED)
    expect(await findQueuedTemplates(server, email)).toEqual([])
  })

  it('for a blacklisted address in any spelling, before and after the code', async () => {
    await server.sql`insert into blacklist (email, email_key, reason) values ('b@gmail.com', 'blocked@gmail.com', 'spam')`
    expect((await returnFromProvider({ email: 'b.locked+1@googlemail.com' })).target).toBe(FAILED)
    const email = uniqueEmail()
    const { browser } = await returnFromProvider({ email })
    const code = await server.mailedCode(email)
    await server.sql`insert into blacklist (email, email_key, reason) values (${email}, ${email}, 'spam')`
    expect((await browser.verify(email, code)).body.code).toBe('EMAIL_REFUSED')
    expect(await account(email)).toBeUndefined()
  })

  it('for a banned account', async () => {
    const { user } = await register(server)
    await server.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${user.id}`
    const read = server.caughtMails()
    const { browser } = await returnFromProvider({ email: user.email })
    expect((await browser.verify(user.email, await server.mailedCode(user.email, read))).body.code).toBe('BANNED')
  })

  it('after the time limit', async () => {
    const email = uniqueEmail()
    const { browser } = await returnFromProvider({ email })
    await server.clock.ageCodes(301)
    const { status, body } = await browser.verify(email, await server.mailedCode(email))
    expect([status, body.expired]).toEqual([400, true])
  })
})

it('signs in to an existing account whose email was blacklisted since', async () => {
  const { user } = await register(server)
  await server.sql`insert into blacklist (email, email_key, reason) values (${user.email}, ${user.email}, 'spam')`
  const read = server.caughtMails()
  const { browser } = await returnFromProvider({ email: user.email })
  const { status, body } = await browser.verify(user.email, await server.mailedCode(user.email, read))
  expect([status, body.data?.user.id]).toEqual([200, user.id])
})

it('during the cooldown the existing code belongs to the browser that returned last', async () => {
  const email = uniqueEmail()
  const first = await returnFromProvider({ email })
  const code = await server.mailedCode(email)
  await server.clock.ageCodes(100)
  const second = await returnFromProvider({ email })
  // The page counts down to the code's expiry.
  expect(Number(new URL(second.target).searchParams.get('expiresIn'))).toSatisfy((left) => left > 190 && left <= 200)
  expect(await findQueuedTemplates(server, email)).toHaveLength(1)
  expect((await first.browser.verify(email, code)).status).toBe(400)
  expect((await second.browser.verify(email, code)).status).toBe(200)
})

it('twenty concurrent entries of one code create one account and one sign-in', async () => {
  const email = uniqueEmail()
  const { browser } = await returnFromProvider({ email })
  const code = await server.mailedCode(email)
  const entered = await Promise.all(times(20, () => browser.verify(email, code)))
  expect(entered.filter(({ status }) => status === 200)).toHaveLength(1)
  const [row] = await server.sql`
    select (select count(*)::int from users where email = ${email}) as accounts,
      (select count(*)::int from refresh_families f join users u on u.id = f.user_id where u.email = ${email}) as sign_ins`
  expect(row).toEqual({ accounts: 1, sign_ins: 1 })
})

it('a concurrent registration of the same address creates one account', async () => {
  for (let round = 0; round < 5; round++) {
    const registrant = createRegistrant()
    const { browser } = await returnFromProvider({ email: registrant.email })
    const external = await server.mailedCode(registrant.email)
    const read = server.caughtMails()
    await server.rest()('POST /auth/register', { ...registrant, confirmPassword: PASSWORD })
    const otp = await server.mailedCode(registrant.email, read)
    const [back, joined] = await Promise.all([
      browser.verify(registrant.email, external),
      server.rest()('POST /auth/verify-registration-otp', { ...registrant, otp }),
    ])
    expect(back.status).toBe(200)
    expect([201, 409]).toContain(joined.status)
    expect(await server.sql`select id from users where email = ${registrant.email}`).toHaveLength(1)
  }
})

it('over tRPC the code is bound to its browser too', async () => {
  const email = uniqueEmail()
  const { browser } = await returnFromProvider({ email })
  const otp = await server.mailedCode(email)
  expect((await server.trpc(null, 'auth.verifyGoogleOtp', { email, otp })).failure.code).toBe('CODE_INVALID')
  const response = await server.app.inject({
    method: 'POST',
    url: '/trpc/auth.verifyGoogleOtp',
    headers: { cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    payload: { email, otp },
  })
  expect(response.json().result.data.user.email).toBe(email)
  expect(String(response.headers['set-cookie'])).toMatch(/community_external_code=; Max-Age=0; Path=\//)
})

describe('the state of a sign-in', () => {
  /** Accepts any code any number of times, like a provider with a replay vulnerability. */
  const createLenientProvider = (email: string): IdentityProvider => ({
    check: () => Promise.resolve(),
    begin: () => {
      const [state, verifier, nonce] = [randomUUID(), randomUUID(), randomUUID()]
      return Promise.resolve({
        url: new URL(`https://provider.example/?state=${state}`),
        pending: { state, verifier, nonce },
      })
    },
    finish: () =>
      Promise.resolve({
        issuer: 'https://provider.example',
        subject: email,
        email,
        isEmailVerified: true,
        name: 'Sara',
      }),
  })
  const callbackOf = (target: URL) => `/auth/google/callback?code=c&state=${target.searchParams.get('state')}`
  /** Sends the callback with the cookies from the start. */
  const replay = async (on: TestServer, url: string, cookie: string) =>
    (await on.app.inject({ url, headers: { cookie } })).headers.location
  async function beginSignIn(on: TestServer) {
    const browser = openBrowser(on)
    const url = callbackOf(await browser.beginSignIn())
    return { url, cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  it('accepts one of twenty callbacks with the same cookie, over two processes, and none afterwards', async () => {
    const email = uniqueEmail()
    const database = await createTestDatabase()
    const first = await openTestServerOn(database, { APP_URL }, { identityProvider: createLenientProvider(email) })
    const withoutDrop = { ...database, drop: () => Promise.resolve() }
    const over = { identityProvider: createLenientProvider(email), secret: first.deps.secret }
    const second = await openTestServerOn(withoutDrop, { APP_URL }, over)
    const { url, cookie } = await beginSignIn(first)
    const locations = await Promise.all(times(20, (at) => replay(at % 2 ? first : second, url, cookie)))
    expect(locations.filter((location) => location !== FAILED)).toEqual([
      `${APP_URL}/auth/google-otp?${new URLSearchParams({ email, name: 'Sara' }).toString()}`,
    ])
    for (const on of [first, second]) expect(await replay(on, url, cookie)).toBe(FAILED)
    await second.close()
    await first.close()
  })

  it('is not consumed by another browser, expires after ten minutes by the database’s clock and is deleted', async () => {
    const on = await openTestServer({ APP_URL }, { identityProvider: createLenientProvider(uniqueEmail()) })
    const [mine, other] = [await beginSignIn(on), await beginSignIn(on)]
    const rows = () => on.sql`select state_hash from pending_external_sign_ins`
    expect(await replay(on, mine.url, other.cookie)).toBe(FAILED)
    expect(await rows()).toHaveLength(2)
    expect(await replay(on, mine.url, mine.cookie)).not.toBe(FAILED)
    expect(await rows()).toHaveLength(1)
    await on.clock.age('pending_external_sign_ins', 'expires_at', 601)
    expect(await replay(on, other.url, other.cookie)).toBe(FAILED)
    await deleteExpired(on)
    expect(await rows()).toHaveLength(0)
    await on.close()
  })
})
