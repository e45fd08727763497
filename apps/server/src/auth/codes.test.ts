import { appErrors } from '@community/contract'
import { PASSWORD, uniqueEmail, wrongCode } from '@community/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  TRUST_FORWARDED_FOR,
  beginRegistration,
  type Registrant,
  createRegistrant,
  fromAddress,
  newAddress,
  findQueuedTemplates,
  countOutcomes,
  times,
} from '../../test/accounts.ts'
import { openTestServer, type RestClient } from '../../test/test-server.ts'
import { AppError } from '../errors.ts'
import { wakeWorkers } from '../jobs/queue.ts'
import { IP_FAILURES } from './limit-attempts.ts'

vi.mock(import('../jobs/queue.ts'), { spy: true })

const server = await openTestServer({ ...TRUST_FORWARDED_FOR, SIGN_IN_OTP: 'everyone' })
afterAll(() => server.close())

/** A registration in progress, each request from a new address. */
async function startRegistration() {
  const registrant = createRegistrant()
  const { email } = registrant
  await beginRegistration(server, registrant)
  const code = await server.mailedCode(email)
  const verify = (otp: string) =>
    server.rest()('POST /auth/verify-registration-otp', { ...registrant, otp }, newAddress())
  const resend = (spelling = email) =>
    server.rest()('POST /auth/resend-registration-otp', { name: registrant.name, email: spelling }, newAddress())
  return { registrant, code, verify, resend }
}

describe('a code', () => {
  it('has six digits, is stored as a keyed hash and expires after five minutes', async () => {
    const { registrant, code } = await startRegistration()
    expect(code).toMatch(/^\d{6}$/)
    const [row] = await server.sql`
      select to_jsonb(c)::text as all, extract(epoch from expires_at - now())::int as left from codes c where email = ${registrant.email}`
    expect(row?.all).not.toContain(code)
    expect(row?.left).toBeGreaterThan(290)
    expect(row?.left).toBeLessThanOrEqual(300)
    // The job’s payload is cleared once the mail is sent.
    await expect
      .poll(async () => (await server.sql`select payload from jobs where recipient = ${registrant.email}`)[0]?.payload)
      .toBe('')
  })

  it('is mailed at once, not on the worker’s next poll', async () => {
    const registrant = createRegistrant()
    vi.mocked(wakeWorkers).mockClear()
    await beginRegistration(server, registrant)
    expect(wakeWorkers).toHaveBeenCalledOnce()
    await beginRegistration(server, registrant)
    // Nothing is mailed so soon after.
    expect(wakeWorkers).toHaveBeenCalledOnce()
  })

  it('is compared five times for fifty concurrent wrong entries; then the correct one is rejected', async () => {
    const { registrant, code, verify } = await startRegistration()
    expect(await countOutcomes(times(50, () => verify(wrongCode(code))))).toEqual({ '400 CODE_INVALID': 50 })
    const [row] = await server.sql`select tries from codes where email = ${registrant.email}`
    expect(row?.tries).toBe(5)
    const [failures] =
      await server.sql`select count from rate_limits where key = ${`code-failures:registration:${registrant.email}`}`
    expect(failures?.count).toBe(5)
    expect(await verify(code)).toMatchObject({ status: 400, body: { code: 'CODE_INVALID', invalid: true } })
  })

  it('counts failures over codes and resends, twenty a day, also for new codes', async () => {
    const { registrant, verify, resend, code } = await startRegistration()
    let current = code
    for (let again = 0; again < 5; again++) {
      for (let tried = 0; tried < 4; tried++) expect((await verify(wrongCode(current))).body.code).toBe('CODE_INVALID')
      await server.clock.ageCodes(241)
      const read = server.caughtMails()
      expect((await resend()).status).toBe(200)
      current = await server.mailedCode(registrant.email, read)
    }
    const locked = await verify(current)
    expect(locked).toMatchObject({ status: 429, body: { code: 'CODE_LOCKED' } })
    expect(locked.body.cooldown).toBeGreaterThan(86_000)
  })

  it('counts no failure when correct, and works once: twenty concurrent entries create one account and one sign-in', async () => {
    const { registrant, code, verify } = await startRegistration()
    const outcome = await countOutcomes(times(20, () => verify(code)))
    expect(outcome['201']).toBe(1)
    // Concurrent entries beyond five find no attempt left, the others find the code used.
    expect(Object.keys(outcome).toSorted()).toEqual(['201', '400 CODE_INVALID'])
    const [row] = await server.sql`
      select count(*)::int as accounts, (select count(*)::int from refresh_families f where f.user_id = min(u.id::text)::uuid) as sign_ins
      from users u where email = ${registrant.email}`
    expect(row).toEqual({ accounts: 1, sign_ins: 1 })
    expect((await verify(code)).body.code).toBe('CODE_INVALID')
  })

  it('counts no attempt when correct but the action fails: of fifty concurrent entries only wrong ones count, and it works once afterwards', async () => {
    const { registrant, code, verify } = await startRegistration()
    const { passwords } = server.deps
    const busy = () => Promise.reject(new AppError(appErrors.unavailable))
    server.deps.passwords = { ...passwords, hash: busy }
    for (let again = 0; again < 6; again++) expect((await verify(code)).body.code).toBe('UNAVAILABLE')
    const outcome = await countOutcomes(times(50, (index) => verify(index % 2 ? code : wrongCode(code))))
    server.deps.passwords = passwords
    expect((outcome['400 CODE_INVALID'] ?? 0) + (outcome['503 UNAVAILABLE'] ?? 0)).toBe(50)
    const [row] = await server.sql`
      select tries, coalesce((select count from rate_limits where key = ${`code-failures:registration:${registrant.email}`}), 0) as failures
      from codes where email = ${registrant.email}`
    // Only the wrong codes that were compared.
    expect(row?.tries).toBe(row?.failures)
    expect(row?.tries).toBeLessThanOrEqual(5)
    await server.sql`update codes set tries = 4 where email = ${registrant.email}`
    expect(await countOutcomes(times(50, () => verify(code)))).toEqual({ 201: 1, '400 CODE_INVALID': 49 })
  })

  it('reports that it has expired and counts no failure', async () => {
    const { code, verify } = await startRegistration()
    await server.clock.ageCodes(301)
    for (let again = 0; again < 3; again++)
      expect(await verify(code)).toMatchObject({ status: 400, body: { code: 'CODE_EXPIRED', expired: true } })
  })

  it('only works for its own purpose and address', async () => {
    const { email } = await server.createMember()
    const strangers = await startRegistration()
    // The owner of an account gets no registration code; this code is their sign-in's.
    await beginRegistration(server, createRegistrant(email))
    expect((await server.waitForMail(email)).subject).toBe('You already have an account')
    const read = server.caughtMails()
    await server.rest()('POST /auth/login', { email, password: PASSWORD }, newAddress())
    const code = await server.mailedCode(email, read)
    const signIn = async (otp: string, of = email) =>
      (await server.rest()('POST /auth/verify-otp', { email: of, otp }, newAddress())).body.code
    const joining = { ...createRegistrant(email), otp: code }
    expect((await server.rest()('POST /auth/verify-registration-otp', joining, newAddress())).body.code).toBe(
      'CODE_INVALID',
    )
    expect((await strangers.verify(code)).body.code).toBe('CODE_INVALID')
    expect(await signIn(strangers.code, strangers.registrant.email)).toBe('CODE_INVALID')
    expect(await signIn(strangers.code)).toBe('CODE_INVALID')
    const external = await server.rest()('POST /auth/verify-google-otp', { email, otp: code }, newAddress())
    expect(external.body.code).toBe('CODE_INVALID')
    expect((await server.rest()('POST /auth/verify-otp', { email, otp: code }, newAddress())).status).toBe(200)
    expect((await strangers.verify(strangers.code)).status).toBe(201)
  })
})

