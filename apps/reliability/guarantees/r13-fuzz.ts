import fc from 'fast-check'
import { type ApiDocument, Checker, type Operation, operationsOf, readDocument } from '../harness/api-document.ts'
import { type Answer, type Client, NoAnswer } from '../harness/client.ts'
import { makeChallenge, makeTeam } from '../harness/community.ts'
import { type FuzzRequest, requestsTo, withRealIds } from '../harness/fuzz-request.ts'
import { KnownIds } from '../harness/known-ids.ts'
import type { Person } from '../harness/people.ts'
import { atNewAddress } from '../harness/sign-in.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, type Guarantee, type GuaranteeContext } from '../guarantee.ts'

const AT_ONCE = 6
/** Milliseconds an answer may take; among the other tests of a busy machine, as long as the server itself allows. */
const SLOW = { short: 7500, full: 2000, long: 2000 }
/** Requests to one operation are drawn in such lots. */
const LOT = 40
/** After so many requests wrong passwords are forgotten: a lock would hide what lies behind it. */
const FORGET_EVERY = 150

const ID = /[\da-f]{8}-[\da-f-]{27}/g

type Door = 'REST' | 'tRPC'

/** The people who call; whoever was banned, deleted, signed out or given another role is replaced. */
class Cast {
  readonly #fixture: Fixture
  #members: Person[] = []
  #admins: Person[] = []

  constructor(fixture: Fixture) {
    this.#fixture = fixture
  }

  /** Puts people, their teams and some challenges there. */
  async assemble(known: KnownIds, client: Client): Promise<void> {
    const { people } = this.#fixture
    this.#members = await people.members(4)
    this.#admins = [await people.admin(), await people.admin()]
    for (const { id } of [...this.#members, ...this.#admins]) known.add('users', id)
    await this.furnish(known, client)
  }

  /** Things are deleted and people banned all the time: here are some to go on with. */
  async furnish(known: KnownIds, client: Client): Promise<void> {
    const { people } = this.#fixture
    // Nobody's target: these two stay what they are for as long as this takes.
    const [chef, admin] = [await people.member(), await people.admin()]
    await this.#fixture.sql`update settings set team_creation_enabled = true`
    const challenge = await makeChallenge(client, admin, { maxSubmissions: 5 })
    known.add('challenges', challenge.id)
    for (const member of [chef, await people.member()]) {
      const { id } = await makeTeam(client, member)
      const body = { teamId: id, type: 'link', content: 'https://example.ma/work' }
      const answer = await client.call(`POST /challenges/${challenge.id}/apply`, { token: member.token, body })
      // Somebody may have deleted either already.
      if (answer.status === 201) known.gather(answer.body.data)
      for (const [kind, one] of [
        ['teams', id],
        ['users', member.id],
      ] as const)
        known.add(kind, one)
    }
  }

  get emails(): string[] {
    return [...this.#members, ...this.#admins].map(({ email }) => email)
  }

  choose({ access }: Operation, { who }: FuzzRequest, turn: number): Person | undefined {
    const isAdmin = (access === 'admin') !== (who === 'other')
    const people = isAdmin ? this.#admins : this.#members
    return who === 'nobody' || who === 'garbage' ? undefined : people[turn % people.length]
  }

  async replace(person: Person): Promise<void> {
    const { people } = this.#fixture
    if (this.#members.includes(person)) {
      const fresh = await people.member()
      this.#members = this.#members.map((one) => (one === person ? fresh : one))
    } else if (this.#admins.includes(person)) {
      const fresh = await people.admin()
      this.#admins = this.#admins.map((one) => (one === person ? fresh : one))
    }
  }
}

/** An address as a client writes it: broken words go out as they are. */
function addressOf(path: string, words: Record<string, unknown>, query: Record<string, unknown>): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, word: string) => {
    const value = String(words[word])
    return value.startsWith('%') ? value : encodeURIComponent(wellFormed(value))
  })
  const asked = Object.entries(query).filter(([, value]) => value !== undefined)
  const pairs = asked.map(
    ([key, value]) =>
      `${key}=${encodeURIComponent(wellFormed(typeof value === 'string' ? value : JSON.stringify(value)))}`,
  )
  return pairs.length > 0 ? `${filled}?${pairs.join('&')}` : filled
}

const wellFormed = (text: string): string => Buffer.from(text).toString()

interface Sent {
  line: string
  body: unknown
  headers: Record<string, string>
}

function atDoor(door: Door, operation: Operation, request: FuzzRequest, known: KnownIds): Sent {
  const words = withRealIds(request.words, known) as Record<string, unknown>
  const query = withRealIds(request.query, known) as Record<string, unknown>
  const body = request.raw ?? withRealIds(request.body, known)
  const headers = { ...atNewAddress(), ...request.headers }
  if (door === 'REST') return { line: `${operation.method} ${addressOf(operation.path, words, query)}`, body, headers }
  const name = `/trpc/${operation.procedure}`
  const isPlain = typeof body === 'object' && body !== null && !Array.isArray(body)
  const input = isPlain || body === undefined ? { ...words, ...query, ...(body as object) } : body
  if (operation.method !== 'GET') return { line: `POST ${name}`, body: input, headers }
  return {
    line: `GET ${name}?input=${encodeURIComponent(wellFormed(JSON.stringify(input)))}`,
    body: undefined,
    headers,
  }
}

