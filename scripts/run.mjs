// `npm start`, `npm run demo`, `npm test`, `npm run test:full`: from a fresh clone with nothing but Node and npm.
// No dependencies: these scripts run before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, install, pnpm, turbo } from './install-and-build.mjs'
import { serve } from './serve.mjs'

const COMMANDS = {
  start: () => serve(),
  demo: () => {
    process.env.DATA_DIR ||= '.data/demo'
    serve(['demo'])
  },
  test: () => test(),
  'test:short-guarantees': () => pnpm(['reliability', '--short']),
  'test:full': () => {
    pnpm(['lint'])
    turbo(['run', 'types', '--concurrency=2'])
    test({ TEST_TIER: 'full' })
    testNodeVersions()
    testPooler()
    pnpm(['reliability'])
    // With the mutation tests, R27.
    pnpm(['reliability', '--long'])
  },
}

function test(settings) {
  pnpm(['format:check'])
  // Types take minutes: only `pnpm verify` and `npm run test:full` check them.
  pnpm(['exec', 'oxlint', '--deny-warnings'])
  // Two packages at once, but for the server's tests and the journeys (their turbo.json).
  turbo(['run', 'test', '--concurrency=2'], settings)
}

function testNodeVersions() {
  const { status } = spawnSync(process.execPath, ['scripts/test-node-versions.mjs', '22', '24'], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/** Needs Debian's PgBouncer. */
function testPooler() {
  const settings = { TEST_DATABASE_POOLER: '1' }
  pnpm(['--filter', '@community/server', 'test'], settings)
  pnpm(['reliability', '--short', ...Array.from({ length: 9 }, (_, index) => `R${index + 1}`)], settings)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Exits if Node is older than package.json requires. */
function checkNode() {
  const needed = JSON.parse(readFileSync('package.json', 'utf8')).engines.node.replace('>=', '')
  const [major, minor] = needed.split('.').map(Number)
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number)
  if (ourMajor < major || (ourMajor === major && ourMinor < minor))
    fail(
      `This needs Node ${needed} or newer; ${process.execPath} is ${process.versions.node}. Get one from https://nodejs.org`,
    )
}

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
checkNode()
const command = COMMANDS[process.argv[2]]
if (!command) fail(`Usage: node scripts/run.mjs ${Object.keys(COMMANDS).join('|')}`)
// What is set already counts more than the file.
if (!process.argv[2].startsWith('test') && existsSync('.env')) process.loadEnvFile('.env')
install()
build()
command()
