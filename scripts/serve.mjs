import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Milliseconds between two looks at who started us, and for the server's orderly stop. */
const LOOK = 300
const STOP_PATIENCE = 12_000

/** The parent of a process and what it was called with, where the system tells it. */
function whoIs(pid) {
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
    const who = whoIs(pid)
    if (!who) break
    if (/^npm\b|\bnpm-cli\.js/.test(who.command)) return generation
    pid = who.parent
  }
  return 1
}

function ancestors(generations) {
  const line = [process.ppid]
  while (line.length < generations) line.push(whoIs(line.at(-1))?.parent)
  return line.join(' ')
}

/** A signal to npm ends npm and perhaps its shell, and neither passes it on: calls `then` once one of them is gone. */
function whenNpmIsGone(then) {
  if (!process.env.npm_lifecycle_event) return
  const generations = generationsToNpm()
  const before = ancestors(generations)
  const watch = setInterval(() => {
    if (ancestors(generations) === before) return
    clearInterval(watch)
    then()
  }, LOOK)
  watch.unref()
}

/** Runs the built server until it ends, this process gets a signal, or npm is gone; exits with the server's code. */
export function serve(args = []) {
  const server = spawn(process.execPath, ['--enable-source-maps', 'apps/server/dist/main.js', ...args], {
    // Its channel breaks when we end, however we end: the server stops then.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Node 22 and later keep compiled code there: up to a tenth less work for every start but the first.
    env: { NODE_COMPILE_CACHE: 'node_modules/.cache/compiled', ...process.env },
  })
  const stop = () => {
    if (server.connected) server.disconnect()
    setTimeout(() => server.kill('SIGKILL'), STOP_PATIENCE).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  whenNpmIsGone(stop)
  server.once('error', (error) => {
    process.stderr.write(`The server could not be started: ${error.message}\n`)
    process.exit(1)
  })
  server.once('exit', (code, signal) => {
    if (signal) process.stderr.write(`The server was ended by ${signal}.\n`)
    process.exit(code ?? 1)
  })
}
