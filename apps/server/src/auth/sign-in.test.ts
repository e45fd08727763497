import { PASSWORD, uniqueEmail } from '@community/testing'
import { hash as argonHash } from '@node-rs/argon2'
import { afterAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, newAddress, findQueuedTemplates, countOutcomes, times } from '../../test/accounts.ts'
import { openTestServer, type TestUser } from '../../test/test-server.ts'
import { createPasswordHasher } from './passwords.ts'

const server = await openTestServer(TRUST_FORWARDED_FOR, { passwords: createPasswordHasher() })
afterAll(() => server.close())

const login = ({ email }: Pick<TestUser, 'email'>, password = PASSWORD, headers = newAddress()) =>
  server.rest()('POST /auth/login', { email, password }, headers)
const sendOtp = ({ email }: Pick<TestUser, 'email'>) => server.rest()('POST /auth/send-otp', { email }, newAddress())
const resendOtp = ({ email }: Pick<TestUser, 'email'>) =>
  server.rest()('POST /auth/resend-otp', { email }, newAddress())
const verifyOtp = ({ email }: Pick<TestUser, 'email'>, otp: string) =>
  server.rest()('POST /auth/verify-otp', { email, otp }, newAddress())

/** A member who turned on `signInOtp`. */
async function createOtpMember(): Promise<TestUser> {
  const member = await server.createMember()
  const turnedOn = await server.rest(member)('PUT /users/profile', { signInOtp: true })
  expect(turnedOn.body.data.user.signInOtp).toBe(true)
  return member
}

describe('signing in', () => {
  it('returns the account and a token pair, ignoring case and spaces of the address', async () => {
    const member = await server.createMember()
    const { status, body } = await login({ email: ` ${member.email.toUpperCase()} ` })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      requiresOTP: false,
      user: expect.objectContaining({ id: member.id, email: member.email, role: 'member' }),
      token: expect.stringMatching(/^[a-z0-9]{40}$/),
      refreshToken: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    })
    expect(JSON.stringify(body)).not.toContain('argon2')
  })

  it('responds the same to a wrong address and a wrong password', async () => {
    const member = await server.createMember()
    const [password, address] = [await login(member, 'Zellige-2027'), await login({ email: uniqueEmail() })]
    expect(password).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
    expect(address.body).toEqual(password.body)
  })

  it('rejects an account without a password (external provider)', async () => {
    const member = await server.createMember()
    await server.sql`update users set password_hash = null where id = ${member.id}`
    expect((await login(member)).body.code).toBe('WRONG_CREDENTIALS')
  })

  it('locks after ten wrong passwords, for known and unknown addresses alike, and for no others', async () => {
    const member = await server.createMember()
    const place = newAddress()
    const [known, unknown] = [member, { email: uniqueEmail() }]
    for (const user of [known, unknown]) {
      const outcome = await countOutcomes(times(25, () => login(user, 'Zellige-2027', place)))
      expect(outcome).toEqual({ '401 WRONG_CREDENTIALS': 10, '429 SIGN_IN_LOCKED': 15 })
    }
    const locked = await login(known, PASSWORD, place)
    expect(locked).toMatchObject({ status: 429, body: { code: 'SIGN_IN_LOCKED' } })
    expect(locked.body.cooldown).toBeGreaterThan(890)
    expect(locked.headers['retry-after']).toBe(String(locked.body.cooldown))
    // Guesses from elsewhere do not lock out the owner; many of them do.
    expect((await login(known)).status).toBe(200)
    for (const headers of [newAddress(), newAddress()])
      await Promise.all(times(10, () => login(known, 'Zellige-2027', headers)))
    expect((await login(known)).body.code).toBe('SIGN_IN_LOCKED')
    expect((await login(await server.createMember(), PASSWORD, place)).status).toBe(200)
  })

  it('with the correct password is not locked out by concurrent attempts', async () => {
    const member = await server.createMember()
    const place = newAddress()
    expect(await countOutcomes(times(20, () => login(member, PASSWORD, place)))).toEqual({ 200: 20 })
  })

  it('rehashes a password with outdated parameters, with and without a code', async () => {
    const older = await argonHash(PASSWORD, { memoryCost: 8192, timeCost: 2, parallelism: 1 })
    for (const member of [await server.createMember(), await createOtpMember()]) {
      await server.sql`update users set password_hash = ${older} where id = ${member.id}`
      expect((await login(member)).status).toBe(200)
      const [row] = await server.sql`select password_hash from users where id = ${member.id}`
      expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      expect((await login(member)).status).toBe(200)
    }
  })

  it('responds 503 with a cooldown when the hash queue is full, and counts nothing', async () => {
    const busy = await openTestServer(TRUST_FORWARDED_FOR, {
      passwords: createPasswordHasher({ parallel: 1, queue: 2 }),
    })
    const stranger = () => busy.rest()('POST /auth/login', { email: uniqueEmail(), password: PASSWORD }, newAddress())
    const outcome = await countOutcomes(times(12, stranger))
    expect(outcome['503 UNAVAILABLE']).toBeGreaterThan(0)
    const [row] = await busy.sql`
      select coalesce(sum(count), 0)::int as wrong from rate_limits where key like 'sign-in:%'`
    // Two counters each: for the address, and in total.
    expect(row?.wrong).toBe(2 * (outcome['401 WRONG_CREDENTIALS'] ?? 0))
    await busy.close()
  })
})

