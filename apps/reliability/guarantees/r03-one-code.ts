import { PASSWORD, times, uniqueEmail, wrongCode } from '@community/testing'
import { type OpenIdProvider, openOpenIdProvider } from '@community/testing/openid-provider'
import { expectTally, type Guarantee, type GuaranteeContext } from '../guarantee.ts'
import {
  type ApiResponse,
  type Call,
  callAcrossServers,
  requestOf,
  atNewAddress,
  fromNewAddress,
} from '@community/testing/api-client'
import { signInExternally } from '../harness/external-sign-in.ts'
import { conflictsLogged, type Fixture } from '../harness/fixture.ts'
import { giveRefreshToken, mailedCode } from '../harness/sign-in.ts'
import { sha256, type User } from '@community/testing/database/users'

const AT_ONCE = 50
const ATTEMPTS = 5
const ONE_SUCCEEDS = { '200': 1, '400 CODE_INVALID': AT_ONCE - 1 }

type Race = (fixture: Fixture, expect: GuaranteeContext['expect'], provider: OpenIdProvider) => Promise<void>

/** Fifty concurrent calls over all servers, from one address unless the call sets its own. */
function callFiftyTimes({ clients }: Fixture, make: (index: number) => Call): Promise<ApiResponse[]> {
  const headers = atNewAddress()
  const calls = times(AT_ONCE, (index) => ({ headers, ...make(index) }))
  return callAcrossServers(clients, calls)
}

const registration: Race = async (fixture, expect) => {
  const candidate = { name: 'Nour Benali', email: uniqueEmail() }
  const { otp } = await mailedCode(fixture, requestOf('auth.register', candidate))
  const responses = await callFiftyTimes(fixture, () => requestOf('auth.verifyRegistrationOtp', { ...candidate, otp }))
  const accounts = await fixture.sql`select id from users where email = ${candidate.email}`
  expectTally(expect, 'registration', responses, { '201': 1, '400 CODE_INVALID': AT_ONCE - 1 })
  expect(accounts.length === 1, `registration: ${accounts.length} accounts of one address`)
}

/** A member whose sign-in requires a code, and the mailed code. */
async function memberWithCode(fixture: Fixture): Promise<User & { otp: string }> {
  const member = await fixture.createMember()
  await fixture.sql`update users set sign_in_otp = true where id = ${member.id}`
  return { ...member, ...(await mailedCode(fixture, requestOf('auth.login', { email: member.email }))) }
}

const signIn: Race = async (fixture, expect) => {
  const { id, email, otp } = await memberWithCode(fixture)
  const responses = await callFiftyTimes(fixture, () => requestOf('auth.verifyOtp', { email, otp }))
  const families = await fixture.sql`select id from refresh_families where user_id = ${id}`
  expectTally(expect, 'sign-in', responses, ONE_SUCCEEDS)
  // The member was created with a session.
  expect(families.length === 2, `sign-in: ${families.length - 1} sign-ins by one code`)
}

/** An external sign-in: the browser returns to another process than the one it started at. */
const externalSignIn: Race = async (fixture, expect, provider) => {
  const { end, email, cookie } = await signInExternally(fixture, provider)
  expect(end.startsWith('/auth/google-otp'), `external sign-in: it ends at ${end}`)
  const verify = requestOf('auth.verifyGoogleOtp', { email, otp: await fixture.mail.codeFor(email) })
  const headers = { ...atNewAddress(), cookie }
  const responses = await callFiftyTimes(fixture, () => ({ ...verify, headers }))
  const accounts = await fixture.sql`
    select u.id from users u join identities i on i.user_id = u.id join refresh_families f on f.user_id = u.id
    where u.email = ${email}`
  expectTally(expect, 'external sign-in', responses, ONE_SUCCEEDS)
  expect(accounts.length === 1, `external sign-in: ${accounts.length} sign-ins by one code`)
}

const reset: Race = async (fixture, expect) => {
  const { email } = await fixture.createMember()
  const { otp } = await mailedCode(fixture, requestOf('auth.forgotPassword', { email }))
  const responses = await callFiftyTimes(fixture, (index) => {
    const password = `${PASSWORD}-${index}`
    return requestOf('auth.resetPassword', { email, otp, password, confirmPassword: password })
  })
  expectTally(expect, 'reset', responses, ONE_SUCCEEDS)
}

