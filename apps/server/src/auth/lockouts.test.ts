import { PASSWORD, uniqueEmail, wrongCode } from '@community/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { TRUST_FORWARDED_FOR, createRegistrant, newAddress, countOutcomes, times } from '../../test/accounts.ts'
import { type RestResponse, openTestServer, type TestUser } from '../../test/test-server.ts'

const server = await openTestServer(TRUST_FORWARDED_FOR)
afterAll(() => server.close())

const post = (url: string, body: object, headers: Record<string, string> = newAddress()) =>
  server.rest()(`POST ${url}`, body, headers)
const cookiesIn = ({ headers }: Pick<RestResponse, 'headers'>): string[] =>
  [headers['set-cookie'] ?? []].flat().map(String)
/** The cookies of a response as a browser sends them back. */
const cookieOf = (response: Pick<RestResponse, 'headers'>): string =>
  cookiesIn(response)
    .filter((line) => !line.includes('Max-Age=0'))
    .map((line) => line.split(';')[0])
    .join('; ')

/** A flow whose last step requires a mailed code: its first step, and its last with a code. */
interface Flow {
  field: 'signInId' | 'registrationId' | 'resetId'
  cookie: string
  begin(): Promise<{ response: RestResponse; email: string; body: (otp: string) => object }>
  end: string
  procedure: string
  done: number
}

const fresh = { password: 'Tagine-2027', confirmPassword: 'Tagine-2027' }
/** A member whose sign-ins require a mailed code. */
async function createOtpMember(): Promise<TestUser> {
  const member = await server.createMember()
  await server.sql`update users set sign_in_otp = true where id = ${member.id}`
  return member
}
const FLOWS: Flow[] = [
  {
    field: 'signInId',
    cookie: 'community_sign_in',
    async begin() {
      const { email } = await createOtpMember()
      return {
        email,
        response: await post('/auth/login', { email, password: PASSWORD }),
        body: (otp) => ({ email, otp }),
      }
    },
    end: '/auth/verify-otp',
    procedure: 'auth.verifyOtp',
    done: 200,
  },
  {
    field: 'registrationId',
    cookie: 'community_registration',
    async begin() {
      const registrant = createRegistrant()
      const response = await post('/auth/register', { ...registrant, confirmPassword: registrant.password })
      return { email: registrant.email, response, body: (otp) => ({ ...registrant, otp }) }
    },
    end: '/auth/verify-registration-otp',
    procedure: 'auth.verifyRegistrationOtp',
    done: 201,
  },
  {
    field: 'resetId',
    cookie: 'community_reset',
    async begin() {
      const { email } = await server.createMember()
      return {
        email,
        response: await post('/auth/forgot-password', { email }),
        body: (otp) => ({ email, otp, ...fresh }),
      }
    },
    end: '/auth/reset-password',
    procedure: 'auth.resetPassword',
    done: 200,
  },
]

