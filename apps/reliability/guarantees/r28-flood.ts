import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { median, repeat } from '@community/testing'
import { Client } from '@community/testing/api-client'
import { expectTally, type Guarantee, inMs } from '../guarantee.ts'
import { createTeam } from '@community/testing/community'
import { DEFAULT_LIMITS } from '../harness/fixture.ts'
import { type FloodCounts, type FloodKind, type FloodOptions, FLOODS } from '../harness/flood.ts'

/** How many times its calm median another address's call may take. */
const SLOWER = 3
/**
 * Milliseconds that any call may take. A calm call takes one to six; flood, server and PostgreSQL share the machine's few cores,
 * whose scheduler alone may delay a call by some milliseconds at each of its three context switches.
 */
const FLOOR = 25
const FLOOD = fileURLToPath(new URL('../harness/flood.ts', import.meta.url))

async function startFlood(options: FloodOptions): Promise<ChildProcess> {
  const child = fork(FLOOD)
  child.send(options)
  // The first response has arrived.
  await once(child, 'message')
  return child
}

/** Ends a flood; resolves with its numbers of responses by status. */
async function endFlood(child: ChildProcess): Promise<FloodCounts> {
  child.send('count')
  const [counts] = (await once(child, 'message')) as [FloodCounts]
  child.kill('SIGKILL')
  await once(child, 'exit')
  return counts
}

export const guarantee: Guarantee = {
  id: 'R28',
  statement: 'One address that sends as much as it can does not affect other addresses',
  async run({ byTier, expect, openFixture, timeLimit }) {
    const { teams, milliseconds } = byTier({
      short: { teams: 120, milliseconds: 1500 },
      full: { teams: 300, milliseconds: 15_000 },
      long: { teams: 300, milliseconds: 60_000 },
    })
    const figures: Record<string, string> = {}
    const { client, createMember, createMembers, server } = await openFixture({ settings: DEFAULT_LIMITS })
    const chefs = await createMembers(teams)
    for (let from = 0; from < teams; from += 4)
      await Promise.all(chefs.slice(from, from + 4).map((chef) => createTeam(client, chef)))
    const { token } = await createMember()
    const stranger = new Client(server.port, 1)
    /** Milliseconds of sequential calls from another address. */
    const callFor = async (duration: number): Promise<number[]> => {
      const call = { line: 'GET /users/profile', token, headers: { 'x-forwarded-for': '198.51.100.20' } }
      const responses = await repeat(AbortSignal.timeout(duration), () => stranger.call(call), 5)
      expectTally(expect, 'calls of a stranger', responses, { '200': responses.length })
      return responses.map(({ took }) => took)
    }
    await callFor(1000)
    for (const [index, [kind, answered]] of Object.entries(FLOODS).entries()) {
      const before = await callFor(milliseconds / 2)
      // An address for each kind, so that each flood starts with a full budget.
      const address = `203.0.113.${index + 1}`
      const flood = await startFlood({ port: server.port, kind: kind as FloodKind, connections: 48, address })
      const meanwhile = await callFor(milliseconds)
      const counts = await endFlood(flood)
      // Requests queued when the flood ends are answered within two seconds.
      await sleep(3000)
      const after = await callFor(milliseconds / 2)
      // Other work shares the machine: the slower of the two calm medians.
      const calm = Math.max(median(before), median(after))
      figures[kind] =
        `${inMs(median(meanwhile), 1)}, in calm ${inMs(calm, 1)}; the flood was answered ${JSON.stringify(counts)}`
      const others = Object.keys(counts).filter(
        (status) => ![String(answered), '429', '503', 'no answer'].includes(status),
      )
      expect((counts[answered] ?? 0) > 0 && others.length === 0, `${kind}: ${JSON.stringify(counts)}`)
      expect(median(meanwhile) <= Math.max(SLOWER * calm, timeLimit(FLOOR)), `${kind}: ${figures[kind]}`)
    }
    return figures
  },
}
