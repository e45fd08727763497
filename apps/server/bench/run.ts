// `pnpm bench`: how much a call costs. Ratios to the cheapest call of the same run count; absolute times belong to the machine.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Pagination } from '@community/contract'
import { migrate } from '@community/db'
import { startEmbeddedPostgres } from '@community/db/embedded'
import { measureBursts } from './bursts.ts'
import { seed } from './seed.ts'
import { measureSignIns } from './sign-ins.ts'

const TEAMS = Number(process.argv[2] ?? 10_000)
const SECONDS = Number(process.argv[3] ?? 3)
const CONNECTIONS = 16

interface Sample {
  name: string
  perSecond: number
  p50: number
  p99: number
  serverMicros: number
  bytes: number
  failures: number
}

/** CPU time a process has used so far, in microseconds: user and system, of Linux's accounting in hundredths of a second. */
function cpuMicros(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
const residentMegabytes = (pid: number) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

interface Call {
  name: string
  method?: string
  path: string
  token?: string
  body?: object
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })

function send(
  port: number,
  { method = 'GET', path: address, token, body }: Call,
): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    }
    const request = http.request({ port, host: '127.0.0.1', method, path: address, headers, agent }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }))
    })
    request.on('error', reject)
    request.end(body && JSON.stringify(body))
  })
}

/** The same deep page of teams asked for by its number and by the cursor before it; none where the teams are few. */
async function deepPages(port: number): Promise<Call[]> {
  const list = '/api/teams?limit=100&sort=points&order=desc'
  const page = Math.max(2, Math.floor((TEAMS / 100) * 0.9))
  const before = await fetch(`http://127.0.0.1:${port}${list}&page=${page - 1}`)
  const { data } = (await before.json()) as { data: { pagination: Pagination } }
  const { nextCursor } = data.pagination
  if (nextCursor === null) return []
  return [
    { name: `teams 100, page ${page} by number`, path: `${list}&page=${page}` },
    { name: `teams 100, page ${page} by cursor`, path: `${list}&page=${page}&cursor=${nextCursor}` },
  ]
}

async function measure(port: number, pid: number, call: Call): Promise<Sample> {
  await Promise.all(Array.from({ length: CONNECTIONS * 4 }, () => send(port, call)))
  const times: number[] = []
  let failures = 0
  let bytes = 0
  const end = performance.now() + SECONDS * 1000
  const before = cpuMicros(pid)
  const worker = async () => {
    while (performance.now() < end) {
      const began = performance.now()
      const answer = await send(port, call)
      times.push(performance.now() - began)
      bytes = answer.bytes
      if (answer.status >= 300) failures++
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    name: call.name,
    perSecond: times.length / SECONDS,
    p50: at(0.5),
    p99: at(0.99),
    serverMicros: (cpuMicros(pid) - before) / times.length,
    bytes,
    failures,
  }
}

const dir = await mkdtemp(path.join(os.tmpdir(), 'community-bench-'))
const postgres = await startEmbeddedPostgres({ dir, database: 'bench' })
const PORT = 3900 + (process.pid % 90)
try {
  await migrate(postgres.url)
  const { token } = await seed(postgres.url, TEAMS)
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
  const began = performance.now()
  const server = fork(main, {
    // As `npm start` runs it: not with the loader that runs this file.
    execArgv: ['--enable-source-maps'],
    env: {
      ...process.env,
      PORT: String(PORT),
      DATABASE_URL: postgres.url,
      DATA_DIR: path.join(dir, 'data'),
      LOG_LEVEL: 'error',
      TRUST_PROXY: 'loopback',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  for await (const chunk of server.stdout ?? []) if (String(chunk).includes('Ready after')) break
  server.stdout?.resume()
  const pid = server.pid ?? 0
  const ready = performance.now() - began
  const atStart = residentMegabytes(pid)

  const calls: Call[] = [
    { name: 'health/live (a bare handler)', path: '/api/health/live' },
    { name: 'leaderboard 100', path: '/api/teams/leaderboard?limit=100' },
    { name: 'leaderboard 100 over tRPC', path: `/trpc/teams.leaderboard?input=${encodeURIComponent('{"limit":100}')}` },
    { name: 'teams 100, visitor', path: '/api/teams?limit=100' },
    { name: 'teams 100, member', path: '/api/teams?limit=100', token },
    ...(await deepPages(PORT)),
    { name: 'challenges 50', path: '/api/challenges?limit=50' },
    { name: 'works 100', path: '/api/submissions/approved?limit=100' },
    { name: 'own profile', path: '/api/users/profile', token },
    { name: 'the page', path: '/' },
  ]
  const samples: Sample[] = []
  for (const call of calls) samples.push(await measure(PORT, pid, call))
  const [bare] = samples
  process.stdout.write(
    `\n${TEAMS} teams, ${CONNECTIONS} connections, ${SECONDS} s each. Ready after ${ready.toFixed(0)} ms, ${atStart} MB; ${residentMegabytes(pid)} MB after the load.\n\n`,
  )
  console.table(
    samples.map((one) => ({
      call: one.name,
      'requests/s': Math.round(one.perSecond),
      'p50 ms': Number(one.p50.toFixed(2)),
      'p99 ms': Number(one.p99.toFixed(2)),
      'server CPU µs': Math.round(one.serverMicros),
      'x bare': Number((one.serverMicros / (bare?.serverMicros ?? 1)).toFixed(1)),
      kB: Number((one.bytes / 1024).toFixed(1)),
      failures: one.failures,
    })),
  )
  process.stdout.write('\nTwo of three read the teams, one joins, all at once; larger until somebody is refused.\n\n')
  console.table(await measureBursts(PORT, postgres.url))
  process.stdout.write(
    '\nRight passwords, all at once; each row larger than the one before until somebody is refused.\n\n',
  )
  console.table(await measureSignIns(PORT, postgres.url))
  agent.destroy()
  server.disconnect()
  await once(server, 'exit')
} finally {
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}
