import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { times } from '@community/testing'
import fc from 'fast-check'
import type { Guarantee } from '../guarantee.ts'
import { type ApiResponse, describeResponse, isSuccess } from '@community/testing/api-client'
import { CREATIONS, type Creation, missingCreations, prepareCreations } from '../harness/creations.ts'
import type { Fixture } from '../harness/fixture.ts'

/** Concurrent test cases. */
const BATCH = 24

const CASE = fc.record({
  kind: fc.constantFrom(...CREATIONS),
  replays: fc.integer({ min: 1, max: 5 }),
  isParallel: fc.boolean(),
})
type Case = typeof CASE extends fc.Arbitrary<infer T> ? T : never

const isRunning = ({ body }: ApiResponse) => body?.code === 'IDEMPOTENCY_KEY_RUNNING'

/** Sends one creation under one key to any server. */
function createAttempt({ client, clients }: Fixture, { call, otherBody, countEffects }: Creation) {
  const headers = { 'idempotency-key': randomUUID() }
  /** The responses to the original body. */
  const responses: ApiResponse[] = []
  const send = async (server: number): Promise<void> => {
    const response = await clients[server % clients.length]?.call({ ...call, headers })
    if (response && response.status !== 0) responses.push(response)
  }
  /** Lists wrong responses and effects. `mayBeLost`: the server may have died before its first response arrived. */
  const findViolations = async ({ mayBeLost }: { mayBeLost: boolean }): Promise<string[]> => {
    const effects = await countEffects()
    const final = responses.filter((response) => !isRunning(response))
    const isSpent = ({ body }: ApiResponse) => mayBeLost && body?.code === 'IDEMPOTENCY_KEY_SPENT'
    const unexpected = final.filter((response) => !isSuccess(response) && !isSpent(response)).map(describeResponse)
    const successes = new Set(final.filter(isSuccess).map(describeResponse))
    const changed = await client.call({ ...call, body: otherBody, headers })
    return [
      ...(effects === 1 ? [] : [`${effects} effects`]),
      ...(unexpected.length === 0 ? [] : [`answered ${unexpected.join(', ')}`]),
      ...(successes.size <= 1 ? [] : [`several answers: ${[...successes].join(', ')}`]),
      ...(successes.size > 0 || mayBeLost ? [] : ['no success']),
      ...(changed.status === 422 ? [] : [`another body: ${describeResponse(changed)}`]),
    ].map((what) => `${call.line}: ${what}`)
  }
  return { responses, send, findViolations }
}
type Attempt = ReturnType<typeof createAttempt>

async function prepareAttempts(fixture: Fixture, cases: readonly Case[]): Promise<Attempt[]> {
  const kinds = cases.map(({ kind }) => kind)
  return (await prepareCreations(fixture, kinds)).map((creation) => createAttempt(fixture, creation))
}

/** Replays sequentially or concurrently, over all servers. */
async function replay(attempt: Attempt, { replays, isParallel }: Case): Promise<void> {
  const indexes = times(replays + 1, (index) => index)
  if (isParallel) await Promise.all(indexes.map((index) => attempt.send(index)))
  else for (const index of indexes) await attempt.send(index)
  // No request is in flight any more: this one must get the stored response.
  await attempt.send(replays)
}

/** Kills a server during creations, then repeats every request at the other server and at the restarted one. */
async function killedRound(fixture: Fixture, cases: readonly Case[], pause: number): Promise<string[]> {
  const { clock, server } = fixture
  const attempts = await prepareAttempts(fixture, cases)
  const sendAllTo = (number: number) => Promise.all(attempts.map((attempt) => attempt.send(number)))
  const sent = sendAllTo(0)
  await sleep(pause)
  await server.end('SIGKILL')
  await sent
  // A password check that died with its server stays reserved for 10 s: let it expire now.
  await clock.expireChecks()
  await sendAllTo(1)
  await server.start()
  // An idempotency key that died with its server stays locked for 60 s: let it expire now.
  await clock.expireLeases('idempotency_keys', { answer: null })
  await sendAllTo(0)
  await sendAllTo(1)
  return (await Promise.all(attempts.map((attempt) => attempt.findViolations({ mayBeLost: true })))).flat()
}

export const guarantee: Guarantee = {
  id: 'R9',
  statement:
    'A creating call repeated with its Idempotency-Key, sequentially, concurrently, on two servers or across a kill, takes effect once and gets the same response',
  async run({ byTier, expectNone, openFixture, seed }) {
    const { cases: count, kills } = byTier({
      short: { cases: 72, kills: 1 },
      full: { cases: 5000, kills: 10 },
      long: { cases: 20_000, kills: 50 },
    })
    expectNone(missingCreations().map((name) => `${name} is not tested`))
    let sentCount = 0
    const fixture = await openFixture({ servers: 2 })
    const cases = fc.sample(CASE, { numRuns: count, seed })
    for (let start = 0; start < count; start += BATCH) {
      const attempts = await prepareAttempts(fixture, cases.slice(start, start + BATCH))
      const judged = attempts.map(async (attempt, index) => {
        const testCase = cases[start + index] as Case
        await replay(attempt, testCase)
        sentCount += attempt.responses.filter(isRunning).length
        const wrong = await attempt.findViolations({ mayBeLost: false })
        return wrong.map((line) => `${JSON.stringify(testCase)}: ${line}`)
      })
      expectNone((await Promise.all(judged)).flat())
      // Each owner has a limited number of live keys.
      await fixture.sql`delete from idempotency_keys`
    }
    const pauses = fc.sample(fc.integer({ min: 0, max: 60 }), { numRuns: kills, seed })
    for (const [round, pause] of pauses.entries()) {
      const wrong = await killedRound(fixture, fc.sample(CASE, { numRuns: BATCH, seed: seed + round }), pause)
      expectNone(wrong.map((line) => `killed after ${pause} ms, ${line}`))
    }
    return { cases: count, 'asked to wait for the first': sentCount, kills }
  },
}
