import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type Answer, type Call, NoAnswer } from '../harness/client.ts'
import { CREATIONS, type Creation, prepareCreations } from '../harness/creations.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, type Guarantee } from '../guarantee.ts'

/** Cases under way at once. */
const BATCH = 24

const CASE = fc.record({
  kind: fc.constantFrom(...CREATIONS),
  replays: fc.integer({ min: 1, max: 5 }),
  isParallel: fc.boolean(),
})
type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never

const told = ({ status, body }: Answer) => `${status} ${JSON.stringify(body)}`
const isDone = ({ status }: Answer) => status >= 200 && status < 300
const isRunning = ({ status, body }: Answer) => status === 409 && body?.code === 'IDEMPOTENCY_KEY_RUNNING'

/** One creation under one key, from whichever server. */
class Attempt {
  readonly answers: Answer[] = []
  readonly #fixture: Fixture
  readonly #creation: Creation
  readonly #key = randomUUID()

  constructor(fixture: Fixture, creation: Creation) {
    this.#fixture = fixture
    this.#creation = creation
  }

  /** Sends the request once. Null when the connection failed; records the answers to the original body. */
  async send(server: number, body = this.#creation.body): Promise<Answer | null> {
    const { line, token } = this.#creation
    const client = this.#fixture.clients[server % this.#fixture.clients.length]
    const call: Omit<Call, 'line'> = { token, body, headers: { 'idempotency-key': this.#key } }
    try {
      const answer = (await client?.call(line, call)) ?? null
      if (answer && body === this.#creation.body) this.answers.push(answer)
      return answer
    } catch (error) {
      if (error instanceof NoAnswer) return null
      throw error
    }
  }

  /**
   * Lists what is wrong with the answers and their effects, and sends one more request: another body under the key must be refused.
   * `mayBeLost`: the server may have died with the first answer.
   */
  async findViolations({ mayBeLost }: { mayBeLost: boolean }): Promise<string[]> {
    const { line, other } = this.#creation
    const wrong: string[] = []
    const effects = await this.#creation.effects()
    if (effects !== 1) wrong.push(`${effects} effects`)
    const final = this.answers.filter((answer) => !isRunning(answer))
    const successes = final.filter(isDone)
    const isSpent = ({ body }: Answer) => mayBeLost && body?.code === 'IDEMPOTENCY_KEY_SPENT'
    const strange = final.filter((answer) => !isDone(answer) && !isSpent(answer))
    if (strange.length > 0) wrong.push(`answered ${strange.map(told).join(', ')}`)
    if (new Set(successes.map(told)).size > 1) wrong.push(`several answers: ${successes.map(told).join(', ')}`)
    if (successes.length === 0 && !mayBeLost) wrong.push('no success')
    const changed = await this.send(0, other)
    if (changed?.status !== 422) wrong.push(`another body: ${changed && told(changed)}`)
    return wrong.map((what) => `${line}: ${what}`)
  }
}

/** Replays one after the other or all at once, over all servers. */
async function replay(attempt: Attempt, { replays, isParallel }: Case): Promise<void> {
  const turns = Array.from({ length: replays + 1 }, (_, turn) => turn)
  if (isParallel) await Promise.all(turns.map((turn) => attempt.send(turn)))
  else for (const turn of turns) await attempt.send(turn)
  // No request is in flight any more: this one must get the stored answer.
  await attempt.send(replays)
}

/** Kills a server while it creates, then sends every request again, to the other server and to the restarted one. */
async function killedRound(fixture: Fixture, cases: readonly Case[], pause: number): Promise<string[]> {
  const creations = await prepareCreations(
    fixture,
    cases.map(({ kind }) => kind),
  )
  const attempts = creations.map((creation) => new Attempt(fixture, creation))
  const [victim] = fixture.servers
  if (!victim) throw new Error('a fixture has a server')
  const sent = Promise.all(attempts.map((attempt) => attempt.send(0)))
  await sleep(pause)
  await victim.end('SIGKILL')
  await sent
  // A password check that died with its server stays reserved for 10 s: let it expire now.
  await fixture.sql`update rate_limits set under_way_until = now() where under_way > 0`
  await Promise.all(attempts.map((attempt) => attempt.send(1)))
  await victim.start()
  // An idempotency key that died with its server stays locked for 60 s: let it expire now.
  await fixture.sql`update idempotency_keys set lease_until = now() - interval '1 second' where answer is null`
  for (const server of [0, 1]) await Promise.all(attempts.map((attempt) => attempt.send(server)))
  return (await Promise.all(attempts.map((attempt) => attempt.findViolations({ mayBeLost: true })))).flat()
}

export const guarantee: Guarantee = {
  id: 'R9',
  statement:
    'A creating call repeated with its Idempotency-Key, in turn, at once, on two servers or across a kill, takes effect once and is answered alike',
  async run(context) {
    const { violations } = context
    const { cases: count, kills } = byTier(context, {
      short: { cases: 72, kills: 1 },
      full: { cases: 5000, kills: 10 },
      long: { cases: 20_000, kills: 50 },
    })
    let answers = 0
    let keptWaiting = 0
    const fixture = await context.open({ servers: 2 })
    const cases = fc.sample(CASE, { numRuns: count, seed: context.seed })
    for (let start = 0; start < count; start += BATCH) {
      const batch = cases.slice(start, start + BATCH)
      const creations = await prepareCreations(
        fixture,
        batch.map(({ kind }) => kind),
      )
      const judged = creations.map(async (creation, index) => {
        const attempt = new Attempt(fixture, creation)
        const one = batch[index]
        if (one) await replay(attempt, one)
        answers += attempt.answers.length
        keptWaiting += attempt.answers.filter(isRunning).length
        const wrong = await attempt.findViolations({ mayBeLost: false })
        return wrong.map((line) => `${JSON.stringify(one)}: ${line}`)
      })
      violations.push(...(await Promise.all(judged)).flat())
      // One administrator sends all batches, and may have only so many live keys.
      await fixture.sql`delete from idempotency_keys`
    }
    const pauses = fc.sample(fc.integer({ min: 0, max: 60 }), { numRuns: kills, seed: context.seed })
    for (const [round, pause] of pauses.entries()) {
      const batch = fc.sample(CASE, { numRuns: BATCH, seed: context.seed + round })
      const wrong = await killedRound(fixture, batch, pause)
      violations.push(...wrong.map((line) => `killed after ${pause} ms, ${line}`))
    }
    const figures = {
      cases: count,
      answers,
      'told to wait for the first': keptWaiting,
      kills,
      'cases of each kill': BATCH,
    }
    return figures
  },
}
