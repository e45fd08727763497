import { setTimeout as sleep } from 'node:timers/promises'
import type { Guarantee } from '../guarantee.ts'
import { startLoad } from '../harness/load.ts'

/** Milliseconds: the sum of the timeouts for pool, connection and statement. */
const RESPONDS_WITHIN = 5000
const AT_ONCE = 3

export const guarantee: Guarantee = {
  id: 'R6',
  statement: 'Database sessions killed inside transactions leave the process alive and no partial transaction',
  async run(context) {
    const { byTier, expect, openFixture } = context
    const kills = byTier({ short: 60, full: 500, long: 2000 })
    const fixture = await openFixture()
    const load = await startLoad(fixture, context, { respondsWithin: RESPONDS_WITHIN })
    let killed = 0
    for (const end = performance.now() + kills * 400; killed < kills && performance.now() < end; await sleep(20))
      killed += await fixture.postgres.terminateBackends(Math.min(AT_ONCE, kills - killed))
    await load.end()
    expect(killed === kills, `only ${killed} sessions were found inside a transaction`)
    expect(load.refusals > 0, 'no kill hit a request: nothing was tried')
    return { 'sessions killed': killed, ...load.figures() }
  },
}
