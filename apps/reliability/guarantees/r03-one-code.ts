import { randomBytes } from 'node:crypto'
import { type Answer, type Call, overAll, tally } from '../harness/client.ts'
import { must } from '../harness/community.ts'
import { conflictsLogged } from '../harness/conflicts.ts'
import { signInThrough } from '../harness/external-sign-in.ts'
import { openOpenIdProvider, type OpenIdProvider } from '@community/testing/openid-provider'
import { ADMIN } from '@community/testing/server'
import { atNewAddress, giveRefreshToken, sha256, wrongCode } from '../harness/sign-in.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, type Guarantee } from '../guarantee.ts'

const AT_ONCE = 50
const TRIES = 5
const PASSWORD = 'Zellige-2026-guarantee'

/** Fifty calls at once, over all servers. */
const fifty = ({ clients }: Fixture, make: (turn: number) => Call): Promise<Answer[]> =>
  overAll(
    clients,
    Array.from({ length: AT_ONCE }, (_, turn) => make(turn)),
  )

/** What a round of a race did that it must not, a line each. */
type Race = (fixture: Fixture, provider: OpenIdProvider) => Promise<string[]>

const expectCounts = (what: string, answers: Answer[], expected: Record<string, number>): string[] => {
  const found = tally(answers)
  const isSame =
    Object.keys(found).length === Object.keys(expected).length &&
    Object.entries(expected).every(([key, count]) => found[key] === count)
  return isSame ? [] : [`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`]
}

/** Has a code mailed to an address; answers it. */
async function mailedCode(
  { client, mail }: Fixture,
  line: string,
  body: { email: string; [field: string]: unknown },
): Promise<string> {
  await must(client.call(line, { body, headers: atNewAddress() }))
  return mail.codeFor(body.email)
}

const registrationOf = (email: string) => ({ name: 'Nour Benali', email, password: PASSWORD })
const newEmail = () => `${randomBytes(8).toString('hex')}@example.ma`

const registration: Race = async (fixture) => {
  const email = newEmail()
  const form = registrationOf(email)
  const otp = await mailedCode(fixture, 'POST /auth/register', { ...form, confirmPassword: PASSWORD })
  const headers = atNewAddress()
  const verify = { line: 'POST /auth/verify-registration-otp', body: { ...form, otp }, headers }
  const answers = await fifty(fixture, () => verify)
  const accounts = await fixture.sql`select id from users where email = ${email}`
  return [
    ...expectCounts('registration', answers, { 201: 1, '400 CODE_INVALID': AT_ONCE - 1 }),
    ...(accounts.length === 1 ? [] : [`registration: ${accounts.length} accounts of one address`]),
  ]
}

const signIn: Race = async (fixture) => {
  const { id, email } = await fixture.people.member()
  await fixture.sql`update users set sign_in_otp = true where id = ${id}`
  const otp = await mailedCode(fixture, 'POST /auth/login', { email, password: ADMIN.password })
  const verify = { line: 'POST /auth/verify-otp', body: { email, otp }, headers: atNewAddress() }
  const answers = await fifty(fixture, () => verify)
  const families = await fixture.sql`select id from refresh_families where user_id = ${id}`
  return [
    ...expectCounts('sign-in', answers, { 200: 1, '400 CODE_INVALID': AT_ONCE - 1 }),
    // One is that which the member was made with.
    ...(families.length === 2 ? [] : [`sign-in: ${families.length - 1} sign-ins by one code`]),
  ]
}

/** By a provider: the browser comes back to another process than it began at. */
const externalSignIn: Race = async (fixture, provider) => {
  const { end, email, cookie } = await signInThrough(fixture, provider)
  if (!end.startsWith('/auth/google-otp')) return [`external sign-in: it ends at ${end}`]
  const otp = await fixture.mail.codeFor(email)
  const verify = {
    line: 'POST /auth/verify-google-otp',
    body: { email, otp },
    headers: { ...atNewAddress(), cookie },
  }
  const answers = await fifty(fixture, () => verify)
  const accounts = await fixture.sql`
    select u.id from users u join identities i on i.user_id = u.id join refresh_families f on f.user_id = u.id
    where u.email = ${email}`
  return [
    ...expectCounts('external sign-in', answers, { 200: 1, '400 CODE_INVALID': AT_ONCE - 1 }),
    ...(accounts.length === 1 ? [] : [`external sign-in: ${accounts.length} sign-ins by one code`]),
  ]
}

const reset: Race = async (fixture) => {
  const { email } = await fixture.people.member()
  const otp = await mailedCode(fixture, 'POST /auth/forgot-password', { email })
  const headers = atNewAddress()
  const answers = await fifty(fixture, (turn) => {
    const password = `${PASSWORD}-${turn}`
    return { line: 'POST /auth/reset-password', body: { email, otp, password, confirmPassword: password }, headers }
  })
  return expectCounts('reset', answers, { 200: 1, '400 CODE_INVALID': AT_ONCE - 1 })
}