describe.each(FLOWS)('a code entered with $field', (flow) => {
  const { field, end } = flow
  /** Started by its owner; a hundred guesses by strangers have used up the shared attempts. */
  async function exhaustSharedAttempts() {
    const { response, email, body } = await flow.begin()
    const code = await server.mailedCode(email)
    const guesses = await countOutcomes(times(100, () => post(end, body(wrongCode(code)))))
    expect(guesses).toEqual({ '400 CODE_INVALID': 100 })
    expect((await post(end, body(code))).body.code).toBe('CODE_INVALID')
    return { response, email, body, code, id: response.body.data[field] as string }
  }

  it('is accepted after a hundred guesses by strangers', async () => {
    const { body, code, id } = await exhaustSharedAttempts()
    const { status, headers } = await post(end, { ...body(code), [field]: id })
    expect(status).toBe(flow.done)
    expect(cookiesIn({ headers })).toContain(`${flow.cookie}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`)
  })

  it('is accepted from the browser that started, by its cookie alone, over tRPC', async () => {
    const { response, body, code } = await exhaustSharedAttempts()
    const [line = ''] = cookiesIn(response)
    expect(line).toMatch(new RegExp(`^${flow.cookie}=[\\w-]+; Max-Age=\\d+; Path=/; HttpOnly; SameSite=Lax$`))
    const { statusCode, headers } = await server.app.inject({
      method: 'POST',
      url: `/trpc/${flow.procedure}`,
      headers: { ...newAddress(), 'content-type': 'application/json', cookie: cookieOf(response) },
      payload: JSON.stringify(body(code)),
    })
    expect(statusCode).toBe(200)
    expect(cookiesIn({ headers })).toContain(`${flow.cookie}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`)
  })

  it('is compared five times for twenty concurrent wrong entries, without using shared attempts', async () => {
    const { response, email, body } = await flow.begin()
    const code = await server.mailedCode(email)
    const id = response.body.data[field]
    const outcome = await countOutcomes(times(20, () => post(end, { ...body(wrongCode(code)), [field]: id })))
    expect(outcome).toEqual({ '400 CODE_INVALID': 20 })
    const compared = await server.sql`select count from rate_limits where key like ${`code-failures:%:${email}:ids`}`
    expect(compared.map(({ count }) => count)).toEqual([5])
    expect((await post(end, { ...body(code), [field]: id })).body.code).toBe('CODE_INVALID')
    expect((await post(end, body(code))).status).toBe(flow.done)
  })

  it('is counted separately only for its own purpose and address, and if unmodified', async () => {
    const { body, code, id } = await exhaustSharedAttempts()
    const elsewhere = await flow.begin()
    const ofOthers = await Promise.all(FLOWS.filter((other) => other !== flow).map((other) => other.begin()))
    const foreignIds = [elsewhere, ...ofOthers].map(
      ({ response }) => Object.values(response.body.data).at(-1) as string,
    )
    const modified = `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`
    for (const tried of [...foreignIds, modified, 'x', server.deps.secret.seal('{}')])
      expect((await post(end, { ...body(code), [field]: tried })).body.code).toBe('CODE_INVALID')
    expect((await post(end, { ...body(code), [field]: '!' })).body).toMatchObject({
      code: 'VALIDATION',
      errors: [{ path: field }],
    })
    expect((await post(end, { ...body(code), [field]: id })).status).toBe(flow.done)
  })

  it('may be wrong twenty times a day; then the correct one is rejected too', async () => {
    const { response, email, body } = await flow.begin()
    const code = await server.mailedCode(email)
    const id = response.body.data[field]
    expect((await post(end, { ...body(wrongCode(code)), [field]: id })).body.code).toBe('CODE_INVALID')
    const keys = await server.sql<{ key: string }[]>`
      update rate_limits set count = 20 where key like ${`code-failures:%:${email}:ids%`} returning key`
    const locked = await post(end, { ...body(code), [field]: id })
    // Over all ids of an address the limit is three times as high, if anyone can get one.
    expect(keys).toHaveLength(field === 'signInId' ? 1 : 2)
    expect(locked).toMatchObject({ status: 429, body: { code: 'CODE_LOCKED' } })
    expect(locked.body.cooldown).toBeGreaterThan(86_000)
  })
})

