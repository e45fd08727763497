import { contract, type Route, routesOf } from '@community/contract'
import { times } from '@community/testing'
import {
  type ApiResponse,
  type Call,
  dataOf,
  isSuccess,
  requestOf,
  UnexpectedResponse,
  atNewAddress,
} from '@community/testing/api-client'
import { DocumentChecker } from '@community/testing/api-document'
import fc from 'fast-check'
import { type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { createChallenge, createTeam } from '@community/testing/community'
import type { Fixture } from '../harness/fixture.ts'
import { callOf, type FuzzRequest, requestsTo } from '../harness/fuzz-request.ts'
import { KnownIds } from '../harness/known-ids.ts'

const AT_ONCE = 6
/** The number of requests after which wrong-password counters are reset: a lock would hide the code behind it. */
const RESET_EVERY = 150
const ID = /[\da-f]{8}-[\da-f-]{27}/g
const ROUTES = routesOf(contract)
/** Between the procedures of consecutive requests. */
const STRIDE = 37

/** Sends `count` requests, some concurrently, and checks each response; resolves with the counts. */
async function fuzz({ byTier, expect, seed }: GuaranteeContext, fixture: Fixture, count: number) {
  const { client, createAdmin, createMember, createMembers, sql } = fixture
  const tally = { requests: 0, broken: 0, successes: 0, slowest: 0, statuses: {} as Record<string, number> }
  const succeeded = new Set<Route>()
  const checker = new DocumentChecker((await client.call('GET /openapi.json')).body)
  const known = new KnownIds()
  /** Replaces a user who was banned, deleted, signed out or given another role. */
  const users = { member: await createMembers(4), admin: [await createAdmin(), await createAdmin()] }
  for (const { id } of [...users.member, ...users.admin]) known.add('users', id)
  known.gather(await dataOf(client.call('GET /roles')))
  // The short form runs beside other tests: it allows as long as the server's own timeout.
  const timeLimit = byTier({ short: 7500, full: 2000 })

  /** Creates more objects, because the requests keep deleting things and banning users. */
  async function replenish(): Promise<void> {
    // The whole table in one statement: locking row by row could deadlock with the server, which locks in another order.
    await sql`truncate rate_limits`
    await sql`update settings set team_creation_enabled = true`
    const challenge = await createChallenge(client, await createAdmin(), { maxSubmissions: 5 })
    known.add('challenges', challenge.id)
    for (const member of await createMembers(2)) {
      const { id: teamId } = await createTeam(client, member)
      known.add('teams', teamId)
      known.add('users', member.id)
      const { body } = await client.call(requestOf('challenges.applyTo', { id: challenge.id, teamId }, member))
      known.gather(body?.data)
    }
  }

  function checkResponse(
    transport: 'REST' | 'tRPC',
    route: Route,
    request: FuzzRequest,
    call: Call,
    response: ApiResponse,
  ): void {
    const { status, body, took } = response
    tally.requests++
    if (request.broken) tally.broken++
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
    tally.slowest = Math.max(tally.slowest, took)
    const problems = [
      ...(status === 0 || status >= 500 ? ['failed'] : []),
      ...(took > timeLimit ? [`took ${inMs(took)}`] : []),
      checker[transport === 'REST' ? 'findResponseProblem' : 'findTrpcResponseProblem'](route, status, body) ?? [],
    ].flat()
    const sent = `${call.line.slice(0, 300)} ${JSON.stringify(call.body)?.slice(0, 300)}`
    const outcome = `${status} ${JSON.stringify(body)?.slice(0, 300)}`
    for (const problem of problems)
      expect(false, `${sent} (${request.broken ?? 'valid'}, ${request.caller}): ${problem}: ${outcome}`)
    if (!isSuccess(response)) return
    tally.successes++
    succeeded.add(route)
    const data = body?.data ?? body?.result?.data
    known.gather(data)
    if (data?.pagination?.nextCursor) known.add(`cursor ${route.path}`, data.pagination.nextCursor)
    if (route.method === 'DELETE') for (const id of call.line.match(ID) ?? []) known.forget(id)
  }

  async function sendOne(number: number): Promise<void> {
    if (number > 0 && number % RESET_EVERY === 0)
      // A concurrent request may have switched something off or deleted it.
      await replenish().catch((error: unknown) => {
        if (!(error instanceof UnexpectedResponse)) throw error
      })
    const [name, route] = ROUTES[(number * STRIDE) % ROUTES.length] as (typeof ROUTES)[number]
    const emails = [...users.member, ...users.admin].map(({ email }) => email)
    const [request] = fc.sample(requestsTo(route, emails, known), { numRuns: 1, seed: seed + number }) as [FuzzRequest]
    const role = (route.access === 'admin') !== (request.caller === 'other') ? 'admin' : 'member'
    const isSignedIn = request.caller === 'right' || request.caller === 'other'
    // Moves on by one with each round of the procedures, so that each of them is called by every user.
    const position = number + Math.floor(number / ROUTES.length)
    const user = isSignedIn ? users[role][position % users[role].length] : undefined
    const transport = number % 3 === 2 ? 'tRPC' : 'REST'
    const call = callOf(transport, name, route, request)
    const token = request.caller === 'garbage' ? 'x'.repeat(40) : user?.token
    const response = await client.call({ ...call, token, headers: { ...atNewAddress(), ...call.headers } })
    checkResponse(transport, route, request, call, response)
    if (user && (response.status === 401 || (response.status === 403 && request.caller === 'right'))) {
      const fresh = role === 'admin' ? await createAdmin() : await createMember()
      users[role] = users[role].map((member) => (member === user ? fresh : member))
    }
  }

  await replenish()
  let sent = 0
  const work = async () => {
    while (sent < count) await sendOne(sent++)
  }
  await Promise.all(times(AT_ONCE, work))
  const unsuccessful = ROUTES.filter(([, route]) => !succeeded.has(route)).map(([name]) => name)
  return { ...tally, unsuccessful }
}

export const guarantee: Guarantee = {
  id: 'R13',
  statement:
    'Random requests to every procedure over both transports, half of them invalid, get no server error, no undocumented status or body and no late response',
  async run(context) {
    const count = context.byTier({ short: 800, full: 20_000, long: 500_000 })
    const { statuses, slowest, unsuccessful, ...counts } = await fuzz(context, await context.openFixture(), count)
    return {
      ...counts,
      statuses: JSON.stringify(statuses),
      'slowest answer': inMs(slowest),
      'procedures without a success': unsuccessful.join(' '),
    }
  },
}
