import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Milliseconds between two checks for npm. */
const POLL_INTERVAL_MS = 300
/** Milliseconds until a server that does not stop is killed. */
const KILL_AFTER_MS = 12_000

/** The parent and the command line of a process; null on systems without /proc. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return { parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }
  } catch {
    return null
  }
}

/**
 * How many generations up npm is: usually npm, its shell, then we. Only these are watched: the terminal that npm was
 * started from may go away without ending it.
 */
function generationsToNpm() {
  let pid = process.ppid
  for (let generation = 1; generation <= 4; generation++) {
    const parentProcess = readProcess(pid)
    if (!parentProcess) break
    if (/^npm\b|\bnpm-cli\.js/.test(parentProcess.command)) return generation
    pid = parentProcess.parent
  }
  return 1
}

function ancestors(generations) {
  const line = [process.ppid]
  while (line.length < generations) line.push(readProcess(line.at(-1))?.parent)
  return line.join(' ')
}

/** A signal to npm ends npm and perhaps its shell, and neither passes it on: calls `listener` once one of them has ended. */
function onNpmExit(listener) {
  if (!process.env.npm_lifecycle_event) return
  const generations = generationsToNpm()
  const before = ancestors(generations)
  const watch = setInterval(() => {
    if (ancestors(generations) === before) return
    clearInterval(watch)
    listener()
  }, POLL_INTERVAL_MS)
  watch.unref()
}

/** Runs the built server until it ends, this process gets a signal, or npm ends; exits with the server's code. */
export function serve(args = []) {
  const server = spawn(process.execPath, ['--enable-source-maps', 'apps/server/dist/main.js', ...args], {
    // The IPC channel closes even if this process is killed; the server then stops.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Node 22 and later keep compiled code there: up to a tenth less work for every start but the first.
    env: { NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', ...process.env },
  })
  const stop = () => {
    if (server.connected) server.disconnect()
    setTimeout(() => server.kill('SIGKILL'), KILL_AFTER_MS).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  onNpmExit(stop)
  server.once('error', (error) => {
    process.stderr.write(`The server could not be started: ${error.message}\n`)
    process.exit(1)
  })
  server.once('exit', (code, signal) => {
    if (signal) process.stderr.write(`The server was ended by ${signal}.\n`)
    process.exit(code ?? 1)
  })
}
