import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until, untilFound } from '../waiting.ts'

const SCRIPTS = fileURLToPath(new URL('../../../../scripts', import.meta.url))
const run = promisify(execFile)

/** A node of the cluster, as Patroni lists it. */
export interface Node {
  /** Also the name of its network namespace. */
  name: string
  host: string
  role: string
  state: string
}

/** A fault of a node; `isolated`: clients reach it, but neither etcd nor the other nodes do. */
export const FAULTS = ['killed', 'paused', 'cut off', 'isolated', 'switched over'] as const
export type Fault = (typeof FAULTS)[number]

async function pidsOf({ name }: Node): Promise<number[]> {
  const { stdout } = await run('ip', ['netns', 'pids', name])
  return stdout.split('\n').filter(Boolean).map(Number)
}

async function signalAll(node: Node, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await pidsOf(node))
    try {
      process.kill(pid, signal)
    } catch {
      // Already ended.
    }
}

/** Calls Patroni's REST API; undefined without a successful response within a second. */
async function fetchPatroni<T>(host: string, endpoint: string): Promise<T | undefined> {
  try {
    const response = await fetch(`http://${host}:8008${endpoint}`, { signal: AbortSignal.timeout(1000) })
    const body = (await response.json()) as T
    return response.ok ? body : undefined
  } catch {
    return undefined
  }
}

interface PrimaryState {
  replication?: { state: string; sync_state: string }[]
}

/** Kills PostgreSQL but not Patroni, which then lets a standby take over. */
async function killPostgres(folder: string, { name }: Node): Promise<void> {
  const [pid] = (await readFile(path.join(folder, name, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

const link = ({ name }: Node, state: 'up' | 'down') => run('ip', ['link', 'set', name, state])
const route = ({ name }: Node, action: 'add' | 'delete', host: string) =>
  run('ip', ['-n', name, 'route', action, 'blackhole', host])

/** Starts a cluster of three nodes with synchronous replication (`scripts/patroni-up.sh`; requires root). */
export async function startPatroni() {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'community-patroni-'))
  await chmod(parent, 0o755)
  const folder = path.join(parent, 'cluster')
  await run(path.join(SCRIPTS, 'patroni-up.sh'), [folder])
  const url = (await readFile(path.join(folder, 'url'), 'utf8')).trim()
  const hosts = [...url.matchAll(/[\d.]+(?=:5432)/g)].map(([host]) => host)

  /** The nodes as the first one that responds lists them. */
  async function nodes(): Promise<Node[]> {
    const answers = await Promise.all(hosts.map((host) => fetchPatroni<{ members: Node[] }>(host, '/cluster')))
    return answers.find(Boolean)?.members ?? []
  }
  /** The node that accepts writes and has a synchronous standby, without which a write is not acknowledged. */
  async function findPrimary(): Promise<string | undefined> {
    const states = await Promise.all(hosts.map((host) => fetchPatroni<PrimaryState>(host, '/primary')))
    return hosts.find((_, nth) =>
      states[nth]?.replication?.some((each) => each.state === 'streaming' && each.sync_state === 'sync'),
    )
  }
  const injectors: Record<Fault, (node: Node) => Promise<() => Promise<unknown>>> = {
    async killed(node) {
      await killPostgres(folder, node)
      return async () => {}
    },
    async paused(node) {
      await signalAll(node, 'SIGSTOP')
      return () => signalAll(node, 'SIGCONT')
    },
    async 'cut off'(node) {
      await link(node, 'down')
      return () => link(node, 'up')
    },
    async isolated(node) {
      const others = [...hosts.filter((host) => host !== node.host), node.host.replace(/\d+$/, '2')]
      for (const host of others) await route(node, 'add', host)
      return async () => {
        for (const host of others) await route(node, 'delete', host)
      }
    },
    async 'switched over'({ name, host }) {
      const request = { method: 'POST', body: JSON.stringify({ leader: name }) }
      // Responds once a standby is promoted.
      const response = await fetch(`http://${host}:8008/switchover`, {
        ...request,
        signal: AbortSignal.timeout(30_000),
      })
      if (!response.ok) throw new Error(`Patroni refuses to switch over: ${await response.text()}`)
      return async () => {}
    },
  }
  return {
    url,
    nodes,
    /** Begins a fault of any node; resolves with a function that ends it. */
    breakNode: (node: Node, fault: Fault): Promise<() => Promise<unknown>> => injectors[fault](node),
    /** Waits until all nodes run and one standby is synchronous; resolves with the primary. */
    async untilHealthy(): Promise<Node> {
      let listed: Node[] = []
      const isHealthy = async () => {
        listed = await nodes()
        const roles = listed.map(({ role }) => role).toSorted()
        return (
          String(roles) === 'leader,replica,sync_standby' &&
          listed.every(({ state }) => /running|streaming/.test(state))
        )
      }
      await until('the cluster is healthy', isHealthy, 120_000).catch((error: Error) => {
        throw new Error(`${error.message}: ${JSON.stringify(listed)}`)
      })
      return listed.find(({ role }) => role === 'leader') as Node
    },
    /** Begins a fault of the primary; resolves once another node acknowledges writes, with a function that ends the fault. */
    async failOver(node: Node, fault: Fault): Promise<() => Promise<unknown>> {
      const end = await injectors[fault](node)
      await untilFound('another node is the primary', async () => {
        const host = await findPrimary()
        return host === undefined || host === node.host ? undefined : host
      })
      return end
    },
    async remove() {
      await run(path.join(SCRIPTS, 'patroni-down.sh'), [folder])
      await rm(parent, { recursive: true, force: true })
    },
  }
}