describe('another code', () => {
  it('is mailed four minutes after the last one at the earliest, for any number of requests, in any spelling, over both transports', async () => {
    const { registrant, resend } = await startRegistration()
    const upperCased = registrant.email.toUpperCase()
    const sendMany = () => [
      ...times(25, (index) => resend([registrant.email, upperCased, ` ${registrant.email} `][index % 3])),
      ...times(25, () => beginRegistration(server, { ...registrant, email: upperCased })),
    ]
    expect(await countOutcomes(sendMany())).toEqual({ 200: 25, '429 CODE_TOO_SOON': 25 })
    const rejected = await resend()
    expect(rejected.body.cooldown).toBeGreaterThan(230)
    expect(rejected.body.cooldown).toBeLessThanOrEqual(240)
    expect(rejected.headers['retry-after']).toBe(String(rejected.body.cooldown))
    const throttled = await server.trpc(null, 'auth.resendRegistrationOtp', {
      name: registrant.name,
      email: registrant.email,
    })
    expect(throttled).toMatchObject({ status: 429, failure: { code: 'CODE_TOO_SOON' } })
    expect(await findQueuedTemplates(server, registrant.email)).toHaveLength(1)

    await server.clock.ageCodes(241)
    const outcome = await countOutcomes(sendMany())
    expect(await findQueuedTemplates(server, registrant.email)).toHaveLength(2)
    expect((outcome['200'] ?? 0) + (outcome['429 CODE_TOO_SOON'] ?? 0)).toBe(50)
    expect(outcome['200']).toBeLessThanOrEqual(26)
  })

  it('invalidates the previous one', async () => {
    const { registrant, code, verify, resend } = await startRegistration()
    await server.clock.ageCodes(241)
    const read = server.caughtMails()
    expect((await resend()).body.data).toEqual({ expirationMinutes: 5 })
    const next = await server.mailedCode(registrant.email, read)
    if (next !== code) expect((await verify(code)).body.code).toBe('CODE_INVALID')
    expect((await verify(next)).status).toBe(201)
  })

  it('is not created by registering again: the existing one stays valid', async () => {
    const { registrant, code, verify } = await startRegistration()
    const again = await beginRegistration(server, registrant)
    expect(again).toMatchObject({ status: 200, body: { data: { requiresOTP: true, expirationMinutes: 5 } } })
    await server.clock.ageCodes(150)
    expect((await beginRegistration(server, registrant)).body.data.expirationMinutes, 'What is left of it').toBe(3)
    expect(await findQueuedTemplates(server, registrant.email)).toHaveLength(1)
    expect((await verify(code)).status).toBe(201)
  })

  describe('requested without authentication', () => {
    const spellingOf = (name: string, again: number) =>
      again % 2 ? `${name}+${again}@gmail.com` : `${name[0]}.${name.slice(1)}@googlemail.com`
    async function request(email: string, headers: Record<string, string>, call: 'register' | 'forgot' = 'register') {
      const registrant = createRegistrant(email)
      const { status, body } =
        call === 'register'
          ? await server.rest()('POST /auth/register', { ...registrant, confirmPassword: registrant.password }, headers)
          : await server.rest()('POST /auth/forgot-password', { email }, headers)
      await server.clock.ageCodes(241)
      return { status, cooldown: body.cooldown }
    }
    async function outcomes(count: number, call: (again: number) => ReturnType<typeof request>) {
      const statuses: number[] = []
      for (let again = 0; again < count; again++) statuses.push((await call(again)).status)
      return statuses
    }

    it.each(['register', 'forgot'] as const)(
      'is mailed to one mailbox ten times a day from one address, in any spelling; from elsewhere its owner still gets one (%s)',
      async (call) => {
        const name = `nour${call}${Date.now()}`
        const stranger = newAddress()
        const fromStranger = (again: number) => request(spellingOf(name, again), stranger, call)
        expect(await outcomes(12, fromStranger)).toEqual([...times(10, () => 200), 429, 429])
        expect((await request(`${name}@gmail.com`, newAddress(), call)).status).toBe(200)
      },
    )

    it('is mailed twenty times a day for many addresses, then once an hour', async () => {
      const email = uniqueEmail()
      const fromAnywhere = () => request(email, newAddress(), 'forgot')
      expect(await outcomes(22, fromAnywhere)).toEqual([...times(21, () => 200), 429])
      const { cooldown } = await fromAnywhere()
      expect(cooldown).toBeGreaterThan(3500)
      expect(cooldown).toBeLessThanOrEqual(3600)
      await server.clock.resetLimits({ key: `unasked-mails:reset:${email}:hour` })
      expect(await outcomes(2, fromAnywhere)).toEqual([200, 429])
    })

    it('for a registration does not count towards the limit of password resets', async () => {
      const email = uniqueEmail()
      expect((await outcomes(22, () => request(email, newAddress()))).at(-1)).toBe(429)
      expect((await request(email, newAddress(), 'forgot')).status).toBe(200)
    })
  })
})

