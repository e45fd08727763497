import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultyNetwork, openFaultyNetwork } from '@community/testing/database/faulty-network'
import { freeze } from '../harness/frozen.ts'
import { type Load, startLoad, untilMore } from '../harness/load.ts'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

/** Milliseconds: below the ten seconds that clients wait; and from the end of a fault to success. */
const LIMITS = { answer: 8000, back: 5000 }
const LATENCY = 250

interface Fault {
  name: string
  /** Milliseconds it lasts. */
  lasts: { short: number; full: number; long: number }
  /** Whether nothing can succeed while it lasts. */
  isTotal: boolean
  /** Begins it; resolves with what ends it. */
  begin(fixture: Fixture, network: FaultyNetwork): Promise<() => void>
}

const FAULTS: Fault[] = [
  {
    name: 'hangs',
    lasts: { short: 5000, full: 30_000, long: 60_000 },
    isTotal: true,
    begin: ({ sql }) => freeze(sql),
  },
  {
    name: 'is half a second away',
    lasts: { short: 2000, full: 20_000, long: 60_000 },
    isTotal: false,
    begin: async (_stage, network) => {
      network.delay = LATENCY
      return () => (network.delay = 0)
    },
  },
  {
    name: 'is cut off in silence',
    lasts: { short: 3000, full: 30_000, long: 60_000 },
    isTotal: true,
    begin: async (_stage, network) => {
      network.isSilent = true
      return () => (network.isSilent = false)
    },
  },
  {
    name: 'has its connections reset again and again',
    lasts: { short: 1000, full: 10_000, long: 60_000 },
    isTotal: false,
    begin: async (_stage, network) => {
      const timer = setInterval(() => network.reset(), 150)
      return () => clearInterval(timer)
    },
  },
]

/** Milliseconds from now until everybody could be served a few times. */
async function recovery(load: Load): Promise<number> {
  const began = performance.now()
  await untilMore(load, 10, 30_000)
  return performance.now() - began
}

export const guarantee: Guarantee = {
  id: 'R8',
  statement: 'While the database hangs, is slow or is cut off every answer comes in time, and afterwards all is well',
  async run(context) {
    const { violations } = context
    let network: FaultyNetwork | undefined
    context.after(() => network?.close())
    const fixture = await context.open({
      databasePort: async ({ port }) => (network = await openFaultyNetwork(port)).port,
    })
    if (!network) throw new Error('a fixture has a database')
    const load = await startLoad(fixture, { timeLimit: timeLimit(context, LIMITS.answer), violations })
    const figures: Record<string, string> = {}
    for (const { name, lasts, isTotal, begin } of FAULTS) {
      await untilMore(load, 10, 30_000)
      load.slowest = 0
      const before = load.successes
      const end = await begin(fixture, network)
      await sleep(byTier(context, lasts))
      const during = load.successes - before
      end()
      const back = await recovery(load)
      figures[name] =
        `slowest answer ${Math.round(load.slowest)} ms, ${during} successes, back after ${Math.round(back)} ms`
      if (back > timeLimit(context, LIMITS.back)) violations.push(`${name}: back only after ${Math.round(back)} ms`)
      // A few were on their way when it began.
      if (isTotal && during > 30) violations.push(`${name}: ${during} successes, so it was not tried`)
    }
    await load.end()
    for (const server of fixture.servers) if (!server.isAlive()) violations.push(`the server ended: ${server.output()}`)
    return { ...figures, successes: load.successes, 'answered 503': load.refusals }
  },
}