interface Tally {
  requests: number
  broken: number
  successes: number
  slowest: number
  statuses: Record<string, number>
}

class Fuzzer {
  readonly tally: Tally = { requests: 0, broken: 0, successes: 0, slowest: 0, statuses: {} }
  readonly #known = new KnownIds()
  readonly #fixture: Fixture
  readonly #client: Client
  readonly #cast: Cast
  readonly #context: GuaranteeContext
  #document: ApiDocument = { paths: {}, components: { schemas: {} } }
  #operations: Operation[] = []
  #lots = new Map<Operation, FuzzRequest[]>()
  #drawn = 0

  constructor(fixture: Fixture, client: Client, context: GuaranteeContext) {
    this.#fixture = fixture
    this.#client = client
    this.#cast = new Cast(fixture)
    this.#context = context
  }

  async run(count: number): Promise<void> {
    this.#document = await readDocument(this.#client)
    // What is no procedure has forms and redirects of its own, and guarantees of its own.
    this.#operations = operationsOf(this.#document).filter(({ procedure }) => procedure !== null)
    await this.#cast.assemble(this.#known, this.#client)
    const roles = await this.#client.call('GET /roles')
    this.#known.gather(roles.body.data)
    const checker = new Checker(this.#document)
    const work = async () => {
      while (this.#drawn < count) await this.#one(checker, this.#drawn++)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }

  /** The next of a lot of requests to an operation. */
  #draw(operation: Operation, number: number): FuzzRequest {
    const lot = this.#lots.get(operation) ?? []
    const request = lot.pop()
    if (request) return request
    const seed = this.#context.seed + number
    const fresh = fc.sample(requestsTo(this.#document, operation, this.#cast.emails), { numRuns: LOT, seed })
    this.#lots.set(operation, fresh)
    const [first] = fresh.splice(0, 1)
    if (!first) throw new Error('a lot holds requests')
    return first
  }

  async #one(checker: Checker, number: number): Promise<void> {
    if (number % FORGET_EVERY === 0) {
      // Not row by row: the server takes several of them in an order of its own.
      await this.#fixture.sql`truncate rate_limits`
      // Between two of its steps somebody may have switched something off or deleted it.
      await this.#cast.furnish(this.#known, this.#client).catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error
      })
    }
    // Strides over the operations, so that the calls of one person differ each time.
    const operation = this.#operations[(number * 37) % this.#operations.length]
    if (!operation) throw new Error('a document has operations')
    const request = this.#draw(operation, number)
    const person = this.#cast.choose(operation, request, number)
    const door: Door = number % 3 === 2 ? 'tRPC' : 'REST'
    const sent = atDoor(door, operation, request, this.#known)
    const token = request.who === 'garbage' ? 'x'.repeat(40) : person?.token
    try {
      const answer = await this.#client.call(sent.line, { body: sent.body, headers: sent.headers, token })
      this.#judge(checker, door, operation, request, sent, answer)
      if (answer.status === 401 && person) await this.#cast.replace(person)
      if (answer.status === 403 && person && request.who === 'right') await this.#cast.replace(person)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      this.#context.violations.push(
        `${error.message} (${request.broken ?? 'valid'}) ${JSON.stringify(sent.body)?.slice(0, 300)}`,
      )
    }
  }

  #judge(checker: Checker, door: Door, operation: Operation, request: FuzzRequest, sent: Sent, answer: Answer): void {
    const { tally } = this
    const { status, body, took } = answer
    tally.requests++
    if (request.broken) tally.broken++
    tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
    tally.slowest = Math.max(tally.slowest, took)
    const judge =
      door === 'REST' ? checker.answer(operation, status, body) : checker.procedureAnswer(operation, status, body)
    const wrong = [
      ...(status >= 500 ? ['failed'] : []),
      ...(took > byTier(this.#context, SLOW) ? [`took ${Math.round(took)} ms`] : []),
      ...(judge === null ? [] : [judge]),
    ]
    for (const what of wrong)
      this.#context.violations.push(
        `${sent.line.slice(0, 300)} (${request.broken ?? 'valid'}, ${request.who}): ${what}; sent ${JSON.stringify(sent.body)?.slice(0, 300)}; answered ${status} ${JSON.stringify(body)?.slice(0, 300)}`,
      )
    if (status < 300) {
      tally.successes++
      const data = body?.data ?? body?.result?.data
      this.#known.gather(data)
      if (data?.pagination?.nextCursor) this.#known.add(`cursor ${operation.path}`, data.pagination.nextCursor)
      if (operation.method === 'DELETE') for (const id of sent.line.match(ID) ?? []) this.#known.forget(id)
    }
  }
}

export const guarantee: Guarantee = {
  id: 'R13',
  statement:
    'Whatever is sent to whichever call at either door, half of it broken: no answer is a failure, undocumented in status or shape, or late',
  async run(context) {
    const count = byTier(context, { short: 800, full: 20_000, long: 500_000 })
    const fixture = await context.open()
    const { server, client } = fixture
    const fuzzer = new Fuzzer(fixture, client, context)
    await fuzzer.run(count)
    const { requests, broken, successes, slowest, statuses } = fuzzer.tally
    if (!server.isAlive()) context.violations.push('the server ended')
    return {
      requests,
      'of them broken': broken,
      successes,
      statuses: JSON.stringify(statuses),
      'slowest answer': `${Math.round(slowest)} ms`,
    }
  },
}
