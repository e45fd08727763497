// `npm start`, `npm run demo` and `npm test`: from a fresh clone to a running product with nothing but Node and npm.
// No dependencies: this file runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const NODE_NEEDED = [20, 19]
const IS_WINDOWS = process.platform === 'win32'
const what = process.argv[2]

process.chdir(ROOT)
const started = Date.now()
const say = (line) => process.stdout.write(`${line} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`)
const fail = (message, code = 1) => {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor < NODE_NEEDED[1]))
  fail(`Node ${NODE_NEEDED.join('.')} or newer is needed; this is ${process.versions.node}.`)
if (!['start', 'demo', 'test'].includes(what)) fail('Usage: node scripts/run.mjs start|demo|test')

const env = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
}

/** Runs a command in sight of the user; ends with its code when it fails. */
function run(command, args) {
  const { status, signal } = spawnSync(command, args, { stdio: 'inherit', env, shell: IS_WINDOWS })
  if (status !== 0) fail(`${path.basename(command)} ${args.join(' ')} failed (${status ?? signal})`, status ?? 1)
}

const hashOf = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}
const textOf = (file) => (existsSync(file) ? readFileSync(file) : '')

/** A step is skipped while nothing it depends on has changed since it last succeeded. */
function unlessDone(name, key, step) {
  const stamp = path.join('node_modules', '.stamps', name)
  if (String(textOf(stamp)) === key) return
  step()
  mkdirSync(path.dirname(stamp), { recursive: true })
  writeFileSync(stamp, key)
}

/** Puts the pinned pnpm on the PATH: npx gets it once from the registry this machine is set up for. */
function findPnpm() {
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'))
  const question = IS_WINDOWS ? 'where pnpm' : 'command -v pnpm'
  const { status, stdout, stderr } = spawnSync('npx', ['--yes', '-p', packageManager, '-c', question], {
    encoding: 'utf8',
    env,
    shell: IS_WINDOWS,
  })
  const [pnpm] = stdout.trim().split(/\r?\n/).slice(-1)
  if (status !== 0 || !pnpm) fail(`${packageManager} could not be fetched:\n${stderr}`)
  env.PATH = path.dirname(pnpm) + path.delimiter + env.PATH
  // pnpm reads .npmrc files, but not the registry npm was given in its environment.
  const { stdout: registry } = spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', env, shell: IS_WINDOWS })
  if (registry?.trim()) env.PNPM_CONFIG_REGISTRY ??= registry.trim()
}

let hasPnpm = false
const needPnpm = () => {
  if (!hasPnpm) findPnpm()
  hasPnpm = true
}

function install() {
  const patches = existsSync('patches') ? readdirSync('patches').map((name) => textOf(path.join('patches', name))) : []
  const key = hashOf(textOf('pnpm-lock.yaml'), textOf('pnpm-workspace.yaml'), ...patches, process.version)
  unlessDone('installed', key, () => {
    needPnpm()
    run('pnpm', ['install', '--frozen-lockfile', '--reporter=append-only'])
    say('Installed')
  })
}

const SOURCES = ['packages', 'apps', 'drizzle', 'package.json', 'turbo.json', 'tsconfig.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']
const NOT_SOURCES = new Set(['node_modules', 'dist', '.turbo', '.cache', 'test-results', 'playwright-report', 'coverage'])

/** Names, sizes and times of all sources: enough to know that nothing was touched. */
function* tracesOf(place) {
  const stats = statSync(place)
  if (!stats.isDirectory()) yield `${place} ${stats.size} ${stats.mtimeMs}`
  else for (const name of readdirSync(place).sort()) if (!NOT_SOURCES.has(name)) yield* tracesOf(path.join(place, name))
}

function build() {
  const built = ['apps/server/dist/main.js', 'apps/web/dist/index.html'].every((file) => existsSync(file))
  const key = hashOf(...SOURCES.flatMap((place) => [...tracesOf(place)]), String(built))
  unlessDone('built', key, () => {
    needPnpm()
    run(path.resolve('node_modules/.bin/turbo'), ['run', 'build', '--ui=stream', '--output-logs=errors-only'])
    say('Built')
  })
}

/** The process and its parent: when either changes, npm or the shell that started us is gone. */
function ancestors() {
  const parent = process.ppid
  try {
    const stat = readFileSync(`/proc/${parent}/stat`, 'utf8')
    return `${parent} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`
  } catch {
    return String(parent)
  }
}

function serve() {
  const demo = what === 'demo'
  const serverEnv = demo ? { ...process.env, DATA_DIR: process.env.DATA_DIR || '.data/demo' } : process.env
  const args = ['--enable-source-maps', 'apps/server/dist/main.js', ...(demo ? ['demo'] : [])]
  // The channel tells the server that this launcher is gone, even when it was killed outright.
  const server = spawn(process.execPath, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: serverEnv })
  const stop = () => server.connected && server.disconnect()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  // A signal to npm ends npm, and nothing passes it on to us.
  const before = ancestors()
  if (process.env.npm_lifecycle_event) setInterval(() => ancestors() !== before && stop(), 300).unref()
  server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

install()
build()
if (what === 'test') {
  needPnpm()
  run(path.resolve('node_modules/.bin/turbo'), ['run', 'test', '--ui=stream', '--concurrency=1'])
  say('All tests passed')
} else serve()
