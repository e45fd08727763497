import { repeat, untilFound } from '@community/testing'
import { fetchReadiness, type Server } from '@community/testing/server'
import { type Guarantee, inMs } from '../guarantee.ts'
import { startLoad } from '../harness/load.ts'

const DRAIN_SECONDS = 1
/** Milliseconds: between two checks of the load balancer; for a stop, including the drain delay. */
const CHECK_EVERY = 100
const STOPPED_WITHIN = 10_000

export const guarantee: Guarantee = {
  id: 'R16',
  statement:
    'A server stopped under load first reports that it is not ready, answers every request it received and exits with 0',
  async run(context) {
    const { byTier, expect, expectWithin, onFinished, openFixture } = context
    const stops = byTier({ short: 5, full: 100 })
    const fixture = await openFixture({ servers: 2, settings: { DRAIN_SECONDS: String(DRAIN_SECONDS) } })
    const { clients, servers, sql } = fixture
    const balancer = new AbortController()
    onFinished(() => balancer.abort())
    const isReady = clients.map(() => true)
    const check = async (index: number, port: number) => (isReady[index] = (await fetchReadiness(port)) === 200)
    const checks = servers.map(({ port }, index) => repeat(balancer.signal, () => check(index, port), CHECK_EVERY))
    const load = await startLoad(fixture, context, {
      writers: 6,
      readers: 6,
      allows: () => false,
      clientFor(index) {
        const ready = clients.filter((_, nth) => isReady[nth])
        return ready[index % ready.length]
      },
    })
    const stopsTook: number[] = []
    for (let round = 0; round < stops; round++) {
      const server = servers[round % servers.length] as Server
      await load.untilMore(50)
      const startedAt = performance.now()
      const ending = server.end('SIGTERM')
      const readStatus = async () => {
        const status = await fetchReadiness(server.port)
        return status === 200 ? undefined : status
      }
      const status = await untilFound('the readiness check fails', readStatus, STOPPED_WITHIN)
      expect(status === 503, `round ${round}: the readiness call answers ${status} after SIGTERM`)
      const code = await ending
      stopsTook.push(performance.now() - startedAt)
      expect(code === 0, `round ${round}: the server ended with ${code}: ${server.output()}`)
      expectWithin(STOPPED_WITHIN, stopsTook.at(-1) ?? 0, `round ${round}: the stop`)
      if (round + 1 < stops) await server.start()
    }
    await load.end()
    balancer.abort()
    await Promise.all(checks)
    const leased = await sql`select 1 from jobs where kind = 'mail' and lease_until > now()`
    expect(leased.length === 0, `${leased.length} mails are held by servers that ended`)
    return { stops, successes: load.successes, 'slowest stop': inMs(Math.max(...stopsTook)) }
  },
}
