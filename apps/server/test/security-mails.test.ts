import { PASSWORD, uniqueEmail } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { beginRegistration, createRegistrant, findQueuedTemplates, register } from './accounts.ts'
import { openTestServer } from './test-server.ts'

const server = await openTestServer()
afterAll(() => server.close())

const BAIT = 'Claim your prize http://evil.example/'
/** Header injections. */
const INJECTED = 'Nour\r\nBcc: eve@example.ma\r\n\r\n<b>Hello</b>'

describe('a mail', () => {
  it.each([
    ['an advertisement', BAIT],
    ['a header injection', 'Nour Bcc: eve@example.ma'],
    ['markup', 'Nour <img src=x onerror=alert(1)>'],
  ])('to an unverified address contains no user input: a name that is %s', async (_what, name) => {
    const registrant = { ...createRegistrant(), name }
    expect((await beginRegistration(server, registrant)).status).toBe(200)
    const mail = await server.waitForMail(registrant.email)
    expect(mail.to).toEqual([registrant.email])
    expect(mail.subject).toMatch(/^\d{6} is your code to join the community$/)
    for (const part of [mail.subject, mail.text, mail.html])
      expect(part).not.toMatch(/prize|evil\.example|Bcc|eve@|Hello|onerror|Nour/)
    expect(mail.from).toBe(/[^\s<]+@[^\s>]+/.exec(server.deps.config.mailFrom)?.[0])
  })

  it('is not queued for a name of several lines', async () => {
    const { password, ...registrant } = { ...createRegistrant(), name: INJECTED }
    for (const [call, input] of [
      ['POST /auth/register', { ...registrant, password, confirmPassword: password }],
      ['POST /auth/resend-registration-otp', registrant],
      ['POST /auth/verify-registration-otp', { ...registrant, password, otp: '123456' }],
    ] as const) {
      const { status, body } = await server.rest()(call, input)
      expect([call, status, body.errors]).toEqual([
        call,
        400,
        [{ path: 'name', msg: 'Line breaks are not allowed here', code: 'INVALID' }],
      ])
    }
    expect(await findQueuedTemplates(server, registrant.email)).toEqual([])
  })

  it('to an account’s owner contains no input of the requester', async () => {
    const owner = await server.createMember()
    await beginRegistration(server, { ...createRegistrant(owner.email), name: BAIT })
    const notice = await server.waitForMail(owner.email)
    expect(notice.subject).toBe('You already have an account')
    expect(notice.text + notice.html).not.toMatch(/prize|evil\.example/)
  })

  it.each([
    [
      'a known browser with extra text',
      `Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0 Safari/537.36 ${BAIT} <img src=x> Bcc: eve@`,
    ],
    ['an unknown browser', `${BAIT}/1.0 (X11; Linux x86_64)`],
    ['an unknown system', `Mozilla/5.0 (${BAIT}) Chrome/120.0`],
    ['markup', '<img src=x onerror=alert(1)>/1.0 (X11; Linux) <b>evil.example</b>/2'],
  ])('about a device names known browsers and systems only: %s', async (_what, agent) => {
    const { user } = await register(server)
    const read = server.caughtMails()
    const login = { email: user.email, password: PASSWORD }
    expect((await server.rest()('POST /auth/login', login, { 'user-agent': agent })).status).toBe(200)
    const mail = await server.waitForMail(user.email, read)
    expect(mail.subject).toBe('New sign-in to your account')
    expect(mail.to).toEqual([user.email])
    expect(mail.text + mail.html).not.toMatch(/prize|evil\.example|<img|Bcc|eve@/)
  })

  it('goes to one recipient', async () => {
    const before = server.caughtMails().length
    for (const email of [
      'a@x.ma,b@x.ma',
      'a@x.ma;b@x.ma',
      'a@x.ma b@x.ma',
      'a@x.ma%0aBcc:b@x.ma',
      '"a@x.ma"@x.ma',
      'a@x.ma\nb@x.ma',
      'Nour <a@x.ma>',
      `${'a'.repeat(250)}@x.ma`,
    ])
      for (const line of ['POST /auth/forgot-password', 'POST /auth/send-otp'] as const) {
        const { status } = await server.rest()(line, { email })
        expect([line, email, status]).toEqual([line, email, 400])
      }
    const last = uniqueEmail()
    await beginRegistration(server, createRegistrant(last))
    await server.waitForMail(last)
    expect(server.caughtMails()).toHaveLength(before + 1)
  })

  it('links to APP_URL only', async () => {
    for (const { text, html } of server.caughtMails())
      for (const [link] of `${text} ${html}`.matchAll(/\bhttps?:\/\/[^\s"'<>)]+/g))
        expect(new URL(link).origin).toBe(server.deps.config.appUrl)
    expect(server.caughtMails().length).toBeGreaterThan(3)
  })
})
