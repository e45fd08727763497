import fc from 'fast-check'
import { type Guarantee, inMs } from '../guarantee.ts'
import { startLoad } from '../harness/load.ts'

const READY_WITHIN = 3000

export const guarantee: Guarantee = {
  id: 'R5',
  statement: 'A server killed during writes loses no acknowledged write and is ready again within 3 s',
  async run(context) {
    const { byTier, expectWithin, openFixture, seed } = context
    // The approximate number of writes between two kills.
    const { kills, writes } = byTier({
      short: { kills: 3, writes: 100 },
      full: { kills: 10, writes: 1000 },
      long: { kills: 30, writes: 1000 },
    })
    const fixture = await openFixture()
    const load = await startLoad(fixture, context, {
      readers: 0,
      allows: ({ status }) => status === 0 || status === 503,
    })
    const readyAfter: number[] = []
    for (const step of fc.sample(fc.integer({ min: writes, max: writes * 1.2 }), { numRuns: kills, seed })) {
      await load.untilMore(step, 60_000)
      await fixture.server.end('SIGKILL')
      readyAfter.push(await fixture.server.start())
    }
    const stored = await load.end()
    const slowest = Math.max(...readyAfter)
    expectWithin(READY_WITHIN, slowest, 'a restart')
    return { kills, 'writes stored': stored, 'slowest start': inMs(slowest) }
  },
}
