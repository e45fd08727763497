import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad, untilMore } from '../harness/load.ts'
import { readiness } from '@community/testing/server'
import type { Fixture } from '../harness/fixture.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

const MODES = ['fast', 'immediate', 'killed'] as const
/** Milliseconds: an answer at any time; one to a request that began while nothing listens; the first success after it does. */
const LIMITS = { any: 8000, whileDown: 2000, back: 5000 }
/** Milliseconds that the database stays down; the pool's own waits end within. */
const DOWN = 1000

/** Milliseconds from now until a team can be made again. */
async function untilServed(fixture: Fixture, count: () => number): Promise<number> {
  const [began, before] = [performance.now(), count()]
  while (count() === before && fixture.servers.every((server) => server.isAlive())) {
    if (performance.now() - began > 30_000) throw new Error('nothing succeeds after the database is back')
    await sleep(5)
  }
  return performance.now() - began
}

export const guarantee: Guarantee = {
  id: 'R7',
  statement: 'A database that is restarted under load, in order or killed, is told, waited for and back by itself',
  async run(context) {
    const { violations } = context
    const restarts = byTier(context, { short: 3, full: 21, long: 60 })
    const fixture = await context.open()
    const { server } = fixture
    let downSince = Number.POSITIVE_INFINITY
    let slowestWhileDown = 0
    let answersWhileDown = 0
    const load = await startLoad(fixture, {
      timeLimit: timeLimit(context, LIMITS.any),
      violations,
      onAnswer({ status, took }, began) {
        if (began < downSince || status !== 503) return
        answersWhileDown++
        slowestWhileDown = Math.max(slowestWhileDown, took)
      },
    })
    const backAfter: number[] = []
    for (let round = 0; round < restarts; round++) {
      await untilMore(load, 10, 30_000)
      await fixture.postgres.stop(MODES[round % MODES.length] ?? 'fast')
      downSince = performance.now()
      await sleep(DOWN)
      const told = await readiness(server.port)
      if (told !== 503) violations.push(`round ${round}: the readiness call answers ${told} without a database`)
      downSince = Number.POSITIVE_INFINITY
      await fixture.postgres.start()
      backAfter.push(await untilServed(fixture, () => load.successes))
    }
    await load.end()
    if (!server.isAlive()) violations.push(`the server ended: ${server.output()}`)
    if (answersWhileDown === 0) violations.push('nobody was answered while the database was down: nothing was tried')
    if (slowestWhileDown > timeLimit(context, LIMITS.whileDown))
      violations.push(`without a database an answer took ${Math.round(slowestWhileDown)} ms`)
    const slowestBack = Math.max(...backAfter)
    if (slowestBack > timeLimit(context, LIMITS.back))
      violations.push(`served again only after ${Math.round(slowestBack)} ms`)
    return {
      restarts,
      successes: load.successes,
      'answered 503': load.refusals,
      'slowest answer': `${Math.round(load.slowest)} ms`,
      'slowest 503 while down': `${Math.round(slowestWhileDown)} ms of ${answersWhileDown}`,
      'slowest return': `${Math.round(slowestBack)} ms`,
    }
  },
}
