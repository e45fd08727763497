// `pnpm test:changed [base]`: runs the unit and use-case tests near what changed since `base` (main by default), committed or not.
// Vitest's own `related` runs almost all of the server's tests for one use case: nearly all of them import the app.
import { execFileSync, spawnSync } from 'node:child_process'
import path from 'node:path'

/** Packages whose module graph is small enough that Vitest finds the tests by their imports. */
const BY_IMPORTS = ['packages/contract', 'packages/testing', 'apps/web']
/** Whose tests are found by their folder. */
const SERVER = 'apps/server'
/** Whose tests are few, and all concern the driver, its patch or the migrations. */
const DATABASE = 'packages/db'
const DATABASE_FILES = /^(packages\/db|drizzle|patches)\//

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean)

function changedFiles(base) {
  const [since = 'HEAD'] = git('merge-base', base, 'HEAD')
  return [...git('diff', '--name-only', '--diff-filter=d', since), ...git('ls-files', '--others', '--exclude-standard')]
}

/** The tests of a domain's folder; of a file that is in none, those with its name. */
function filterFor(file) {
  const folder = path.posix.dirname(file)
  return folder.includes('/') ? `${folder}/` : file.replace(/(\.test)?\.tsx?$/, '.')
}

function run(folder, args) {
  process.stdout.write(`--- ${folder}: vitest ${args.join(' ')}\n`)
  const { status } = spawnSync('pnpm', ['exec', 'vitest', ...args, '--passWithNoTests'], {
    cwd: folder,
    stdio: 'inherit',
  })
  return status === 0
}

const files = changedFiles(process.argv[2] ?? 'main')
const inside = (folder) =>
  files
    .filter((file) => file.startsWith(`${folder}/`) && /\.tsx?$/.test(file))
    .map((file) => file.slice(folder.length + 1))
const runs = [
  ...BY_IMPORTS.map((folder) => [folder, inside(folder), (changed) => ['related', '--run', ...changed]]),
  [SERVER, inside(SERVER), (changed) => ['run', ...new Set(changed.map(filterFor))]],
  [DATABASE, files.filter((file) => DATABASE_FILES.test(file)), () => ['run']],
]
const passed = runs
  .filter(([, changed]) => changed.length > 0)
  .map(([folder, changed, args]) => run(folder, args(changed)))
process.exitCode = passed.every(Boolean) ? 0 : 1
