import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '../harness/client.ts'
import { makeTeam } from '../harness/community.ts'
import type { FloodKind, FloodOptions } from '../harness/flood.ts'
import type { Person } from '../harness/people.ts'
import { quantile } from '../harness/resident.ts'
import { type Fixture, USUAL_LIMITS } from '../harness/fixture.ts'
import { byTier, timeLimit, type Guarantee } from '../guarantee.ts'

/** How many times its calm median a stranger's call may take, and what no difference is counted below. */
const SLOWER = 3
/**
 * Milliseconds. A calm call takes one to six; flood, server and PostgreSQL share the machine's few cores, whose scheduler alone
 * hands each a slice of some milliseconds at every one of the call's three turns.
 */
const FLOOR = 25
const CONNECTIONS = 48
const KINDS: FloodKind[] = ['unknown fields', 'streamed answers', 'unique inputs', 'beside an unknown name']
const FLOOD = fileURLToPath(new URL('../harness/flood.ts', import.meta.url))
const VICTIM = '198.51.100.20'
/** One for each kind: none begins with what another has spent. */
const attackerOf = (kind: FloodKind) => `203.0.113.${KINDS.indexOf(kind) + 1}`

async function startFlood(options: FloodOptions): Promise<ChildProcess> {
  const child = fork(FLOOD)
  child.send(options)
  // Its first answers are there.
  await once(child, 'message')
  return child
}

/** Ends a flood; resolves with how many of its requests were answered how. */
async function endFlood(child: ChildProcess): Promise<Record<string, number>> {
  child.send('count')
  const [answers] = (await once(child, 'message')) as [Record<string, number>]
  child.kill('SIGKILL')
  await once(child, 'exit')
  return answers
}

/** Milliseconds that each of a member's calls takes, one after the other. */
async function callsOf(client: Client, { token }: Person, milliseconds: number, violations: string[]) {
  const took: number[] = []
  const headers = { 'x-forwarded-for': VICTIM }
  for (const end = performance.now() + milliseconds; performance.now() < end; await sleep(5)) {
    const answer = await client.call('GET /users/profile', { token, headers })
    if (answer.status !== 200) violations.push(`a stranger's call was answered ${answer.status}`)
    took.push(answer.took)
  }
  return took
}

async function seed(fixture: Fixture, teams: number): Promise<void> {
  const { client } = fixture
  const chefs = await fixture.people.members(teams)
  for (let from = 0; from < teams; from += 4)
    await Promise.all(chefs.slice(from, from + 4).map((chef) => makeTeam(client, chef)))
}

const inMs = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`

export const guarantee: Guarantee = {
  id: 'R28',
  statement: 'One address that asks for all it can takes nothing from people at other addresses',
  async run(context) {
    const { violations } = context
    const [teams, milliseconds] = byTier(context, {
      short: [120, 3000],
      full: [300, 15_000],
      long: [300, 60_000],
    } as const)
    const figures: Record<string, string> = {}
    const fixture = await context.open({ settings: USUAL_LIMITS })
    const { server } = fixture
    await seed(fixture, teams)
    const victim = await fixture.people.member()
    const client = new Client(server.port, 1)
    await callsOf(client, victim, 1000, violations)
    for (const kind of KINDS) {
      const before = await callsOf(client, victim, milliseconds / 2, violations)
      const flood = await startFlood({ port: server.port, kind, connections: CONNECTIONS, address: attackerOf(kind) })
      const meanwhile = await callsOf(client, victim, milliseconds, violations)
      const answers = await endFlood(flood)
      // What still waits when the flood ends is over after two seconds.
      await sleep(3000)
      const after = await callsOf(client, victim, milliseconds / 2, violations)
      // Others use the machine too: the slower of the two calm times.
      const calm = Math.max(quantile(before, 0.5), quantile(after, 0.5))
      const [median, late] = [quantile(meanwhile, 0.5), quantile(meanwhile, 0.99)]
      if (median > Math.max(SLOWER * calm, timeLimit(context, FLOOR)))
        violations.push(`${kind}: ${inMs(median)}, in calm ${inMs(calm)}`)
      figures[kind] =
        `${inMs(median)}, 99 % ${inMs(late)}; in calm ${inMs(calm)}; the flood was answered ${JSON.stringify(answers)}`
    }
    client.close()
    if (!server.isAlive()) violations.push(`the server ended: ${server.output()}`)
    return figures
  },
}
