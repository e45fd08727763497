// Runs the suites without a browser under other Node versions: `node scripts/test-node-versions.mjs 22 24 [--only contract,db]`.
// The binaries come from npm, as packages for Linux; elsewhere nothing runs.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: 'contract,testing,db,client,server,web' } },
})
const FOLDERS = {
  contract: 'packages/contract',
  testing: 'packages/testing',
  db: 'packages/db',
  client: 'packages/client',
  server: 'apps/server',
  web: 'apps/web',
}
const versions = positionals.length > 0 ? positionals : ['22', '24']

function run(title, program, args, options = {}) {
  const { status, signal, error } = spawnSync(program, args, { stdio: 'inherit', ...options })
  if (status === 0) return
  process.stderr.write(`${title} failed (${error?.message ?? signal ?? `exit code ${status}`})\n`)
  process.exit(status ?? 1)
}

if (process.platform !== 'linux') {
  process.stdout.write('Other Node versions are tested on Linux only.\n')
  process.exit()
}
const binary = `node-linux-${process.arch}`
for (const version of versions) {
  const prefix = path.resolve('node_modules/.node-versions', version)
  run('npm install', 'npm', [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    prefix,
    `${binary}@${version}`,
  ])
  const folder = path.join(prefix, 'node_modules', binary, 'bin')
  const env = { ...process.env, PATH: `${folder}${path.delimiter}${process.env.PATH}` }
  for (const suite of values.only.split(',')) {
    process.stdout.write(`--- ${suite} on Node ${version}\n`)
    run(`${suite} on Node ${version}`, 'node', ['node_modules/vitest/vitest.mjs', 'run'], { env, cwd: FOLDERS[suite] })
  }
}
