import { type FaultyNetwork, openFaultyNetwork } from '@community/testing/database/faulty-network'
import type { FaultyPostgres } from '@community/testing/database/faulty-postgres'
import { type Guarantee, inMs } from '../guarantee.ts'
import { startLoad } from '../harness/load.ts'

/** Milliseconds: a response (clients wait ten seconds), and from the end of a fault to success. */
const LIMITS = { answer: 8000, back: 5000 }

interface Fault {
  name: string
  /** The fault's duration in the short, the full and the long form. */
  seconds: [short: number, full: number, long: number]
  /** Whether no request can succeed during the fault. */
  isTotal: boolean
  /** Begins the fault; resolves with a function that ends it. */
  begin(network: FaultyNetwork, postgres: FaultyPostgres): (() => void) | Promise<() => void>
}

const FAULTS: Fault[] = [
  { name: 'hangs', isTotal: true, seconds: [5, 30, 60], begin: (_, postgres) => postgres.freeze() },
  { name: 'is half a second away', isTotal: false, seconds: [2, 20, 60], begin: (to) => to.begin({ delay: 250 }) },
  { name: 'is cut off in silence', isTotal: true, seconds: [3, 30, 60], begin: (to) => to.begin({ isSilent: true }) },
  {
    name: 'has its connections reset again and again',
    isTotal: false,
    seconds: [1, 10, 60],
    begin(network) {
      const timer = setInterval(() => network.reset(), 150)
      return () => clearInterval(timer)
    },
  },
]

export const guarantee: Guarantee = {
  id: 'R8',
  statement:
    'While the database hangs, is slow or unreachable, every response arrives in time; afterwards the server recovers',
  async run(context) {
    const { byTier, expect, expectWithin, onFinished, openFixture } = context
    let network!: FaultyNetwork
    const fixture = await openFixture({
      databasePort: async ({ port }) => (network = await openFaultyNetwork(port)).port,
    })
    onFinished(() => network.close())
    const load = await startLoad(fixture, context, { respondsWithin: LIMITS.answer })
    const figures: Record<string, string> = {}
    for (const { name, seconds, isTotal, begin } of FAULTS) {
      const [short, full, long] = seconds
      const lasts = byTier({ short, full, long }) * 1000
      const { successes, slowest, recovery } = await load.underFault(lasts, () => begin(network, fixture.postgres))
      figures[name] = `slowest answer ${inMs(slowest)}, ${successes} successes, back after ${inMs(recovery)}`
      expectWithin(LIMITS.back, recovery, `${name}: the return`)
      // A few requests were in flight when the fault began.
      expect(!isTotal || successes <= 30, `${name}: ${successes} successes, so it was not tried`)
    }
    await load.end()
    return { ...figures, ...load.figures() }
  },
}
