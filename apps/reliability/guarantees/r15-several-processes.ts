import { limits } from '@community/contract'
import { times, uniqueEmail, wrongCode } from '@community/testing'
import {
  type ApiResponse,
  type Call,
  dataOf,
  callAcrossServers,
  requestOf,
  countOutcomes,
  atNewAddress,
  fromNewAddress,
} from '@community/testing/api-client'
import type { Guarantee, GuaranteeContext } from '../guarantee.ts'
import { teamForm } from '@community/testing/community'
import type { Fixture } from '../harness/fixture.ts'
import { giveRefreshToken, mailedCode } from '../harness/sign-in.ts'

const PROCESSES = 3
const MAIL_CALLS_PER_ADDRESS = 300
const NEW_PASSWORD = { password: 'Zellige-2026-guarantee', confirmPassword: 'Zellige-2026-guarantee' }

type Expect = GuaranteeContext['expect']
type Check = (fixture: Fixture, expect: Expect) => Promise<void>

function expectCount(expect: Expect, what: string, responses: ApiResponse[], outcome: string, count: number): void {
  const found = countOutcomes(responses)
  expect(found[outcome] === count, `${what}: ${JSON.stringify(found)} instead of ${count} × ${outcome}`)
}

/** Sends the calls round-robin to the processes, `size` of them concurrently. */
async function inBatches({ clients }: Fixture, calls: Call[], size = 60): Promise<ApiResponse[]> {
  const responses: ApiResponse[] = []
  for (let start = 0; start < calls.length; start += size)
    responses.push(...(await callAcrossServers(clients, calls.slice(start, start + size))))
  return responses
}

/** Ten wrong passwords are compared from one address, thirty from ever new addresses. */
const wrongPasswords: Check = async (fixture, expect) => {
  const { createMember } = fixture
  const [user, other, headers] = [await createMember(), await createMember(), atNewAddress()]
  const guess = (email: string, index: number) => requestOf('auth.login', { email, password: `Wrong-${index}` })
  const here = times(40, (index) => ({ ...guess(user.email, index), headers }))
  const anywhere = times(60, (index) => fromNewAddress(guess(other.email, index)))
  const wrong = '401 WRONG_CREDENTIALS'
  const [max, answersHere] = [limits.SIGN_IN_ATTEMPTS_MAX, await inBatches(fixture, here)]
  expectCount(expect, 'wrong passwords from one address', answersHere, wrong, max)
  const answersAnywhere = await inBatches(fixture, anywhere, 20)
  expectCount(expect, 'wrong passwords from many addresses', answersAnywhere, wrong, 3 * max)
}

/** Strangers use up the attempts without an id; the owner's id has five attempts of its own, and the right code still works. */
const codesApart: Check = async (fixture, expect) => {
  const request = async () => {
    const { email } = await fixture.createMember()
    return { email, ...(await mailedCode(fixture, requestOf('auth.forgotPassword', { email }))) }
  }
  const [mine, theirs] = [await request(), await request()]
  const reset = (email: string, otp: string, id: { resetId?: string } = {}) =>
    fromNewAddress(requestOf('auth.resetPassword', { email, otp, ...NEW_PASSWORD, ...id }))
  const guesses = times(100, (index) => reset(mine.email, wrongCode(mine.otp, index)))
  expectCount(expect, 'codes of strangers', await inBatches(fixture, guesses), '400 CODE_INVALID', 100)
  const right = await callAcrossServers(fixture.clients, [reset(mine.email, mine.otp, { resetId: mine.resetId })])
  expectCount(expect, 'the right code with its id', right, '200', 1)
  const { email, otp, resetId } = theirs
  const wrong = times(30, (index) => reset(email, wrongCode(otp, index), { resetId }))
  await inBatches(fixture, wrong)
  const [compared] = await fixture.sql`select count from rate_limits where key = ${`code-failures:reset:${email}:ids`}`
  expect(compared?.count === limits.CODE_ATTEMPTS_MAX, `codes of one id: ${compared?.count} compared`)
}

