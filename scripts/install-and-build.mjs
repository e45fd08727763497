import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const IS_WINDOWS = process.platform === 'win32'
const STAMPS = path.join('node_modules', '.stamps')
const SOURCES = [
  'apps',
  'packages',
  'drizzle',
  'patches',
  'package.json',
  'turbo.json',
  'tsconfig.json',
  'pnpm-lock.yaml',
]
const NOT_SOURCES = new Set([
  'node_modules',
  'dist',
  '.turbo',
  'test-results',
  'playwright-report',
  'coverage',
  'generated',
])
const BUILT = ['apps/server/dist', 'apps/web/dist']

/** The environment of npm, pnpm and turbo, not of the server. */
const env = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: '1',
  TURBO_NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  npm_config_update_notifier: 'false',
  npm_config_fund: 'false',
}

const began = Date.now()
const say = (line) => process.stdout.write(`--- ${line} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`)

function fail(message, code) {
  process.stderr.write(`${message}\n`)
  process.exit(code)
}

/** Runs a program with our output; exits with its code if it fails. */
function run(title, program, args, settings = env) {
  const { status, signal, error } = spawnSync(program, args, { stdio: 'inherit', env: settings, shell: IS_WINDOWS })
  if (status !== 0) fail(`${title} failed (${error?.message ?? signal ?? `exit code ${status}`}).`, status ?? 1)
}

/** The last line that a program prints; exits with its code if it fails. */
function capture(program, args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env, shell: IS_WINDOWS })
  if (status !== 0) fail(`${program} ${args.join(' ')} failed:\n${error?.message ?? stderr}`, status ?? 1)
  return stdout.trim().split(/\r?\n/).at(-1)
}

const hashOf = (parts) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
const textOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** Name, size and time of every file below: enough to know that nothing was touched. */
function statFiles(place) {
  const stats = statSync(place, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return [`${place} ${stats?.size} ${stats?.mtimeMs}`]
  const names = readdirSync(place).toSorted()
  return names.flatMap((name) => (NOT_SOURCES.has(name) ? [] : statFiles(path.join(place, name))))
}

/** Does a step, unless it succeeded before and nothing it read or made has changed since. */
function skipIfUnchanged(name, keyOf, step) {
  const stamp = path.join(STAMPS, name)
  if (textOf(stamp) === keyOf()) return
  // So that a step that fails or is interrupted runs again.
  rmSync(stamp, { force: true })
  step()
  mkdirSync(STAMPS, { recursive: true })
  writeFileSync(stamp, keyOf())
}

let hasPnpm = false
/** Puts the pinned pnpm on the PATH, where turbo looks for it too: npx gets it, once, from npm's registry. */
function ensurePnpm() {
  if (hasPnpm) return
  const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8'))
  const binary = capture('npx', ['--yes', '-p', packageManager, '-c', IS_WINDOWS ? 'where pnpm' : 'command -v pnpm'])
  env.PATH = path.dirname(binary) + path.delimiter + env.PATH
  hasPnpm = true
}

const workspaceFolders = () =>
  ['apps', 'packages'].flatMap((group) => readdirSync(group).map((name) => path.join(group, name)))

/** Installs what the lockfile names. */
export function install() {
  const files = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json']
  const manifests = workspaceFolders().map((folder) => path.join(folder, 'package.json'))
  const keyOf = () =>
    hashOf([
      ...[...files, ...manifests].map(textOf),
      statFiles('patches'),
      workspaceFolders().map((folder) => existsSync(path.join(folder, 'node_modules'))),
      [process.version, process.platform, process.arch],
    ])
  skipIfUnchanged('install', keyOf, () => {
    ensurePnpm()
    // pnpm reads .npmrc files, but not the registry that npm was given in its environment. CI: it must not ask questions.
    const registry = env.PNPM_CONFIG_REGISTRY ?? capture('npm', ['config', 'get', 'registry'])
    const settings = { ...env, CI: '1', PNPM_CONFIG_REGISTRY: registry }
    run('Installing', 'pnpm', ['install', '--frozen-lockfile', '--reporter=append-only'], settings)
    say('Installed')
  })
}

/** Runs turbo, which runs the packages' scripts in their order. */
export function turbo(args, settings = {}) {
  ensurePnpm()
  const turboFile = path.join('node_modules', 'turbo', 'bin', 'turbo')
  run(`turbo ${args.join(' ')}`, process.execPath, [turboFile, ...args, '--ui=stream'], { ...env, ...settings })
}

/** Runs a script of the workspace. */
export function pnpm(args, settings = {}) {
  ensurePnpm()
  run(`pnpm ${args.join(' ')}`, 'pnpm', args, { ...env, ...settings })
}

/** Builds the web app and the server. */
export function build() {
  const keyOf = () => hashOf([SOURCES.flatMap(statFiles), BUILT.map((folder) => statFiles(folder)), process.version])
  skipIfUnchanged('build', keyOf, () => {
    turbo(['run', 'build', '--output-logs=errors-only'])
    say('Built')
  })
}
