import { type Message, unknownFieldMessage } from '@community/contract'
import { PASSWORD, uniqueEmail, wrongCode } from '@community/testing'
import { inTransaction } from '@community/db'
import { afterAll, describe, expect, it } from 'vitest'
import {
  TRUST_FORWARDED_FOR,
  beginRegistration,
  createRegistrant,
  fromAddress,
  findQueuedTemplates,
  register,
  countOutcomes,
  times,
  maskSealedIds,
} from '../../test/accounts.ts'
import { ensureBlacklistEntry, insertBlacklistEntry } from '../admin/moderation-commands.ts'
import { openTestServer, type TestServer } from '../../test/test-server.ts'
import { createPasswordHasher } from './passwords.ts'

const server = await openTestServer(TRUST_FORWARDED_FOR, { passwords: createPasswordHasher() })
afterAll(() => server.close())

const verify = (registrant: object, otp: string, address = '127.0.0.1') =>
  server.rest()('POST /auth/verify-registration-otp', { ...registrant, otp }, fromAddress(address))
const account = async (email: string) => (await server.sql`select * from users where email = ${email}`)[0]
const block = (email: string, key: string) =>
  server.sql`insert into blacklist (email, email_key, reason) values (${email}, ${key}, 'spam')`

describe('registering', () => {
  it('stores no submitted data until the code is entered', async () => {
    const registrant = { ...createRegistrant(), name: 'Claim your prize at http://evil.example' }
    await beginRegistration(server, registrant)
    const code = await server.mailedCode(registrant.email)
    expect(await account(registrant.email)).toBeUndefined()
    const stored = await server.sql`
      select to_jsonb(c)::text as row from codes c union all select to_jsonb(o)::text from jobs o`
    expect(stored.map(({ row }) => row).join()).not.toMatch(/Claim your prize|Zellige/)
    // No text chosen by a stranger reaches an unverified mailbox.
    const mail = await server.waitForMail(registrant.email)
    expect(`${mail.subject}${mail.text}${mail.html}`).not.toContain('prize')
    expect(mail.to).toEqual([registrant.email])
    expect((await verify(registrant, wrongCode(code))).status).toBe(400)
    expect(await account(registrant.email)).toBeUndefined()
  })

  it('creates the account sent with the code and signs in', async () => {
    const { user, token, refreshToken } = await register(server)
    expect(user).toMatchObject({ name: 'Nour Benali', role: 'member', isBanned: false, warnings: 0, hasPassword: true })
    expect((await server.rest({ token })('GET /users/profile')).body.data.user).toEqual(user)
    expect((await server.rest()('POST /auth/refresh', { refreshToken })).status).toBe(200)
    expect((await account(user.email))?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('started by a stranger gives the stranger no access', async () => {
    const victim = createRegistrant()
    const stranger = { ...victim, name: 'Stranger', password: 'Attacker-1' }
    await beginRegistration(server, stranger)
    await beginRegistration(server, victim)
    const { body } = await verify(victim, await server.mailedCode(victim.email))
    expect(body.data.user.name).toBe(victim.name)
    const signIn = (password: string) => server.rest()('POST /auth/login', { email: victim.email, password })
    expect((await signIn(stranger.password)).status).toBe(401)
    expect((await signIn(victim.password)).status).toBe(200)
  })

  it('stores the browser’s language and mails in it', async () => {
    const registrant = createRegistrant()
    await server.rest()(
      'POST /auth/register',
      { ...registrant, confirmPassword: PASSWORD },
      { 'accept-language': 'ar-MA,fr;q=0.8' },
    )
    const mail = await server.waitForMail(registrant.email)
    expect(mail.html).toContain('lang="ar" dir="rtl"')
    const headers = { 'accept-language': 'fr-FR' }
    const otp = await server.mailedCode(registrant.email)
    const { body } = await server.rest()('POST /auth/verify-registration-otp', { ...registrant, otp }, headers)
    expect(body.data.user.language).toBe('fr')
  })

  it.each<[input: object, path: string, msg: string, translatable?: Omit<Message, 'message'>]>([
    [{ name: 'x' }, 'name', 'Name must be at least 2 characters'],
    [{ name: 'x'.repeat(101) }, 'name', 'Name must be less than 100 characters'],
    [{ email: 'nobody' }, 'email', 'Please enter a valid email address'],
    [{ email: ['a@example.ma', 'b@example.ma'] }, 'email', 'Please enter a valid email address'],
    [{ email: { $ne: '' } }, 'email', 'Please enter a valid email address'],
    [{ email: 'a@example.ma,b@example.ma' }, 'email', 'Please enter a valid email address'],
    [{ email: 'a@example.ma\r\nBcc: b@example.ma' }, 'email', 'Please enter a valid email address'],
    [{ email: 'mık@example.ma' }, 'email', 'Please enter a valid email address'],
    [{ email: 'a@example.ma\u0000' }, 'email', 'Please enter a valid email address'],
    [{ password: 'Ab1', confirmPassword: 'Ab1' }, 'password', 'Password must be at least 6 characters'],
    [
      { password: 'ABCDE1', confirmPassword: 'ABCDE1' },
      'password',
      'Password must contain at least one lowercase letter',
    ],
    [
      { password: 'abcde1', confirmPassword: 'abcde1' },
      'password',
      'Password must contain at least one uppercase letter',
    ],
    [{ password: 'Abcdef', confirmPassword: 'Abcdef' }, 'password', 'Password must contain at least one number'],
    [{ confirmPassword: 'Other-1' }, 'confirmPassword', "The passwords you entered don't match. Please try again."],
    [{ role: 'admin' }, 'role', 'Unknown field: role', unknownFieldMessage('role')],
  ])('rejects %j', async (invalidFields, path, msg, { template, params } = {}) => {
    const { status, body } = await server.rest()('POST /auth/register', {
      ...createRegistrant(),
      confirmPassword: PASSWORD,
      ...invalidFields,
    })
    expect(status).toBe(400)
    expect(body.errors).toContainEqual(expect.objectContaining({ path, msg, ...(template && { template, params }) }))
  })
})

describe('an address that has an account', () => {
  it('gets the responses of an address without one at every step, and its owner a mail', async () => {
    const { user } = await register(server)
    const [known, unknown] = [user.email, uniqueEmail()].map((email) => ({
      ...createRegistrant(email),
      name: 'As typed now',
    }))
    if (!known || !unknown) throw new Error('two of them')
    const steps: [
      string,
      (registrant: ReturnType<typeof createRegistrant>) => ReturnType<ReturnType<TestServer['rest']>>,
    ][] = [
      ['register', (registrant) => beginRegistration(server, registrant)],
      ['register again', (registrant) => beginRegistration(server, registrant)],
      [
        'resend too soon',
        (registrant) =>
          server.rest()('POST /auth/resend-registration-otp', { name: registrant.name, email: registrant.email }),
      ],
      ...times(6, (index): (typeof steps)[number] => [
        `wrong code ${index}`,
        (registrant) => verify(registrant, '000000', `10.3.${index}.1`),
      ]),
    ]
    const expectSameResponse = async ([step, call]: (typeof steps)[number]) => {
      const plain = async (registrant: ReturnType<typeof createRegistrant>) => {
        const { status, headers, body } = await call(registrant)
        const { 'x-request-id': _id, date: _date, 'content-length': _length, ...same } = headers
        return maskSealedIds(JSON.stringify({ step, status, same, body })).replaceAll(registrant.email, 'EMAIL')
      }
      expect(await plain(known)).toBe(await plain(unknown))
    }
    await server.clock.ageCodes(241)
    for (const step of steps) await expectSameResponse(step)
    await server.clock.ageCodes(301)
    await expectSameResponse(['too old', (registrant) => verify(registrant, '000000', '10.3.9.1')])
    await expectSameResponse([
      'resend',
      (registrant) =>
        server.rest()('POST /auth/resend-registration-otp', { name: registrant.name, email: registrant.email }),
    ])

    expect(await findQueuedTemplates(server, known.email)).toEqual([
      'code-registration',
      'already-registered',
      'already-registered',
    ])
    expect(await findQueuedTemplates(server, unknown.email)).toEqual(['code-registration', 'code-registration'])
    const mail = await server.waitForMail(known.email)
    expect(mail.subject).toBe('You already have an account')
    expect(mail.text).not.toMatch(/\d{6}/)
  })
})

describe('a blacklisted mailbox', () => {
  const spellings = ['spam.mer@gmail.com', 'spammer+1@gmail.com', 'SPAMMER@googlemail.com', 's.p.a.m.m.e.r+x@gmail.com']

  it('is rejected in every spelling with a neutral message, and nothing is mailed', async () => {
    await block('spammer@gmail.com', 'spammer@gmail.com')
    for (const email of spellings) {
      const rejected = await beginRegistration(server, createRegistrant(email))
      expect(rejected).toMatchObject({
        status: 403,
        body: { code: 'EMAIL_REFUSED', message: 'This email address cannot be used here.' },
      })
      expect(await findQueuedTemplates(server, email.toLowerCase())).toEqual([])
    }
    expect((await beginRegistration(server, createRegistrant('spammer@example.ma'))).status).toBe(200)
    expect((await beginRegistration(server, createRegistrant('spammers@gmail.com'))).status).toBe(200)
  })

  it('is rejected if blacklisted after the code was mailed', async () => {
    const registrant = createRegistrant()
    await beginRegistration(server, registrant)
    const code = await server.mailedCode(registrant.email)
    await block(registrant.email, registrant.email)
    expect((await verify(registrant, code)).body.code).toBe('EMAIL_REFUSED')
    expect(await account(registrant.email)).toBeUndefined()
  })

  it.each([
    ['an administrator', insertBlacklistEntry],
    ['a ban', ensureBlacklistEntry],
  ])('is rejected if %s adds a variant to the blacklist concurrently', async (_what, insertEntry) => {
    const registrant = createRegistrant()
    await beginRegistration(server, registrant)
    const code = await server.mailedCode(registrant.email)
    const { id: createdBy } = await server.createAdmin()
    const [local, domain] = registrant.email.split('@')
    let verifying: ReturnType<typeof verify> | undefined
    await inTransaction(server.db, async (tx) => {
      await insertEntry(tx, { email: `${local}+1@${domain}`, reason: 'Spam', createdBy })
      verifying = verify(registrant, code)
      const findWaiting = () => server.sql`
          select pid from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`
      await expect.poll(findWaiting, { timeout: 1900, interval: 20 }).toHaveLength(1)
    })
    expect((await verifying)?.body.code).toBe('EMAIL_REFUSED')
    expect(await account(registrant.email)).toBeUndefined()
  })
})

it('the same registration with one Idempotency-Key creates one account and one response', async () => {
  const registrant = createRegistrant()
  await beginRegistration(server, registrant)
  const otp = await server.mailedCode(registrant.email)
  const send = () =>
    server.rest()(
      'POST /auth/verify-registration-otp',
      { ...registrant, otp },
      { 'idempotency-key': `key-${registrant.email}` },
    )
  const [first, second] = [await send(), await send()]
  expect(first.status).toBe(201)
  expect(second.body).toEqual(first.body)
  expect(await countOutcomes([server.rest(second.body.data)('GET /users/profile')])).toEqual({ 200: 1 })
})
