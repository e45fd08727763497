import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { checkKey, folderOfPrefix, type Storage, StorageUnavailable, type StoredObject } from './storage.ts'

/** Every file begins with its padded content type, so that content and type are written atomically. */
const HEADER_BYTES = 128

const createHeader = (contentType: string): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES, ' ')
  header.write(contentType, 0, HEADER_BYTES - 1, 'latin1')
  header.write('\n', HEADER_BYTES - 1)
  return header
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''
const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
/** Codes of errors that one file may have: wrong permissions, or a folder in its place. */
const OBJECT_ERRORS = ['EACCES', 'EPERM', 'EISDIR', 'ERR_FS_EISDIR']
/** The names that `put` gives to files until they are complete. */
const DRAFT = /^\.[0-9a-f-]{36}$/

/** Storage in a folder, the default without S3. */
export function createFileStorage(folder: string): Storage {
  const fileOf = (key: string) => path.join(folder, ...checkKey(key).split('/'))

  async function readHead(handle: FileHandle): Promise<StoredObject & { modifiedAt: Date }> {
    const header = Buffer.alloc(HEADER_BYTES)
    await handle.read(header, 0, HEADER_BYTES, 0)
    const { size, mtime } = await handle.stat()
    return { contentType: header.toString('latin1').trim(), size: size - HEADER_BYTES, modifiedAt: mtime }
  }

  /** The error counts as an outage unless it may be of one file and the storage's folder is writable. */
  async function failureOf(error: unknown): Promise<StorageUnavailable> {
    const isOfObject = OBJECT_ERRORS.includes(codeOf(error)) && (await isWritable())
    return new StorageUnavailable(error, isOfObject ? 'object' : 'storage')
  }
  const isWritable = () =>
    access(folder, constants.W_OK).then(
      () => true,
      () => false,
    )

  async function openFile(key: string): Promise<FileHandle | null> {
    try {
      return await open(fileOf(key), 'r')
    } catch (error) {
      if (isMissing(error)) return null
      throw error instanceof TypeError ? error : await failureOf(error)
    }
  }

  /** Makes a rename durable; ignored on systems where folders cannot be opened. */
  async function syncFolder(folderPath: string): Promise<void> {
    const handle = await open(folderPath, 'r').catch(() => null)
    await handle?.sync().catch(() => {})
    await handle?.close()
  }

  async function write(draft: string, body: Buffer | Readable, contentType: string, size: number): Promise<void> {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.write(createHeader(contentType))
      let written = 0
      for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
        await handle.write(chunk as Buffer)
        written += (chunk as Buffer).length
      }
      if (written !== size) throw new RangeError(`${written} bytes received, ${size} declared`)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** The paths of all files below a folder, in order. */
  async function* walk(at: string): AsyncIterable<string> {
    const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw new StorageUnavailable(error)
    })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(at, entry.name)
      if (entry.isDirectory()) yield* walk(file)
      else yield file
    }
  }
  /** Null if the file was removed concurrently. */
  const findStats = (file: string) => stat(file).catch(() => null)

  async function* listObjects(prefix: string): ReturnType<Storage['list']> {
    for await (const file of walk(path.join(folder, folderOfPrefix(prefix)))) {
      const key = path.relative(folder, file).split(path.sep).join('/')
      if (!key.startsWith(prefix) || path.basename(file).startsWith('.')) continue
      const found = await findStats(file)
      if (found) yield { key, size: found.size - HEADER_BYTES, modifiedAt: found.mtime }
    }
  }

  return {
    async put(key, body, { contentType, size }) {
      const file = fileOf(key)
      const draft = path.join(path.dirname(file), `.${randomUUID()}`)
      try {
        await mkdir(path.dirname(file), { recursive: true })
        await write(draft, body, contentType, size)
        await rename(draft, file)
        await syncFolder(path.dirname(file))
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {}) // May fail for the same reason as the write.
        throw error instanceof RangeError ? error : new StorageUnavailable(error)
      }
    },
    async open(key, range) {
      const handle = await openFile(key)
      if (!handle) return null
      try {
        const head = await readHead(handle)
        const start = HEADER_BYTES + (range?.start ?? 0)
        const end = HEADER_BYTES + Math.min(range?.end ?? head.size - 1, head.size - 1)
        if (end >= start) return { ...head, body: handle.createReadStream({ start, end }) }
        await handle.close()
        return { ...head, body: Readable.from([]) }
      } catch (error) {
        await handle.close()
        throw await failureOf(error)
      }
    },
    async head(key) {
      const handle = await openFile(key)
      if (!handle) return null
      try {
        return await readHead(handle)
      } catch (error) {
        throw await failureOf(error)
      } finally {
        await handle.close()
      }
    },
    async remove(key) {
      await rm(fileOf(key), { force: true }).catch(async (error: unknown) => {
        throw await failureOf(error)
      })
    },
    list: listObjects,
    async removeDrafts(before) {
      for await (const file of walk(folder)) {
        if (!DRAFT.test(path.basename(file))) continue
        const found = await findStats(file)
        if (found && found.mtime < before) await rm(file, { force: true })
      }
    },
    async check() {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await access(folder, constants.W_OK)
      } catch (error) {
        throw new StorageUnavailable(error)
      }
    },
  }
}
