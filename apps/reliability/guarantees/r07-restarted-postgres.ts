import { fetchReadiness } from '@community/testing/server'
import { type Guarantee, inMs } from '../guarantee.ts'
import { startLoad } from '../harness/load.ts'

const MODES = ['fast', 'immediate', 'killed'] as const
/** Milliseconds: any response; one to a request sent while PostgreSQL is down; the first successes after its return. */
const LIMITS = { any: 8000, whileDown: 2000, back: 5000 }
/** Milliseconds that the database stays down. */
const DOWN = 1000

export const guarantee: Guarantee = {
  id: 'R7',
  statement:
    'A database restarted under load, gracefully or killed, is reported as unavailable and used again automatically',
  async run(context) {
    const { byTier, expect, expectWithin, openFixture } = context
    const restarts = byTier({ short: 3, full: 21, long: 60 })
    const { postgres, server, ...fixture } = await openFixture()
    let downSince = Infinity
    const whileDown: number[] = []
    const load = await startLoad(fixture, context, {
      respondsWithin: LIMITS.any,
      onResponse({ status, took }, startedAt) {
        if (startedAt >= downSince && status === 503) whileDown.push(took)
      },
    })
    const back: number[] = []
    for (let round = 0; round < restarts; round++) {
      const { recovery } = await load.underFault(DOWN, async () => {
        await postgres.stop(MODES[round % MODES.length])
        downSince = performance.now()
        return async () => {
          const status = await fetchReadiness(server.port)
          expect(status === 503, `round ${round}: the readiness call answers ${status} without a database`)
          downSince = Infinity
          await postgres.start()
        }
      })
      back.push(recovery)
    }
    await load.end()
    const [slowest, slowestBack] = [Math.max(...whileDown), Math.max(...back)]
    expect(whileDown.length > 0, 'nobody was answered while the database was down: nothing was tried')
    expectWithin(LIMITS.whileDown, slowest, 'without a database an answer')
    expectWithin(LIMITS.back, slowestBack, 'the return of the database')
    return { restarts, ...load.figures(), 'slowest 503 while down': inMs(slowest), 'slowest return': inMs(slowestBack) }
  },
}
