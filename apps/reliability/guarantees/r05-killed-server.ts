import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { NoAnswer } from '../harness/client.ts'
import { teamForm, uniqueName } from '../harness/community.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

const WRITERS = 8
const READY_WITHIN = 3000

export const guarantee: Guarantee = {
  id: 'R5',
  statement: 'A server killed in the midst of writes loses no acknowledged one and is ready again within 3 s',
  async run(context) {
    const { violations } = context
    // So many of the writes come between two kills, more or less.
    const { kills, writes } = byTier(context, {
      short: { kills: 3, writes: 100 },
      full: { kills: 10, writes: 1000 },
      long: { kills: 30, writes: 1000 },
    })
    const acknowledged = new Set<string>()
    const attempted = new Set<string>()
    const readyAfter: number[] = []
    const fixture = await context.open()
    const { server, client } = fixture
    const chefs = await fixture.people.members(WRITERS)
    const form = await teamForm(client)
    let isOver = false
    const write = async (token: string) => {
      while (!isOver) {
        const name = uniqueName('Written')
        attempted.add(name)
        try {
          const { status, body } = await client.call('POST /teams', { token, body: { ...form, name } })
          if (status === 201) acknowledged.add(name)
          else if (status !== 503) violations.push(`${status} ${JSON.stringify(body)}`)
        } catch (error) {
          if (!(error instanceof NoAnswer)) throw error
          await sleep(5)
        }
      }
    }
    const writers = chefs.map(({ token }) => write(token))
    const steps = fc.sample(fc.integer({ min: writes, max: writes * 1.2 }), { numRuns: kills, seed: context.seed })
    for (const step of steps) {
      const until = acknowledged.size + step
      for (const end = performance.now() + 60_000; acknowledged.size < until; await sleep(1))
        if (performance.now() > end) throw new Error(`only ${acknowledged.size} writes were acknowledged`)
      await server.end('SIGKILL')
      readyAfter.push(await server.start())
    }
    isOver = true
    await Promise.all(writers)
    const kept = new Set((await fixture.sql`select name from teams`).map(({ name }) => String(name)))
    for (const name of acknowledged) if (!kept.has(name)) violations.push(`acknowledged and lost: ${name}`)
    for (const name of kept) if (!attempted.has(name)) violations.push(`nobody wrote ${name}`)
    const slowest = Math.max(...readyAfter)
    if (slowest > timeLimit(context, READY_WITHIN)) violations.push(`ready only after ${Math.round(slowest)} ms`)
    return {
      kills,
      acknowledged: acknowledged.size,
      'stored, not acknowledged': kept.size - acknowledged.size,
      'slowest start': `${Math.round(slowest)} ms`,
    }
  },
}