/** The hourly limit of mails per IP address, over all recipients. */
const mailCalls: Check = async (fixture, expect) => {
  const headers = atNewAddress()
  // The recipients have no account: requests count, not mails.
  const createCall = () => ({ ...requestOf('auth.sendOtp', { email: uniqueEmail() }), headers })
  const responses = await inBatches(fixture, times(MAIL_CALLS_PER_ADDRESS + 60, createCall))
  expectCount(expect, 'mails asked for from one address', responses, '200', MAIL_CALLS_PER_ADDRESS)
}

/** Thirty concurrent requests over all processes mail one code; the others get the cooldown. */
const cooldown: Check = async ({ clients, createMember, sql }, expect) => {
  const { email } = await createMember()
  const createCall = () => fromNewAddress(requestOf('auth.forgotPassword', { email }))
  const responses = await callAcrossServers(clients, times(30, createCall))
  const queued = await sql`select id from jobs where recipient = ${email}`
  expectCount(expect, 'codes asked for', responses, '200', 1)
  expectCount(expect, 'codes asked for', responses, '429 CODE_TOO_SOON', 29)
  expect(queued.length === 1, `cooldown: ${queued.length} mails`)
  const waits = responses.filter(({ status }) => status === 429).map(({ body }) => body.cooldown)
  expect(Math.min(...waits) > 230 && Math.max(...waits) <= 240, 'cooldown: not the seconds that are left')
}

/** After one process has disabled team creation, every process rejects new teams; after enabling it, every process accepts them. */
const settings: Check = async ({ clients, createAdmin, createMembers }, expect) => {
  const [admin, members] = [await createAdmin(), await createMembers(PROCESSES)]
  for (const client of clients)
    for (const enabled of [false, true]) {
      await dataOf(client.call(requestOf('admin.setTeamCreation', { enabled }, admin)))
      const created = clients.map(async (each, index) =>
        each.call(requestOf('teams.create', await teamForm(each), members[index])),
      )
      const outcome = enabled ? '201' : '403 TEAM_CREATION_DISABLED'
      expectCount(expect, `creation enabled: ${enabled}`, await Promise.all(created), outcome, PROCESSES)
    }
}

/** A chain of refreshes, each sent by one client to all processes concurrently: one successor every time. */
const refreshes: Check = async (fixture, expect) => {
  const headers = atNewAddress()
  let refreshToken = await giveRefreshToken(fixture, await fixture.createMember())
  for (let link = 0; link < 6; link++) {
    const trades = times(2 * PROCESSES, () => ({ ...requestOf('auth.refresh', { refreshToken }), headers }))
    const responses = await callAcrossServers(fixture.clients, trades)
    const successors = new Set(responses.map(({ body }) => String(body?.data?.refreshToken)))
    expect(
      successors.size === 1,
      `refresh ${link}: ${JSON.stringify(countOutcomes(responses))}, ${successors.size} successors`,
    )
    for (const { body } of responses) {
      const profile = await fixture.clients[link % PROCESSES]?.call('GET /users/profile', { token: body?.data?.token })
      expect(profile?.status === 200, `refresh ${link}: a token of one process is ${profile?.status} at another`)
    }
    refreshToken = [...successors][0] ?? ''
  }
}

const CHECKS = { wrongPasswords, codesApart, mailCalls, cooldown, settings, refreshes }

export const guarantee: Guarantee = {
  id: 'R15',
  statement: 'Three processes share their limits, cooldowns, settings and tokens: a limit of n admits exactly n',
  async run({ byTier, expect, openFixture }) {
    const repetitions = byTier({ short: 1, full: 20, long: 100 })
    const fixture = await openFixture({ servers: PROCESSES })
    for (let round = 0; round < repetitions; round++)
      for (const check of Object.values(CHECKS))
        await check(fixture, (condition, what) => expect(condition, `round ${round}, ${what}`))
    return { repetitions }
  },
}
