import { setTimeout as sleep } from 'node:timers/promises'
import { Client, NoAnswer } from '../harness/client.ts'
import { teamForm, uniqueName } from '../harness/community.ts'
import { readiness, type Server, startServerWith } from '@community/testing/server'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

const CALLERS = 12
const DRAIN_SECONDS = 1
/** Milliseconds: between two looks of a balancer; for a stop, with the time that it is announced. */
const LOOK_EVERY = 100
const STOPPED_WITHIN = 10_000

interface Backend {
  server: Server
  client: Client
  /** What the balancer believes. */
  isReady: boolean
}

export const guarantee: Guarantee = {
  id: 'R16',
  statement: 'A server that is stopped under load says so first, answers all it was sent, and ends well',
  async run(context) {
    const { violations } = context
    const stops = byTier(context, { short: 5, full: 100, long: 100 })
    const acknowledged = new Set<string>()
    const slowestStops: number[] = []
    let answered = 0
    const fixture = await context.open({ servers: 2, settings: { DRAIN_SECONDS: String(DRAIN_SECONDS) } })
    const backends = fixture.servers.map(
      (server): Backend => ({ server, client: new Client(server.port), isReady: true }),
    )
    let isOver = false
    context.after(() => {
      isOver = true
      for (const { client } of backends) client.close()
    })
    const look = async () => {
      while (!isOver) {
        await Promise.all(backends.map(async (one) => (one.isReady = (await readiness(one.server.port)) === 200)))
        await sleep(LOOK_EVERY)
      }
    }
    const form = await teamForm(fixture.client)
    const people = await fixture.people.members(CALLERS)
    const call = async (number: number, token: string) => {
      for (let turn = number; !isOver; turn++) {
        const ready = backends.filter(({ isReady }) => isReady)
        const backend = ready[turn % Math.max(1, ready.length)]
        if (!backend) {
          await sleep(5)
          continue
        }
        const name = uniqueName('Stopped')
        const isWrite = turn % 2 === 0
        try {
          const { status, body } = isWrite
            ? await backend.client.call('POST /teams', { token, body: { ...form, name } })
            : await backend.client.call('GET /users/profile', { token })
          answered++
          if (status >= 300) violations.push(`${status} ${JSON.stringify(body)}`)
          else if (isWrite) acknowledged.add(name)
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error
          violations.push(error.message)
        }
      }
    }
    const looking = look()
    const calling = people.map(({ token }, number) => call(number, token))
    for (let round = 0; round < stops; round++) {
      const backend = backends[round % backends.length] as Backend
      await sleep(300)
      const began = performance.now()
      const ending = backend.server.end('SIGTERM')
      await sleep(50)
      const told = await readiness(backend.server.port)
      if (told !== 503) violations.push(`round ${round}: the readiness call answers ${told} after SIGTERM`)
      const code = await ending
      const took = performance.now() - began
      slowestStops.push(took)
      if (code !== 0) violations.push(`round ${round}: the server ended with ${code}: ${backend.server.output()}`)
      if (took > timeLimit(context, STOPPED_WITHIN))
        violations.push(`round ${round}: the stop took ${Math.round(took)} ms`)
      if (round + 1 < stops)
        backend.server = await startServerWith({ ...fixture.settings, PORT: String(backend.server.port) })
      fixture.servers[round % backends.length] = backend.server
    }
    isOver = true
    await Promise.all([looking, ...calling])
    const kept = new Set((await fixture.sql`select name from teams`).map(({ name }) => String(name)))
    for (const name of acknowledged) if (!kept.has(name)) violations.push(`acknowledged and lost: ${name}`)
    const held = await fixture.sql`select 1 from jobs where lease_until > now()`
    if (held.length > 0) violations.push(`${held.length} mails are held by servers that ended`)
    return {
      stops,
      answered,
      'failed of what was sent': violations.length,
      'slowest stop': `${Math.round(Math.max(...slowestStops))} ms, ${DRAIN_SECONDS} s of them announced`,
    }
  },
}