describe('a sign-in with a mailed code', () => {
  it('requires the code, mails it, and completes when it is entered', async () => {
    const member = await createOtpMember()
    const started = await login(member)
    expect(started.body.message).toBe('Verification Code Sent!')
    expect(started.body.data).toEqual({
      requiresOTP: true,
      email: member.email,
      name: member.name,
      expirationMinutes: 5,
      signInId: expect.any(String),
    })
    const { status, body } = await verifyOtp(member, await server.mailedCode(member.email))
    expect(status).toBe(200)
    expect((await server.rest(body.data)('GET /users/profile')).status).toBe(200)
  })

  it('keeps its valid code when started again, and mails no new one', async () => {
    const member = await createOtpMember()
    await login(member)
    const code = await server.mailedCode(member.email)
    expect((await login(member)).body.data.requiresOTP).toBe(true)
    expect(await findQueuedTemplates(server, member.email)).toEqual(['code-sign-in'])
    for (const call of [sendOtp, resendOtp]) {
      const rejected = await call(member)
      expect(rejected).toMatchObject({ status: 429, body: { code: 'CODE_TOO_SOON' } })
      expect(rejected.body.cooldown).toBeGreaterThan(230)
    }
    expect((await verifyOtp(member, code)).status).toBe(200)
    // The code is used: a new sign-in mails another at once.
    const read = server.caughtMails()
    await login(member)
    expect((await verifyOtp(member, await server.mailedCode(member.email, read))).status).toBe(200)
  })

  it('says for how many minutes its code can be entered', async () => {
    const member = await createOtpMember()
    await login(member)
    await server.clock.ageCodes(180)
    expect((await login(member)).body.data.expirationMinutes).toBe(2)
  })

  it('takes a code that was mailed nearly ten minutes after the password, as long as the response promises', async () => {
    const member = await createOtpMember()
    await login(member)
    await server.mailedCode(member.email)
    await server.clock.ageCodes(590)
    const read = server.caughtMails()
    // Always five, as for an email without a pending sign-in: fewer would reveal that somebody has entered the password.
    expect((await resendOtp(member)).body.data).toEqual({ expirationMinutes: 5 })
    const code = await server.mailedCode(member.email, read)
    await server.clock.ageCodes(240)
    expect((await verifyOtp(member, code)).status).toBe(200)
  })

  it('mails another code after four minutes, until ten minutes after the password', async () => {
    const member = await createOtpMember()
    await login(member)
    const first = await server.mailedCode(member.email)
    await server.clock.ageCodes(241)
    const read = server.caughtMails()
    expect((await resendOtp(member)).body.data).toEqual({ expirationMinutes: 5 })
    const second = await server.mailedCode(member.email, read)
    if (first !== second) expect((await verifyOtp(member, first)).body.code).toBe('CODE_INVALID')
    await server.clock.ageCodes(301)
    expect((await verifyOtp(member, second)).body).toMatchObject({ code: 'CODE_EXPIRED', expired: true })
    await server.clock.ageCodes(100)
    // The same response, but the password was entered too long ago.
    expect((await resendOtp(member)).status).toBe(200)
    expect(await findQueuedTemplates(server, member.email)).toHaveLength(2)
  })

  it('not started with the password gets the same response, and nothing is mailed', async () => {
    const [known, unknown] = [await createOtpMember(), { email: uniqueEmail() }]
    for (const call of [
      sendOtp,
      sendOtp,
      resendOtp,
      ...times(7, () => (user: Pick<TestUser, 'email'>) => verifyOtp(user, '000000')),
    ]) {
      const [mine, theirs] = [await call(known), await call(unknown)]
      expect({ status: mine.status, body: mine.body }).toEqual({ status: theirs.status, body: theirs.body })
    }
    await server.clock.ageCodes(301)
    expect((await verifyOtp(known, '000000')).body).toEqual((await verifyOtp(unknown, '000000')).body)
    expect(await findQueuedTemplates(server, known.email)).toEqual([])
  })

  it.each(['?', '!', '+'])('is not possible with an address prefixed by %s', async (mark) => {
    const person = await createOtpMember()
    const unknownUser = { email: uniqueEmail() }
    const owner = { ...person, email: `${mark}${unknownUser.email}` }
    await server.sql`update users set email = ${owner.email} where id = ${owner.id}`
    await login(owner)
    const code = await server.mailedCode(owner.email)
    expect((await sendOtp(unknownUser)).status).toBe(200)
    expect((await verifyOtp(unknownUser, code)).body).toMatchObject({ code: 'CODE_INVALID' })
    expect((await verifyOtp(owner, code)).body.data.user.id).toBe(owner.id)
  })

  it('with a decoy code does not sign in, even if the code is correct', async () => {
    const member = await createOtpMember()
    await login(member)
    const code = await server.mailedCode(member.email)
    await server.sql`update codes set user_id = null where email = ${member.email}`
    expect(await verifyOtp(member, code)).toMatchObject({ status: 400, body: { code: 'CODE_INVALID' } })
  })

  it('is not affected by earlier requests of strangers for its address', async () => {
    const member = await createOtpMember()
    const strangers = async () => {
      for (const call of [sendOtp, resendOtp, ...times(6, () => (user: TestUser) => verifyOtp(user, '000000'))])
        await call(member)
    }
    await strangers()
    await login(member)
    const code = await server.mailedCode(member.email)
    const [row] = await server.sql`select tries from codes where email = ${member.email}`
    expect(row?.tries).toBe(0)
    expect((await verifyOtp(member, code)).status).toBe(200)
    await strangers()
    const read = server.caughtMails()
    await login(member)
    expect((await verifyOtp(member, await server.mailedCode(member.email, read))).status).toBe(200)
  })

  it('is not possible with another user’s password', async () => {
    const [mine, theirs] = [await createOtpMember(), await createOtpMember()]
    await login(mine)
    await login(theirs)
    const code = await server.mailedCode(mine.email)
    const other = await server.mailedCode(theirs.email)
    if (code !== other) expect((await verifyOtp(theirs, code)).body.code).toBe('CODE_INVALID')
    expect((await verifyOtp(mine, code)).body.data.user.id).toBe(mine.id)
  })

  it('works once: twenty concurrent entries make one sign-in', async () => {
    const member = await createOtpMember()
    await server.sql`delete from refresh_families where user_id = ${member.id}`
    await login(member)
    const code = await server.mailedCode(member.email)
    const outcome = await countOutcomes(times(20, () => verifyOtp(member, code)))
    expect(outcome).toEqual({ 200: 1, '400 CODE_INVALID': 19 })
    const [row] = await server.sql`select count(*)::int from refresh_families where user_id = ${member.id}`
    expect(row?.count).toBe(1)
  })

  it('rejects a user banned in the meantime', async () => {
    const member = await createOtpMember()
    await login(member)
    const code = await server.mailedCode(member.email)
    await server.sql`update users set is_banned = true, ban_reason = 'spam', banned_at = now() where id = ${member.id}`
    expect((await verifyOtp(member, code)).body.code).toBe('BANNED')
  })

  it.each([
    ['member-choice', false, false],
    ['admins', false, true],
    ['everyone', true, true],
  ])(
    'SIGN_IN_OTP=%s requires a code of members: %s, of administrators: %s, and of anyone who turned it on',
    async (setting, members, admins) => {
      const configured = await openTestServer({ ...TRUST_FORWARDED_FOR, SIGN_IN_OTP: setting })
      const needsCode = async ({ email }: TestUser) =>
        (await configured.rest()('POST /auth/login', { email, password: PASSWORD })).body.data.requiresOTP === true
      const isRequired = async (user: TestUser) =>
        (await configured.rest(user)('GET /users/profile')).body.data.user.signInOtpRequired
      const [member, admin] = [await configured.createMember(), await configured.createAdmin()]
      const chooser = await configured.createMember()
      await configured.sql`update users set sign_in_otp = true where id = ${chooser.id}`
      expect([await isRequired(member), await isRequired(admin), await isRequired(chooser)]).toEqual([
        members,
        admins,
        members,
      ])
      expect([await needsCode(member), await needsCode(admin), await needsCode(chooser)]).toEqual([
        members,
        admins,
        true,
      ])
      await configured.close()
    },
  )
})

it('sign-in codes are mailed in the member’s own language', async () => {
  const member = await createOtpMember()
  await server.rest(member)('PUT /users/profile', { language: 'fr' })
  await login(member)
  const mail = await server.waitForMail(member.email)
  expect(mail.subject).toMatch(/^\d{6}\u202f: votre code de connexion$/)
})