describe('an id', () => {
  it('stays valid for the next code', async () => {
    const { email } = await createOtpMember()
    const { signInId } = (await post('/auth/login', { email, password: PASSWORD })).body.data
    await server.mailedCode(email)
    await server.clock.ageCodes(241)
    const read = server.caughtMails()
    expect((await post('/auth/resend-otp', { email })).status).toBe(200)
    const code = await server.mailedCode(email, read)
    await countOutcomes(times(20, () => post('/auth/verify-otp', { email, otp: wrongCode(code) })))
    expect((await post('/auth/verify-otp', { email, otp: code, signInId })).status).toBe(200)
  })

  it('requires the password for a sign-in, and is issued for a reset even during the cooldown', async () => {
    const { email } = await createOtpMember()
    for (const call of ['/auth/send-otp', '/auth/resend-otp'])
      expect(cookiesIn(await post(call, { email }))).toEqual([])
    expect(cookiesIn(await post('/auth/login', { email, password: 'Zellige-2027' }))).toEqual([])
    await post('/auth/forgot-password', { email })
    const code = await server.mailedCode(email)
    await countOutcomes(times(20, () => post('/auth/reset-password', { email, otp: wrongCode(code), ...fresh })))
    const soon = await post('/auth/forgot-password', { email })
    expect(soon.body.code).toBe('CODE_TOO_SOON')
    const cookie = cookieOf(soon)
    expect(
      (await post('/auth/reset-password', { email, otp: code, ...fresh }, { ...newAddress(), cookie })).status,
    ).toBe(200)
  })

  it('of strangers at other addresses uses no attempts of the owner’s', async () => {
    const { email } = await server.createMember()
    const { resetId } = (await post('/auth/forgot-password', { email })).body.data
    const code = await server.mailedCode(email)
    for (let stranger = 0; stranger < 3; stranger++) {
      const place = newAddress()
      const cookie = cookieOf(await post('/auth/forgot-password', { email }, place))
      const guess = { email, otp: wrongCode(code), ...fresh }
      await countOutcomes(times(10, () => post('/auth/reset-password', guess, { ...place, cookie })))
    }
    expect((await post('/auth/reset-password', { email, otp: code, resetId, ...fresh })).status).toBe(200)
  })

  it('is a `__Host-` cookie over https', async () => {
    const safe = await openTestServer({ APP_URL: 'https://community.example' })
    const response = await safe.rest()('POST /auth/forgot-password', { email: uniqueEmail() })
    expect(cookiesIn(response)).toEqual([
      expect.stringMatching(/^__Host-community_reset=[\w-]+; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ])
    await safe.close()
  })
})

describe('a known device', () => {
  const login = (email: string, password: string, headers = newAddress()) =>
    post('/auth/login', { email, password }, headers)
  const on = (cookie: string) => ({ ...newAddress(), cookie })
  /** Wrong passwords by strangers at three addresses: the account's whole limit. */
  async function lock(email: string): Promise<void> {
    for (const place of times(3, newAddress)) await countOutcomes(times(10, () => login(email, 'Zellige-2027', place)))
    expect((await login(email, PASSWORD)).body.code).toBe('SIGN_IN_LOCKED')
  }
  async function createKnownDevice() {
    const member = await server.createMember()
    const response = await login(member.email, PASSWORD)
    const [line = ''] = cookiesIn(response)
    expect(line).toMatch(/^community_devices=[\w~-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    return { ...member, cookie: cookieOf(response) }
  }

  it('signs in while strangers are locked out, and has its own ten attempts', async () => {
    const { email, cookie } = await createKnownDevice()
    await lock(email)
    const again = await login(email, PASSWORD, on(cookie))
    expect(again.status).toBe(200)
    const outcome = await countOutcomes(times(15, () => login(email, 'Zellige-2027', on(cookie))))
    expect(outcome).toEqual({ '401 WRONG_CREDENTIALS': 10, '429 SIGN_IN_LOCKED': 5 })
    // Still the same device, with any of its cookies.
    expect((await login(email, PASSWORD, on(cookieOf(again)))).body.code).toBe('SIGN_IN_LOCKED')
    await server.sql`delete from rate_limits where key = ${`sign-in:${email}`}`
    expect((await login(email, PASSWORD)).status).toBe(200)
  })

  it('is known to that account only, by a signed entry, until the password changes', async () => {
    const [mine, other] = [await createKnownDevice(), await createKnownDevice()]
    await lock(mine.email)
    const [name, entry = ''] = mine.cookie.split('=')
    const forged = [
      other.cookie,
      `${name}=${entry.slice(0, -1)}${entry.endsWith('0') ? '1' : '0'}`,
      `${name}=${entry.split('~')[0]}`,
    ]
    for (const cookie of [...forged, `${name}=`, `${name}=~.~.~`])
      expect((await login(mine.email, PASSWORD, on(cookie))).body.code).toBe('SIGN_IN_LOCKED')
    expect((await login(mine.email, PASSWORD, on(mine.cookie))).status).toBe(200)
    const change = { currentPassword: PASSWORD, newPassword: fresh.password }
    expect((await server.rest(mine)('POST /auth/change-password', change, on(mine.cookie))).status).toBe(200)
    expect((await login(mine.email, fresh.password, on(mine.cookie))).body.code).toBe('SIGN_IN_LOCKED')
  })

  it('remembers the last eight accounts', async () => {
    const people = await Promise.all(times(9, () => server.createMember()))
    let cookie = ''
    for (const { email } of people) cookie = cookieOf(await login(email, PASSWORD, on(cookie)))
    expect(cookie.length).toBeLessThan(1000)
    const statusDuringLockout = async ({ email }: TestUser) => {
      await lock(email)
      return (await login(email, PASSWORD, on(cookie))).status
    }
    expect([
      await statusDuringLockout(people[0] as TestUser),
      await statusDuringLockout(people[1] as TestUser),
    ]).toEqual([429, 200])
  })

  it('can enter its code after strangers with the password used up the account’s attempts', async () => {
    const { id, email, cookie } = await createKnownDevice()
    await server.sql`update users set sign_in_otp = true where id = ${id}`
    const { signInId } = (await login(email, PASSWORD)).body.data
    const code = await server.mailedCode(email)
    await post('/auth/verify-otp', { email, otp: wrongCode(code), signInId })
    await server.sql`update rate_limits set count = 20 where key like ${`code-failures:sign-in:${email}%`}`
    expect((await post('/auth/verify-otp', { email, otp: code, signInId })).body.code).toBe('CODE_LOCKED')
    expect((await post('/auth/verify-otp', { email, otp: code }, on(cookie))).status).toBe(200)
  })
})

it.each(['one account', 'sixty accounts'])(
  'sixty wrong passwords at %s lock out nobody else at the address',
  async (at) => {
    const campus = newAddress()
    const { email } = await server.createMember()
    const guess = () =>
      post('/auth/login', { email: at === 'one account' ? email : uniqueEmail(), password: 'Zellige-2027' }, campus)
    for (let group = 0; group < 6; group++) await countOutcomes(times(10, guess))
    const others = await Promise.all(times(5, () => server.createMember()))
    const outcome = await countOutcomes(
      others.map((other) => post('/auth/login', { email: other.email, password: PASSWORD }, campus)),
    )
    expect(outcome).toEqual({ 200: 5 })
  },
)

it('an address may enter a hundred wrong codes an hour with ids that anyone gets, over all accounts', async () => {
  const place = newAddress()
  const reset = (email: string, resetId: string, otp: string, headers = place) =>
    post('/auth/reset-password', { email, otp, resetId, ...fresh }, headers)
  async function requestReset() {
    const { email } = await server.createMember()
    const { resetId } = (await post('/auth/forgot-password', { email }, place)).body.data
    return { email, resetId, otp: await server.mailedCode(email) }
  }
  const targets = await Promise.all(times(20, requestReset))
  for (const { email, resetId, otp } of targets)
    expect(await countOutcomes(times(5, () => reset(email, resetId, wrongCode(otp))))).toEqual({
      '400 CODE_INVALID': 5,
    })
  const [here, otpMember, registrant] = [await requestReset(), await createOtpMember(), createRegistrant()]
  expect((await reset(here.email, here.resetId, here.otp)).body.code).toBe('TOO_MANY_REQUESTS')
  const begin = await post('/auth/register', { ...registrant, confirmPassword: registrant.password }, place)
  const { registrationId } = begin.body.data
  const registration = { ...registrant, registrationId, otp: await server.mailedCode(registrant.email) }
  expect((await post('/auth/verify-registration-otp', registration, place)).body.code).toBe('TOO_MANY_REQUESTS')
  // A sign-in's id proves the password; other addresses are not affected.
  const { signInId } = (await post('/auth/login', { email: otpMember.email, password: PASSWORD }, place)).body.data
  const signIn = { email: otpMember.email, otp: await server.mailedCode(otpMember.email), signInId }
  expect((await post('/auth/verify-otp', signIn, place)).status).toBe(200)
  expect((await reset(here.email, here.resetId, here.otp, newAddress())).status).toBe(200)
})

it('correct codes use up nothing of an address’s hundred wrong ones', async () => {
  const place = newAddress()
  const key = `wrong-with-id:${place['x-forwarded-for']}`
  await server.sql`insert into rate_limits (key, count, resets_at) values (${key}, 99, now() + interval '1 hour')`
  const people = await Promise.all(times(5, () => server.createMember()))
  const outcome = await countOutcomes(
    people.map(async ({ email }) => {
      const { resetId } = (await post('/auth/forgot-password', { email }, place)).body.data
      return post('/auth/reset-password', { email, otp: await server.mailedCode(email), resetId, ...fresh }, place)
    }),
  )
  expect(outcome).toEqual({ 200: 5 })
})

it('an address without attempts left still accepts known devices and codes with ids, and nothing else', async () => {
  const campus = newAddress()
  const address = campus['x-forwarded-for']
  const { email } = await server.createMember()
  const cookie = cookieOf(await post('/auth/login', { email, password: PASSWORD }))
  const { resetId } = (await post('/auth/forgot-password', { email })).body.data
  const otp = await server.mailedCode(email)
  for (const key of [`wrong:${address}`, `attempts:${address}`])
    await server.sql`insert into rate_limits (key, count, resets_at) values (${key}, 1000, now() + interval '1 hour')`
  const login = (headers: Record<string, string>) => post('/auth/login', { email, password: PASSWORD }, headers)
  const reset = (id: object) => post('/auth/reset-password', { email, otp, ...fresh, ...id }, campus)
  expect((await login(campus)).body.code).toBe('TOO_MANY_REQUESTS')
  expect((await login({ ...campus, cookie })).status).toBe(200)
  expect((await reset({})).body.code).toBe('TOO_MANY_REQUESTS')
  expect((await reset({ resetId })).status).toBe(200)
})
