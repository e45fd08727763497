import { PASSWORD, uniqueEmail } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import {
  TRUST_FORWARDED_FOR,
  createRegistrant,
  fromAddress,
  findQueuedTemplates,
  register,
  countOutcomes,
  times,
} from '../../test/accounts.ts'
import { openBrowser } from '../../test/browser.ts'
import { openTestServer } from '../../test/test-server.ts'
import { startIdentityProvider } from '../embedded/identity-provider.ts'
import { deleteExpired } from '../jobs/expired-commands.ts'
import { createIdentityProvider } from '../integrations/identity-provider.ts'

const APP_URL = 'http://localhost:3000'
const embedded = await startIdentityProvider({ appUrl: APP_URL })
const identityProvider = createIdentityProvider(embedded.oauth, APP_URL)
const server = await openTestServer({ APP_URL, ...TRUST_FORWARDED_FOR }, { identityProvider })
afterAll(async () => {
  await server.close()
  await embedded.close()
})

const chrome = (version: number, system = 'Linux; Android 14; SM-A546B') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`
const PHONE = chrome(126)
const LAPTOP = 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'
const MARRAKECH = '105.158.12.7'

const login = (email: string, userAgent: string, address = MARRAKECH) =>
  server.rest()('POST /auth/login', { email, password: PASSWORD }, { 'user-agent': userAgent, ...fromAddress(address) })
const findNotices = async (email: string) =>
  (await findQueuedTemplates(server, email)).filter((template) => template === 'new-device')
const waitForNotice = (email: string) =>
  expect
    .poll(() => server.caughtMails().findLast(({ to, subject }) => to.includes(email) && !/\d{6}/.test(subject)), {
      timeout: 5000,
    })
    .toBeDefined()
    .then(() => server.caughtMails().findLast(({ to, subject }) => to.includes(email) && !/\d{6}/.test(subject)))

describe('a sign-in from a new device', () => {
  it('notifies the owner: device, place, time with zone, and what to do', async () => {
    const member = await server.createMember()
    expect((await login(member.email, PHONE)).status).toBe(200)
    const mail = await waitForNotice(member.email)
    expect(mail?.subject).toBe('New sign-in to your account')
    expect(mail?.text).toContain('Device: Chrome on Android')
    expect(mail?.text).toContain(`Location: Morocco (${MARRAKECH})`)
    expect(mail?.text).toMatch(/Time: \d+ \w+ \d{4} at \d\d:\d\d UTC/)
    expect(mail?.text).toContain('change your password now')
    expect(mail?.text).toContain(APP_URL)
  })

  it('uses the owner’s language, not that of the request', async () => {
    const member = await server.createMember()
    await server.sql`update users set language = 'ar' where id = ${member.id}`
    await server.rest()(
      'POST /auth/login',
      { email: member.email, password: PASSWORD },
      {
        'user-agent': LAPTOP,
        'accept-language': 'fr',
      },
    )
    const mail = await waitForNotice(member.email)
    expect(mail?.subject).toBe('تسجيل دخول جديد إلى حسابك')
    expect(mail?.text).toContain('الجهاز: Firefox على Linux')
  })

  it('notifies once: not for another version, address or time', async () => {
    const member = await server.createMember()
    await login(member.email, PHONE)
    await login(member.email, chrome(131), '8.8.8.8')
    await login(member.email, chrome(126, 'Linux; Android 15; Pixel 9'))
    expect(await findNotices(member.email)).toHaveLength(1)
    await login(member.email, LAPTOP)
    expect(await findNotices(member.email)).toHaveLength(2)
  })

  it('sends one mail for twenty concurrent sign-ins', async () => {
    const member = await server.createMember()
    expect(await countOutcomes(times(20, () => login(member.email, LAPTOP)))).toEqual({ 200: 20 })
    expect(await findNotices(member.email)).toHaveLength(1)
  })

  it('does not notify about a wrong password', async () => {
    const member = await server.createMember()
    await server.rest()('POST /auth/login', { email: member.email, password: 'Wrong-2026' }, { 'user-agent': PHONE })
    expect(await findNotices(member.email)).toEqual([])
    await login(member.email, PHONE)
    expect(await findNotices(member.email)).toHaveLength(1)
  })

  it('contains no text from the request', async () => {
    const member = await server.createMember()
    const prize = 'Win a prize at http://evil.example/1.0 (Casablanca) free'
    await login(member.email, prize, '203.0.113.9')
    // The member's own tokens come from an unknown device, which makes it known.
    expect(await findNotices(member.email)).toEqual([])
    await server.sql`delete from known_devices where user_id = ${member.id}`
    await login(member.email, prize, '203.0.113.9')
    const mail = await waitForNotice(member.email)
    expect(mail?.text).toContain('Device: Unknown device')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/prize|evil|Casablanca/)
  })

  it('notifies again after a year without the device', async () => {
    const member = await server.createMember()
    await login(member.email, PHONE)
    const age = (days: number) =>
      server.clock.setAge('known_devices', 'last_seen_at', days * 86400, { user_id: member.id, browser: 'Chrome' })
    await age(360)
    await deleteExpired(server)
    // Signing in renews the device.
    await login(member.email, PHONE)
    expect(await findNotices(member.email)).toHaveLength(1)
    await deleteExpired(server)
    await login(member.email, PHONE)
    expect(await findNotices(member.email)).toHaveLength(1)
    await age(367)
    await deleteExpired(server)
    await login(member.email, PHONE)
    expect(await findNotices(member.email)).toHaveLength(2)
  })
})

describe('each kind of sign-in', () => {
  it('does not notify about a registration, the same device afterwards, or a refresh', async () => {
    const registrant = createRegistrant()
    const { refreshToken } = await register(server, registrant)
    expect((await login(registrant.email, 'lightMyRequest')).status).toBe(200)
    await server.rest()('POST /auth/refresh', { refreshToken }, { 'user-agent': PHONE })
    expect(await findQueuedTemplates(server, registrant.email)).toEqual(['code-registration'])
    await login(registrant.email, PHONE)
    expect(await findQueuedTemplates(server, registrant.email)).toEqual(['code-registration', 'new-device'])
  })

  it('notifies when the code is entered, not when it is requested', async () => {
    const member = await server.createMember()
    await server.sql`update users set sign_in_otp = true where id = ${member.id}`
    await login(member.email, PHONE)
    expect(await findQueuedTemplates(server, member.email)).toEqual(['code-sign-in'])
    const otp = await server.mailedCode(member.email)
    await server.rest()('POST /auth/verify-otp', { email: member.email, otp }, { 'user-agent': PHONE })
    expect(await findQueuedTemplates(server, member.email)).toEqual(['code-sign-in', 'new-device'])
  })

  it('notifies about an external sign-in to an existing account, not to a new one', async () => {
    const signInExternally = async (email: string) => {
      const read = server.caughtMails()
      const browser = openBrowser(server)
      await browser.follow(await browser.signInAt(await browser.beginSignIn(), { email }))
      return browser.verify(email, await server.mailedCode(email, read))
    }
    const email = uniqueEmail()
    expect((await signInExternally(email)).status).toBe(200)
    expect(await findNotices(email)).toEqual([])
    const member = await server.createMember()
    await server.sql`update known_devices set browser = 'Opera' where user_id = ${member.id}`
    expect((await signInExternally(member.email)).status).toBe(200)
    expect(await findNotices(member.email)).toHaveLength(1)
  })
})

it('the notice is queued if and only if the sign-in is committed', async () => {
  const member = await server.createMember()
  await server.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${member.id}`
  expect((await login(member.email, PHONE)).status).toBe(403)
  expect(await findNotices(member.email)).toEqual([])
  expect(await server.sql`select 1 from known_devices where user_id = ${member.id} and browser = 'Chrome'`).toEqual([])
})
