import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../harness/load.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

/** A pool wait, a connection and a statement; nobody waits longer for a session that was killed. */
const WITHIN = 5000
const AT_ONCE = 3

export const guarantee: Guarantee = {
  id: 'R6',
  statement: 'Sessions of the database killed inside transactions leave the process alive and no half transaction',
  async run(context) {
    const { violations } = context
    const kills = byTier(context, { short: 60, full: 500, long: 2000 })
    const fixture = await context.open()
    const load = await startLoad(fixture, { timeLimit: timeLimit(context, WITHIN), violations })
    let killed = 0
    for (const end = performance.now() + kills * 400; killed < kills && performance.now() < end; await sleep(20)) {
      const ended = await fixture.sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'community' and xact_start is not null limit ${Math.min(AT_ONCE, kills - killed)}`
      killed += ended.length
    }
    await load.end()
    if (killed < kills) violations.push(`only ${killed} sessions were found inside a transaction`)
    if (load.refusals === 0) violations.push('no kill hit a request: nothing was tried')
    for (const server of fixture.servers) if (!server.isAlive()) violations.push(`the server ended: ${server.output()}`)
    return {
      'sessions killed': killed,
      successes: load.successes,
      'answered 503': load.refusals,
      'slowest answer': `${Math.round(load.slowest)} ms`,
    }
  },
}
