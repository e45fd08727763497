import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ConfigError } from '../config.ts'
import { describeError, unusableSetting } from './setting-errors.ts'

const REQUIREMENT = 'it must be a folder that this process can create and write to'
const errorCode = (error: unknown) => (error as NodeJS.ErrnoException).code

/** The error for an entry of DATA_DIR that cannot be used. */
export const unusableDataDir = (dataDir: string, what: string, error: unknown): ConfigError =>
  unusableSetting('DATA_DIR', `${what} cannot be stored under ${dataDir}: ${describeError(error)}`)

/** Like `mkdir` with `recursive`, which never returns under /proc. */
async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder)
  } catch (error) {
    const existing = await stat(folder).catch(() => null)
    if (existing?.isDirectory()) return
    if (existing) throw unusableSetting('DATA_DIR', `${folder} is a file; ${REQUIREMENT}`)
    const parent = path.dirname(folder)
    // The parent exists, but nothing can be created in it.
    if ((await stat(parent).catch(() => null))?.isDirectory()) throw error
    await createFolder(parent)
    await mkdir(folder).catch((reason: unknown) => {
      if (errorCode(reason) !== 'EEXIST') throw reason
    })
  }
}

/** Creates the folder for the embedded services; throws `ConfigError` if it is not writable. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  const probe = path.join(dataDir, `.probe-${randomUUID()}`)
  try {
    await createFolder(dataDir)
    await writeFile(probe, 'can this be written?')
    await rm(probe)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw unusableSetting(
      'DATA_DIR',
      `${dataDir} cannot be written to (${errorCode(error) ?? describeError(error)}); ${REQUIREMENT}`,
    )
  }
}

const SECRET_BYTES_MIN = 32

/** The secret of this installation, generated once and stored in DATA_DIR. */
export async function loadOrCreateSecret(dataDir: string): Promise<Buffer> {
  const file = path.join(dataDir, 'app-secret')
  try {
    const stored = await readFile(file).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null
      throw error
    })
    if (stored && stored.length >= SECRET_BYTES_MIN) return stored
    if (stored) throw new Error(`${file} is too short: delete it, or set APP_SECRET`)
    const draft = `${file}.${process.pid}`
    await writeFile(draft, randomBytes(SECRET_BYTES_MIN).toString('base64url'), { mode: 0o600 })
    await rename(draft, file)
    await chmod(file, 0o600)
    return await readFile(file)
  } catch (error) {
    throw unusableDataDir(dataDir, 'the secret of this installation', error)
  }
}