it('limits guesses at many accounts from one address', async () => {
  const headers = fromAddress('10.200.0.1')
  const guess = () => server.rest()('POST /auth/login', { email: uniqueEmail(), password: 'Zellige-2027' }, headers)
  expect(await countOutcomes(times(15, guess))).toEqual({ '401 WRONG_CREDENTIALS': 15 })
  const remaining = 15
  const almost = IP_FAILURES.max - remaining
  await server.sql`update rate_limits set count = ${almost} where key = 'wrong:10.200.0.1' and count = 15`
  expect(await countOutcomes(times(35, guess))).toEqual({
    '401 WRONG_CREDENTIALS': remaining,
    '429 TOO_MANY_REQUESTS': 20,
  })
  const code = { email: uniqueEmail(), otp: '000000' }
  expect((await server.rest()('POST /auth/verify-otp', code, headers)).body.code).toBe('TOO_MANY_REQUESTS')
  const elsewhere = await server.rest()('POST /auth/verify-otp', code, newAddress())
  expect(elsewhere.body.code).toBe('CODE_INVALID')
})

it.each<[Parameters<RestClient>[0], (registrant: Registrant) => object]>([
  ['POST /auth/register', (registrant) => ({ ...registrant, confirmPassword: registrant.password })],
  ['POST /auth/resend-registration-otp', ({ name, email }) => ({ name, email })],
  ['POST /auth/send-otp', ({ email }) => ({ email })],
  ['POST /auth/forgot-password', ({ email }) => ({ email })],
])('%s shares the limit of mailing requests per address: three hundred an hour', async (call, inputOf) => {
  const key = 'mailing:10.201.0.1'
  await server.sql`
    insert into rate_limits (key, count, resets_at) values (${key}, 299, now() + interval '1 hour')
    on conflict (key) do update set count = 299`
  const send = (headers: Record<string, string>) => server.rest()(call, inputOf(createRegistrant()), headers)
  expect((await send(fromAddress('10.201.0.1'))).status).toBe(200)
  expect(await send(fromAddress('10.201.0.1'))).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } })
  expect((await send(newAddress())).status).toBe(200)
})
