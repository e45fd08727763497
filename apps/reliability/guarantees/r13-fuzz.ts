import { contract, type Route, routesOf } from '@community/contract'
import { times } from '@community/testing'
import {
  type ApiResponse,
  type Call,
  dataOf,
  isSuccess,
  requestOf,
  UnexpectedResponse,
} from '@community/testing/api-client'
import { type ApiDocument, DocumentChecker } from '@community/testing/api-document'
import fc from 'fast-check'
import { type Guarantee, type GuaranteeContext, inMs } from '../guarantee.ts'
import { createChallenge, createTeam } from '../harness/community.ts'
import type { Fixture } from '../harness/fixture.ts'
import { callOf, type FuzzRequest, requestsTo } from '../harness/fuzz-request.ts'
import { KnownIds } from '../harness/known-ids.ts'
import { atNewAddress } from '../harness/sign-in.ts'
import type { User } from '../harness/users.ts'

const AT_ONCE = 6
/** Requests to one procedure are drawn in such lots. */
const LOT = 40
/** After so many requests wrong passwords are forgotten: a lock would hide what lies behind it. */
const RESET_EVERY = 150
const ID = /[\da-f]{8}-[\da-f-]{27}/g

/** A procedure's name, its declaration, and requests to it that were drawn and not sent yet. */
type Target = [name: string, route: Route, lot: FuzzRequest[]]

class Fuzzer {
  readonly tally = { requests: 0, broken: 0, successes: 0, slowest: 0, statuses: {} as Record<string, number> }
  readonly #known = new KnownIds()
  readonly #fixture: Fixture
  readonly #context: GuaranteeContext
  readonly #checker: DocumentChecker
  readonly #targets: Target[]
  /** A user who was banned, deleted, signed out or given another role is replaced. */
  readonly #users: { member: User[]; admin: User[] } = { member: [], admin: [] }

  constructor(fixture: Fixture, context: GuaranteeContext, document: ApiDocument) {
    this.#fixture = fixture
    this.#context = context
    this.#checker = new DocumentChecker(document)
    this.#targets = routesOf(contract).map(([name, route]) => [name, route, []])
  }

  async run(count: number): Promise<void> {
    const { client, createAdmin, createMembers } = this.#fixture
    this.#users.member = await createMembers(4)
    this.#users.admin = [await createAdmin(), await createAdmin()]
    for (const { id } of [...this.#users.member, ...this.#users.admin]) this.#known.add('users', id)
    this.#known.gather(await dataOf(client.call('GET /roles')))
    await this.#replenish()
    let drawn = 0
    const work = async () => {
      while (drawn < count) await this.#one(drawn++)
    }
    await Promise.all(times(AT_ONCE, work))
  }

  /** Things are deleted and people banned all the time: here are some to go on with. */
  async #replenish(): Promise<void> {
    const { client, createAdmin, createMembers, sql } = this.#fixture
    // Not row by row: the server takes several of them in an order of its own.
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

  #draw([, route, lot]: Target, number: number): FuzzRequest {
    const emails = [...this.#users.member, ...this.#users.admin].map(({ email }) => email)
    if (lot.length === 0)
      lot.push(...fc.sample(requestsTo(route, emails), { numRuns: LOT, seed: this.#context.seed + number }))
    const request = lot.pop()
    if (!request) throw new Error('a lot holds requests')
    return request
  }

  async #one(number: number): Promise<void> {
    if (number > 0 && number % RESET_EVERY === 0)
      // Between two of its steps somebody may have switched something off or deleted it.
      await this.#replenish().catch((error: unknown) => {
        if (!(error instanceof UnexpectedResponse)) throw error
      })
    // Strides over the procedures, so that the calls of one person differ each time.
    const target = this.#targets[(number * 37) % this.#targets.length]
    if (!target) throw new Error('a contract has procedures')
    const [name, route] = target
    const request = this.#draw(target, number)
    const role = (route.access === 'admin') !== (request.caller === 'other') ? 'admin' : 'member'
    const isSignedIn = request.caller === 'right' || request.caller === 'other'
    const user = isSignedIn ? this.#users[role][number % this.#users[role].length] : undefined
    const transport = number % 3 === 2 ? 'tRPC' : 'REST'
    const call = callOf(transport, name, route, request, this.#known)
    const token = request.caller === 'garbage' ? 'x'.repeat(40) : user?.token
    const answer = await this.#fixture.client.call({ ...call, token, headers: { ...atNewAddress(), ...call.headers } })
    this.#judge(transport, route, request, call, answer)
    if (user && (answer.status === 401 || (answer.status === 403 && request.caller === 'right'))) {
      const { createAdmin, createMember } = this.#fixture
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
    // Among the other tests of a busy machine, as long as the server itself allows.
    const timeLimit = this.#context.byTier({ short: 7500, full: 2000 })
    const problems = [
      ...(status === 0 || status >= 500 ? ['failed'] : []),
      ...(took > timeLimit ? [`took ${inMs(took)}`] : []),
      this.#checker[transport === 'REST' ? 'findResponseProblem' : 'findTrpcResponseProblem'](route, status, body) ??
        [],
    ].flat()
    for (const problem of problems) {
      const sent = `${call.line.slice(0, 300)} ${JSON.stringify(call.body)?.slice(0, 300)}`
      const answered = `${status} ${JSON.stringify(body)?.slice(0, 300)}`
      this.#context.expect(false, `${sent} (${request.broken ?? 'valid'}, ${request.caller}): ${problem}: ${answered}`)
    }
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
    const fuzzer = new Fuzzer(fixture, context, (await fixture.client.call('GET /openapi.json')).body)
    await fuzzer.run(context.byTier({ short: 800, full: 20_000, long: 500_000 }))
    const { requests, broken, successes, slowest, statuses } = fuzzer.tally
    return {
      requests,
      'of them broken': broken,
      successes,
      statuses: JSON.stringify(statuses),
      'slowest answer': inMs(slowest),
    }
  },
}
