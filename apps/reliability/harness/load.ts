import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Client, NoAnswer } from './client.ts'
import { teamForm, uniqueName } from './community.ts'
import type { Person } from './people.ts'
import type { Fixture } from './fixture.ts'

export interface LoadOptions {
  writers?: number
  readers?: number
  /** Milliseconds an answer may take, whatever it says. */
  timeLimit: number
  /** Receives what no answer may be: another status, a 503 that does not say when to come back, one that is late, or none. */
  violations: string[]
  /** Called with every answer and the instant (of `performance.now`) at which its request began. */
  onAnswer?: (answer: Answer, began: number) => void
}

export interface Load {
  successes: number
  /** Answers of 503: the database is away for now. */
  refusals: number
  /** Milliseconds of the slowest answer. */
  slowest: number
  /** Lets the requests under way end; adds what was acknowledged and is not stored, or stored and never asked for. */
  end(): Promise<void>
}

const isHonestRefusal = ({ status, headers, body }: Answer) =>
  status === 503 && Number(headers['retry-after']) > 0 && body?.code === 'UNAVAILABLE'

/** People who make teams, each in a transaction of several statements, and others who read, until it is ended. */
export async function startLoad(
  fixture: Pick<Fixture, 'clients' | 'people' | 'sql'>,
  { writers = 8, readers = 4, timeLimit: within, violations, onAnswer }: LoadOptions,
) {
  const acknowledged = new Set<string>()
  const attempted = new Set<string>()
  let isOver = false
  const load: Load = { successes: 0, refusals: 0, slowest: 0, end }

  async function ask(client: Client, line: string, token?: string, body?: object): Promise<boolean> {
    const began = performance.now()
    try {
      const answer = await client.call(line, { token, ...(body && { body }) })
      onAnswer?.(answer, began)
      load.slowest = Math.max(load.slowest, answer.took)
      if (answer.took > within) violations.push(`${line} took ${Math.round(answer.took)} ms`)
      if (answer.status < 300) {
        load.successes++
        return true
      }
      if (isHonestRefusal(answer)) load.refusals++
      else violations.push(`${line}: ${answer.status} ${JSON.stringify(answer.body)}`)
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error
      violations.push(error.message)
    }
    await sleep(20)
    return false
  }
  const write = async (client: Client, { token }: Person, form: object) => {
    while (!isOver) {
      const name = uniqueName('Written')
      attempted.add(name)
      if (await ask(client, 'POST /teams', token, { ...form, name })) acknowledged.add(name)
    }
  }
  const read = async (client: Client) => {
    while (!isOver) await ask(client, 'GET /teams')
  }
  const clientOf = (number: number): Client => {
    const client = fixture.clients[number % fixture.clients.length]
    if (!client) throw new Error('a fixture has a server')
    return client
  }
  const form = await teamForm(clientOf(0))
  const people = await fixture.people.members(writers)
  const all = [
    ...people.map((person, number) => write(clientOf(number), person, form)),
    ...Array.from({ length: readers }, (_, number) => read(clientOf(number))),
  ]

  async function end(): Promise<void> {
    isOver = true
    await Promise.all(all)
    const kept = new Set(
      (await fixture.sql`select name from teams where name like 'Written %'`).map(({ name }) => name),
    )
    for (const name of acknowledged) if (!kept.has(name)) violations.push(`acknowledged and lost: ${name}`)
    for (const name of kept) if (!attempted.has(name)) violations.push(`nobody wrote ${name}`)
  }
  return load
}

/** Resolves once the load has so many successes more than now; throws after `timeout` milliseconds. */
export async function untilMore(load: Load, count: number, timeout: number): Promise<void> {
  const before = load.successes
  for (const end = performance.now() + timeout; load.successes < before + count; await sleep(5))
    if (performance.now() > end)
      throw new Error(`only ${load.successes - before} of ${count} successes within ${timeout} ms`)
}
