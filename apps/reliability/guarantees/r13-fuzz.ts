import { contract, type Route, routesOf } from '@community/contract'
import { times } from '@community/testing'
import { type Answer, type Call, dataOf, isSuccess, requestOf, UnexpectedAnswer } from '@community/testing/api-client'
import { DocumentChecker } from '@community/testing/api-document'
import fc from 'fast-check'
import { type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { createChallenge, createTeam } from '../harness/community.ts'
import type { Fixture } from '../harness/fixture.ts'
import { callOf, type FuzzRequest, requestsTo } from '../harness/fuzz-request.ts'
import { KnownIds } from '../harness/known-ids.ts'
import { atNewAddress } from '../harness/sign-in.ts'
import type { User } from '../harness/users.ts'

const AT_ONCE = 6
/** After so many requests wrong passwords are forgotten: a lock would hide what lies behind it. */
const RESET_EVERY = 150
const ID = /[\da-f]{8}-[\da-f-]{27}/g
const ROUTES = routesOf(contract)

class Fuzzer {
  readonly tally = { requests: 0, broken: 0, successes: 0, slowest: 0, statuses: {} as Record<string, number> }
  readonly #known = new KnownIds()
  readonly #fixture: Fixture
  readonly #context: GuaranteeContext
  readonly #checker: DocumentChecker
  /** A user who was banned, deleted, signed out or given another role is replaced. */
  readonly #users: { member: User[]; admin: User[] } = { member: [], admin: [] }

  constructor(fixture: Fixture, context: GuaranteeContext, checker: DocumentChecker) {
    this.#fixture = fixture
    this.#context = context
    this.#checker = checker
  }

  async run(count: number): Promise<void> {
    const { client, createAdmin, createMembers } = this.#fixture
    this.#users.member = await createMembers(4)
    this.#users.admin = [await createAdmin(), await createAdmin()]
    for (const { id } of [...this.#users.member, ...this.#users.admin]) this.#known.add('users', id)
    this.#known.gather(await dataOf(client.call('GET /roles')))
    await this.#replenish()
    let sent = 0
    const work = async () => {
      while (sent < count) await this.#sendOne(sent++)
    }
    await Promise.all(times(AT_ONCE, work))
  }

  /** The requests delete things and ban people all the time: creates some more. */
  async #replenish(): Promise<void> {
    const { client, createAdmin, createMembers, sql } = this.#fixture
    // Not row by row: the server locks several of them in another order.
    await sql`truncate rate_limits`
    await sql`update settings set team_creation_enabled = true`
    const challenge = await createChallenge(client, await createAdmin(), { maxSubmissions: 5 })
    this.#known.add('challenges', challenge.id)
    for (const member of await createMembers(2)) {
      const { id: teamId } = await createTeam(client, member)
      this.#known.add('teams', teamId)
      this.#known.add('users', member.id)
      const { body } = await client.call(requestOf('challenges.applyTo', { id: challenge.id, teamId }, member))
      this.#known.gather(body?.data)
    }
  }

  async #sendOne(number: number): Promise<void> {
    if (number > 0 && number % RESET_EVERY === 0)
      // A concurrent request may have switched something off or deleted it.
      await this.#replenish().catch((error: unknown) => {
        if (!(error instanceof UnexpectedResponse)) throw error
      })
    // Strides over the procedures, so that the calls of one person differ each time.
    const [name, route] = ROUTES[(number * 37) % ROUTES.length] as (typeof ROUTES)[number]
    const { client, createAdmin, createMember } = this.#fixture
    const emails = [...this.#users.member, ...this.#users.admin].map(({ email }) => email)
    const requests = requestsTo(route, emails, this.#known)
    const [request] = fc.sample(requests, { numRuns: 1, seed: this.#context.seed + number }) as [FuzzRequest]
    const role = (route.access === 'admin') !== (request.caller === 'other') ? 'admin' : 'member'
    const isSignedIn = request.caller === 'right' || request.caller === 'other'
    const user = isSignedIn ? this.#users[role][number % this.#users[role].length] : undefined
    const transport = number % 3 === 2 ? 'tRPC' : 'REST'
    const call = callOf(transport, name, route, request)
    const token = request.caller === 'garbage' ? 'x'.repeat(40) : user?.token
    const answer = await client.call({ ...call, token, headers: { ...atNewAddress(), ...call.headers } })
    this.#judge(transport, route, request, call, answer)
    if (user && (answer.status === 401 || (answer.status === 403 && request.caller === 'right'))) {
      const fresh = role === 'admin' ? await createAdmin() : await createMember()
      this.#users[role] = this.#users[role].map((one) => (one === user ? fresh : one))
    }
  }

  #judge(transport: 'REST' | 'tRPC', route: Route, request: FuzzRequest, call: Call, answer: ApiResponse): void {
    const { tally } = this
    const { status, body, took } = answer
    tally.requests++
    if (request.broken) tally.broken++
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
    tally.slowest = Math.max(tally.slowest, took)
    // In the short form, beside other tests, as long as the server itself allows.
    const timeLimit = this.#context.byTier({ short: 7500, full: 2000 })
    const problems = [
      ...(status === 0 || status >= 500 ? ['failed'] : []),
      ...(took > timeLimit ? [`took ${inMs(took)}`] : []),
      this.#checker[transport === 'REST' ? 'findResponseProblem' : 'findTrpcResponseProblem'](route, status, body) ??
        [],
    ].flat()
    const sent = `${call.line.slice(0, 300)} ${JSON.stringify(call.body)?.slice(0, 300)}`
    const answered = `${status} ${JSON.stringify(body)?.slice(0, 300)}`
    for (const problem of problems)
      this.#context.expect(false, `${sent} (${request.broken ?? 'valid'}, ${request.caller}): ${problem}: ${answered}`)
    if (!isSuccess(answer)) return
    tally.successes++
    const data = body?.data ?? body?.result?.data
    this.#known.gather(data)
    if (data?.pagination?.nextCursor) this.#known.add(`cursor ${route.path}`, data.pagination.nextCursor)
    if (route.method === 'DELETE') for (const id of call.line.match(ID) ?? []) this.#known.forget(id)
  }
}

export const guarantee: Guarantee = {
  id: 'R13',
  statement:
    'Whatever is sent to whichever call at either transport, half of it broken: no answer is a failure, undocumented in status or shape, or late',
  async run(context) {
    const fixture = await context.openFixture()
    const { body: document } = await fixture.client.call('GET /openapi.json')
    const fuzzer = new Fuzzer(fixture, context, new DocumentChecker(document))
    await fuzzer.run(context.byTier({ short: 800, full: 20_000, long: 500_000 }))
    const { statuses, slowest, ...counts } = fuzzer.tally
    return { ...counts, statuses: JSON.stringify(statuses), 'slowest answer': inMs(slowest) }
  },
}
