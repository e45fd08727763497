import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, programPath, serverEnvironment } from './embedded-postgres-files.ts'

const BOOT_ATTEMPTS_MAX = 5
/** Milliseconds for a start, including crash recovery. */
const BOOT_TIMEOUT_MS = 60_000
/** Milliseconds until a fast stop becomes immediate, and until the wait ends. */
const STOP_TIMEOUTS_MS = { fast: 8000, immediate: 10_000 }
const POLL_MS = 15

export interface Cluster {
  /** The folder with `bin`. */
  native: string
  data: string
  /** The server's output, truncated at each start. */
  logFile: string
  account: Account
  flags: readonly string[]
  log: (line: string) => void
  /** A free port if omitted. */
  port?: number | undefined
}

/** The content of `postmaster.pid`. */
interface PidFile {
  pid: number
  port: number
  status: string
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    // A zombie, in a container without an init, is dead.
    return !/^\d+ \(.*\) Z/s.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

/** Identifies a process by PID and, on Linux, start time, so that a reused PID is recognised. */
export function identifyProcess(pid: number): string {
  try {
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return `${pid} ${fields[19]}`
  } catch {
    return `${pid}`
  }
}

export function isStillRunning(identity: string): boolean {
  const pid = Number.parseInt(identity, 10)
  return pid > 0 && isAlive(pid) && identifyProcess(pid) === identity
}

function readCommand(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout ?? ''
  }
}

function readPidFile(data: string): PidFile | null {
  try {
    const lines = fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
    return { pid: Number(lines[0]), port: Number(lines[3]), status: (lines[7] ?? '').trim() }
  } catch {
    return null
  }
}

const findFreePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))))
    })
  })

/**
 * Resolves with the ready server that already runs on this data: its starter was killed, or is another live process. Waits until a
 * stopping server has ended.
 */
export async function findRunningServer(data: string): Promise<{ pid: number; port: number } | null> {
  const end = Date.now() + BOOT_TIMEOUT_MS
  for (let pidFile = readPidFile(data); pidFile?.pid && isAlive(pidFile.pid); pidFile = readPidFile(data)) {
    if (!readCommand(pidFile.pid).includes(data)) {
      // The PID now belongs to another program.
      fs.rmSync(path.join(data, 'postmaster.pid'), { force: true })
      return null
    }
    if (pidFile.status === 'ready') return { pid: pidFile.pid, port: pidFile.port }
    if (Date.now() > end)
      throw new Error(`PostgreSQL ${pidFile.pid} runs on ${data} but is ${pidFile.status || 'not ready'}`)
    await sleep(POLL_MS)
  }
  return null
}

function spawnServer({ native, data, logFile, account, flags }: Cluster, port: number) {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=100',
    'shared_buffers=64MB',
    'random_page_cost=1.1',
    'jit=off',
    'log_min_messages=warning',
    ...flags,
  ]
  // A file rather than a pipe, so that the output is kept after this process is killed.
  const output = fs.openSync(logFile, 'w', 0o600)
  try {
    return spawn(
      programPath(native, 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...account,
        cwd: '/',
        env: serverEnvironment(),
        stdio: ['ignore', output, output],
        // Ctrl-C then reaches only this process, which stops the server cleanly.
        detached: true,
      },
    )
  } finally {
    fs.closeSync(output)
  }
}

/** Starts the server and waits until it is ready. */
export async function startServer(cluster: Cluster): Promise<{ pid: number; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = cluster.port ?? (await findFreePort())
    const child = spawnServer(cluster, port)
    const result: { ended?: string } = {}
    child.once('exit', (code, signal) => (result.ended = `exit ${code ?? signal}`))
    child.once('error', (error) => (result.ended = error.message))
    const end = Date.now() + BOOT_TIMEOUT_MS
    while (!result.ended && Date.now() < end) {
      const pidFile = readPidFile(cluster.data)
      if (child.pid && pidFile?.pid === child.pid && pidFile.status === 'ready') {
        child.unref()
        return { pid: child.pid, port }
      }
      await sleep(POLL_MS)
    }
    const reason = `${result.ended ?? 'not ready in time'}: ${fs.readFileSync(cluster.logFile, 'utf8').trim().slice(-2000)}`
    if (!result.ended && child.pid) await stopServer(child.pid, 'SIGQUIT')
    if (!result.ended || attempt >= BOOT_ATTEMPTS_MAX) throw new Error(`PostgreSQL did not start (${reason})`)
    cluster.log(`PostgreSQL did not start (${reason}), trying again`)
    // Backends of a killed server may still hold its shared memory, or the port was taken in between.
    await sleep(300 * attempt)
  }
}

/** Stops the server cleanly, ending its sessions. */
export async function stopServer(pid: number, signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
  const send = (name: NodeJS.Signals) => {
    try {
      process.kill(pid, name)
    } catch {
      // It ended on its own.
    }
  }
  send(signal)
  const startedAt = Date.now()
  let isImmediate = false
  while (isAlive(pid) && Date.now() - startedAt < STOP_TIMEOUTS_MS.immediate) {
    if (!isImmediate && Date.now() - startedAt > STOP_TIMEOUTS_MS.fast) send('SIGQUIT')
    isImmediate ||= Date.now() - startedAt > STOP_TIMEOUTS_MS.fast
    await sleep(POLL_MS)
  }
}