const refresh: Race = async (fixture) => {
  const person = await fixture.people.member()
  const spent = await giveRefreshToken(fixture.sql, person)
  const trade = (refreshToken: string) => ({
    line: 'POST /auth/refresh',
    body: { refreshToken },
    headers: atNewAddress(),
  })
  const answers = await fifty(fixture, () => trade(spent))
  const told = answers.filter(({ status }) => status === 200)
  const successors = new Set(told.map(({ body }) => String(body?.data?.refreshToken)))
  const live = await fixture.sql<{ hash: string }[]>`
    select hash from refresh_tokens join refresh_families f on f.id = family_id
    where f.user_id = ${person.id} and spent_at is null`
  const isOne = successors.size === 1 && live.length === 1 && !successors.has(spent)
  const isThat = [...successors].every((token) => live.some(({ hash }) => hash === sha256(token)))

  // Beyond the grace the same token is a stolen one, however many hold its successor.
  await fixture.sql`update refresh_tokens set spent_at = spent_at - interval '1 minute' where hash = ${sha256(spent)}`
  const [successor = ''] = successors
  const late = await fifty(fixture, (turn) => trade(turn % 2 === 0 ? spent : successor))
  const lateOnSpent = late.filter(({ status, body }) => status === 200 && body.data.refreshToken === successor)
  const [family] = await fixture.sql`select revoked_at from refresh_families where user_id = ${person.id}`
  return [
    ...expectCounts('refresh', answers, { 200: AT_ONCE }),
    ...(isOne && isThat ? [] : [`refresh: ${successors.size} successors told, ${live.length} live`]),
    ...(lateOnSpent.length === 0 ? [] : ['refresh: a token spent long ago was traded']),
    ...(family?.revoked_at ? [] : ['refresh: a token spent long ago was used, and the sign-in lives on']),
  ]
}

/** Fifty wrong ones: five are compared, and then the right one is too late. */
const wrongCodes: Race = async (fixture) => {
  const { id, email } = await fixture.people.member()
  await fixture.sql`update users set sign_in_otp = true where id = ${id}`
  const right = await mailedCode(fixture, 'POST /auth/login', { email, password: ADMIN.password })
  const headers = atNewAddress()
  const verify = (otp: string) => ({ line: 'POST /auth/verify-otp', body: { email, otp }, headers })
  const answers = await fifty(fixture, (turn) => verify(wrongCode(right, turn)))
  const { line, ...late } = verify(right)
  const after = await fixture.client.call(line, late)
  const [code] = await fixture.sql`select tries from codes where email = ${email} and purpose = 'sign-in'`
  const [compared] = await fixture.sql`select count from rate_limits where key = ${`code-failures:sign-in:${email}`}`
  return [
    ...expectCounts('wrong codes', [...answers, after], { '400 CODE_INVALID': AT_ONCE + 1 }),
    ...(code?.tries === TRIES && compared?.count === TRIES
      ? []
      : [`wrong codes: ${code?.tries} tries, ${compared?.count} compared`]),
  ]
}

/** Four wrong ones at once leave the fifth try, no less. */
const fourWrongCodes: Race = async (fixture) => {
  const { email } = await fixture.people.member()
  const right = await mailedCode(fixture, 'POST /auth/forgot-password', { email })
  const headers = atNewAddress()
  const attempt = (otp: string) => ({
    line: 'POST /auth/reset-password',
    body: { email, otp, password: PASSWORD, confirmPassword: PASSWORD },
    headers,
  })
  const wrongs = Array.from({ length: TRIES - 1 }, (_, turn) => attempt(wrongCode(right, turn)))
  const answers = await overAll(fixture.clients, wrongs)
  const { line, ...last } = attempt(right)
  const after = await fixture.client.call(line, last)
  return expectCounts('four wrong codes', [...answers, after], { '400 CODE_INVALID': TRIES - 1, 200: 1 })
}

const adminPassword: Race = async (fixture) => {
  const { token } = await fixture.people.admin()
  const confirm = (password: string) => ({ line: 'POST /admin/verify-password', body: { password }, token })
  const answers = await fifty(fixture, (turn) => confirm(`wrong ${turn}`))
  const { line, ...right } = confirm(ADMIN.password)
  const after = await fixture.client.call(line, right)
  return expectCounts('admin password', [...answers, after], {
    '403 WRONG_PASSWORD': TRIES,
    '429 ADMIN_PASSWORD_LOCKED': AT_ONCE - TRIES + 1,
  })
}

const RACES = { registration, signIn, externalSignIn, reset, refresh, wrongCodes, fourWrongCodes, adminPassword }

export const guarantee: Guarantee = {
  id: 'R3',
  statement:
    'Of fifty who use one code, reset or refresh token at once, over three processes, one succeeds; of fifty wrong codes or admin passwords five are compared',
  async run(context) {
    const { violations } = context
    const repetitions = byTier(context, { short: 2, full: 500, long: 500 })
    const provider = await openOpenIdProvider()
    context.after(() => provider.close())
    const fixture = await context.open({ servers: 3, settings: provider.settings })
    for (let round = 0; round < repetitions; round++)
      for (const race of Object.values(RACES))
        violations.push(...(await race(fixture, provider)).map((line) => `round ${round}, ${line}`))
    violations.push(...(await conflictsLogged(fixture)))
    return { 'repetitions of each': repetitions, races: Object.keys(RACES).length, 'at once': AT_ONCE }
  },
}
