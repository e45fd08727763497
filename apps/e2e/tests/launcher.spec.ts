import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sampledForTier } from '@community/testing'
import { expect } from '@playwright/test'
import { freePort, EMPTY_SETTINGS } from '@community/testing/server'
import { test } from '../test.ts'

// Runs the launcher without install and build, which would replace the server of the other tests.
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const LAUNCH = `process.chdir(${JSON.stringify(ROOT)})
const { serve } = await import(${JSON.stringify(pathToFileURL(path.join(ROOT, 'scripts/serve.mjs')).href)})
serve()
`

// In order and in one folder, so that each test meets the leftovers of the one before.
test.describe.configure({ mode: 'default' })
let folder: string
let data: string
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'community launcher '))
  // Accessible to PostgreSQL's account if root runs the tests.
  await chmod(folder, 0o755)
  data = path.join(folder, 'data')
  await writeFile(path.join(folder, 'launch.mjs'), LAUNCH)
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ scripts: { start: 'node launch.mjs' } }))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

/** Starts npm as the leader of its own process group, like a shell with job control. */
async function startByNpm(port: number): Promise<ChildProcess> {
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, ...EMPTY_SETTINGS, PORT: String(port), DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  for await (const line of createInterface({ input: npm.stdout })) if (line.includes('Ready after')) return npm
  throw new Error('npm start ended before it was ready')
}

function readParentPids(): Map<number, number> {
  const parentOf = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)))
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state !== 'Z') parentOf.set(Number(name), Number(parent))
    } catch {
      // The process has just exited.
    }
  return parentOf
}

/** The process and all its descendants. */
function processTree(pid: number, parentOf = readParentPids()): number[] {
  const children = [...parentOf].filter(([, parent]) => parent === pid).map(([child]) => child)
  return [pid, ...children.flatMap((child) => processTree(child, parentOf))]
}

const signals = {
  'Ctrl-C': (pid: number) => process.kill(-pid, 'SIGINT'),
  'a TERM to npm': (pid: number) => process.kill(pid, 'SIGTERM'),
  'a HUP to npm': (pid: number) => process.kill(pid, 'SIGHUP'),
  'a KILL to npm': (pid: number) => process.kill(pid, 'SIGKILL'),
}

for (const [name, send] of sampledForTier(Object.entries(signals), 2, 'signals'))
  test(`${name} leaves no process`, async () => {
    test.skip(process.platform !== 'linux', 'asks /proc')
    const npm = await startByNpm(await freePort())
    const pid = npm.pid ?? 0
    const pids = processTree(pid)
    // npm, node and node at least, and the processes of PostgreSQL.
    expect(pids.length).toBeGreaterThan(6)
    expect(existsSync(path.join(data, 'mails'))).toBe(true)
    send(pid)
    await expect
      .poll(() => pids.filter((id) => readParentPids().has(id)), { timeout: 12_000, intervals: [100] })
      .toEqual([])
  })

test('a start on a port in use reports it and leaves no process', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const unused = path.join(folder, 'unused')
  const address = blocker.address()
  const port = typeof address === 'object' && address ? address.port : 0
  try {
    const server = spawn(process.execPath, ['launch.mjs'], {
      cwd: folder,
      env: { ...process.env, ...EMPTY_SETTINGS, PORT: String(port), DATA_DIR: unused },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let output = ''
    server.stderr.on('data', (chunk) => (output += String(chunk)))
    // At `exit` the last of the output may not have been read yet.
    const [code] = await once(server, 'close')
    expect(code).toBe(1)
    expect(output).toContain(`PORT: ${port} is in use`)
    expect(existsSync(path.join(unused, 'postgres'))).toBe(false)
  } finally {
    blocker.close()
  }
})