const refresh: Race = async (fixture, expect) => {
  const { clock, sql } = fixture
  const member = await fixture.createMember()
  const spent = await giveRefreshToken(fixture, member)
  // The same pair is repeated to the client that got it, and only to that one.
  const trade = (refreshToken: string) => requestOf('auth.refresh', { refreshToken })
  const responses = await callFiftyTimes(fixture, () => trade(spent))
  const successors = new Set(responses.map(({ body }) => String(body?.data?.refreshToken)))
  const [successor = ''] = successors
  const live = await sql<{ hash: string }[]>`
    select hash from refresh_tokens join refresh_families f on f.id = family_id
    where f.user_id = ${member.id} and spent_at is null`
  expectTally(expect, 'refresh', responses, { '200': AT_ONCE })
  expect(successors.size === 1 && successor !== spent, `refresh: ${successors.size} successors`)
  expect(live.length === 1 && live[0]?.hash === sha256(successor), `refresh: ${live.length} live tokens`)

  // After the grace period a spent token counts as stolen, however many clients hold its successor.
  await clock.ageSpentTokens(60, { hash: sha256(spent) })
  const late = await callFiftyTimes(fixture, (index) => trade(index % 2 === 0 ? spent : successor))
  const isTraded = late.some(({ status, body }) => status === 200 && body.data.refreshToken === successor)
  const [family] = await sql`select revoked_at from refresh_families where user_id = ${member.id}`
  expect(!isTraded, 'refresh: a token spent long ago was traded')
  expect(Boolean(family?.revoked_at), 'refresh: a token spent long ago was used, and the sign-in lives on')
}

/** Fifty clients hold one token: the first use counts, and the second, from elsewhere, ends the sign-in. */
const stolenRefresh: Race = async (fixture, expect) => {
  const member = await fixture.createMember()
  const refreshToken = await giveRefreshToken(fixture, member)
  const responses = await callFiftyTimes(fixture, () => fromNewAddress(requestOf('auth.refresh', { refreshToken })))
  const [family] = await fixture.sql`select revoked_at from refresh_families where user_id = ${member.id}`
  expectTally(expect, 'stolen refresh', responses, { '200': 1, '401 REFRESH_INVALID': AT_ONCE - 1 })
  expect(Boolean(family?.revoked_at), 'stolen refresh: the sign-in lives on')
}

/** Fifty wrong codes: five are compared, and then the right one is rejected too. */
const wrongCodes: Race = async (fixture, expect) => {
  const { email, otp } = await memberWithCode(fixture)
  const verify = (code: string) => requestOf('auth.verifyOtp', { email, otp: code })
  const responses = await callFiftyTimes(fixture, (index) => verify(wrongCode(otp, index)))
  const late = await fixture.client.call(fromNewAddress(verify(otp)))
  const [code] = await fixture.sql`select tries from codes where email = ${email} and purpose = 'sign-in'`
  const [compared] = await fixture.sql`select count from rate_limits where key = ${`code-failures:sign-in:${email}`}`
  expectTally(expect, 'wrong codes', [...responses, late], { '400 CODE_INVALID': AT_ONCE + 1 })
  expect(code?.tries === ATTEMPTS, `wrong codes: ${code?.tries} tries`)
  expect(compared?.count === ATTEMPTS, `wrong codes: ${compared?.count} compared`)
}

/** Four concurrent wrong codes leave a fifth attempt. */
const fourWrongCodes: Race = async (fixture, expect) => {
  const { email } = await fixture.createMember()
  const { otp } = await mailedCode(fixture, requestOf('auth.forgotPassword', { email }))
  const attempt = (code: string) => requestOf('auth.resetPassword', { email, otp: code })
  const wrong = times(ATTEMPTS - 1, (index) => fromNewAddress(attempt(wrongCode(otp, index))))
  const responses = await callAcrossServers(fixture.clients, wrong)
  responses.push(await fixture.client.call(fromNewAddress(attempt(otp))))
  expectTally(expect, 'four wrong codes', responses, { '400 CODE_INVALID': ATTEMPTS - 1, '200': 1 })
}

const adminPassword: Race = async (fixture, expect) => {
  const admin = await fixture.createAdmin()
  const confirm = (password: string) => requestOf('admin.verifyPassword', { password }, admin)
  const responses = await callFiftyTimes(fixture, (index) => confirm(`wrong ${index}`))
  expectTally(expect, 'admin password', [...responses, await fixture.client.call(confirm(PASSWORD))], {
    '403 WRONG_PASSWORD': ATTEMPTS,
    '429 ADMIN_PASSWORD_LOCKED': AT_ONCE - ATTEMPTS + 1,
  })
}

const RACES = {
  registration,
  signIn,
  externalSignIn,
  reset,
  refresh,
  stolenRefresh,
  wrongCodes,
  fourWrongCodes,
  adminPassword,
}

export const guarantee: Guarantee = {
  id: 'R3',
  statement:
    'Of fifty concurrent uses of one code, reset or refresh token, over three processes, one takes effect; of fifty wrong codes or admin passwords five are compared',
  async run({ byTier, expect, expectNone, onFinished, openFixture }) {
    const repetitions = byTier({ short: 2, full: 500 })
    const provider = await openOpenIdProvider()
    onFinished(() => provider.close())
    const fixture = await openFixture({ servers: 3, settings: provider.settings })
    for (let round = 0; round < repetitions; round++)
      for (const race of Object.values(RACES))
        await race(fixture, (condition, what) => expect(condition, `round ${round}, ${what}`), provider)
    expectNone(await conflictsLogged(fixture))
    return { 'repetitions of each race': repetitions }
  },
}
