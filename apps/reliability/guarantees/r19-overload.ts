import { quantile, repeat, residentMegabytes, times, uniqueName, until } from '@community/testing'
import {
  Client,
  describeResponse,
  isRetryLater,
  isSuccess,
  requestOf,
  countOutcomes,
  fromNewAddress,
} from '@community/testing/api-client'
import { type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { teamForm } from '@community/testing/community'
import type { User } from '@community/testing/database/users'

/** Milliseconds, below the client timeout of ten seconds; `memory` in megabytes. */
const LIMITS = { health: 500, login: 8000, answer: 8000, back: 5000, memory: 600 }
const FEW_CALLERS = 8

/** Runs callers with one request at a time each; every tenth caller writes. Returns successes a second and the slowest response. */
async function runLoad(
  { expect }: GuaranteeContext,
  client: Client,
  { users, callers, seconds }: { users: User[]; callers: number; seconds: number },
) {
  const form = await teamForm(client)
  const signal = AbortSignal.timeout(seconds * 1000)
  const found = { perSecond: 0, slowest: 0, successes: 0, refusals: 0 }
  const call = async (number: number) => {
    const token = users[number % users.length]?.token
    const isWriter = number % 10 === 0
    const body = isWriter ? { ...form, name: uniqueName('Overload') } : undefined
    const response = await client.call(isWriter ? 'POST /teams' : 'GET /users/profile', { token, body })
    found.slowest = Math.max(found.slowest, response.took)
    expect(isSuccess(response) || isRetryLater(response), describeResponse(response))
    if (!isSuccess(response)) found.refusals++
    else if (!signal.aborted) found.successes++
  }
  await Promise.all(times(callers, (number) => repeat(signal, (index) => call(number + index))))
  return { ...found, perSecond: found.successes / seconds }
}

/** Many concurrent sign-ins, each from its own address. */
async function signInAtOnce({ expect, expectWithin }: GuaranteeContext, client: Client, users: User[]) {
  const responses = await Promise.all(
    users.map(({ email }) => client.call(fromNewAddress(requestOf('auth.login', { email })))),
  )
  const found = countOutcomes(responses)
  for (const [outcome, count] of Object.entries(found))
    expect(/^(200|503 UNAVAILABLE|429 .*)$/.test(outcome), `${count} sign-ins were answered ${outcome}`)
  expect((found['200'] ?? 0) > 0, 'nobody could sign in')
  expectWithin(LIMITS.login, Math.max(...responses.map(({ took }) => took)), 'a sign-in')
  return JSON.stringify(found)
}

export const guarantee: Guarantee = {
  id: 'R19',
  statement:
    'A server that gets far more requests than it can handle keeps nearly its rate and rejects the others at once',
  /** The full form takes six to seven minutes: three load phases of two minutes each, and the sign-ins. */
  async run(context) {
    const { byTier, expect, expectWithin, openFixture } = context
    const { callers, seconds, signIns } = byTier({
      short: { callers: 300, seconds: 3, signIns: 300 },
      full: { callers: 1500, seconds: 120, signIns: 2000 },
    })
    // The least share of the unloaded rate; generous, because other work shares the machine.
    const enough = byTier({ short: 0.4, full: 0.8 })
    const { server, createMembers } = await openFixture()
    const users = await createMembers(200)
    const client = new Client(server.port, callers)
    const lightLoad = { users, callers: FEW_CALLERS, seconds }
    await runLoad(context, client, { ...lightLoad, seconds: 1 })
    const before = await runLoad(context, client, lightLoad)

    await client.openConnections(callers)
    const watching = new AbortController()
    const liveness = new Client(server.port, 1)
    const watched = repeat(watching.signal, () => liveness.call('GET /health/live'), 200)
    const overload = await runLoad(context, client, { ...lightLoad, callers })
    watching.abort()
    const health = await watched
    const memory = residentMegabytes(server.pid())
    const isQuick = async () => (await client.call('GET /users/profile', { token: users[0]?.token })).took <= 500
    const back = await until('an answer comes quickly', isQuick)
    const after = await runLoad(context, client, lightLoad)
    const signedIn = await signInAtOnce(context, new Client(server.port, signIns), await createMembers(signIns))

    // Other work shares the machine: the lower rate of before and after.
    const usual = Math.min(before.perSecond, after.perSecond)
    const share = overload.perSecond / usual
    const healthTimes = health.map((response) => (isSuccess(response) ? response.took : Infinity))
    expect(share >= enough, `only ${share.toFixed(2)} of the rate without overload`)
    expectWithin(LIMITS.answer, overload.slowest, 'an answer')
    expectWithin(LIMITS.health, quantile(healthTimes, 0.95), 'the liveness call')
    expect(memory <= LIMITS.memory, `the server holds ${memory} MB`)
    expectWithin(LIMITS.back, back, 'the return to quick answers')
    return {
      callers,
      'share of the usual rate': share.toFixed(2),
      refused: overload.refusals,
      'slowest answer': inMs(overload.slowest),
      memory: `${memory} MB`,
      'sign-ins at once': signedIn,
    }
  },
}
