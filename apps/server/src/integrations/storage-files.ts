import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { checkKey, type Storage, StorageAway, type StoredObject } from './storage.ts'

/** Every file begins with its content type, padded: one write, one rename, nothing beside it to get out of step. */
const HEADER_BYTES = 128

const headerOf = (contentType: string): Buffer => {
  const header = Buffer.alloc(HEADER_BYTES, ' ')
  header.write(contentType, 0, HEADER_BYTES - 1, 'latin1')
  header.write('\n', HEADER_BYTES - 1)
  return header
}

const isMissing = (error: unknown) => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Files under a folder: the embedded default, behind the same interface as S3. */
export function createFileStorage(folder: string): Storage {
  const fileOf = (key: string) => path.join(folder, ...checkKey(key).split('/'))

  async function headOf(handle: FileHandle): Promise<StoredObject> {
    const header = Buffer.alloc(HEADER_BYTES)
    await handle.read(header, 0, HEADER_BYTES, 0)
    const { size } = await handle.stat()
    return { contentType: header.toString('latin1').trim(), size: size - HEADER_BYTES }
  }

  async function opened<T>(key: string, use: (handle: FileHandle) => Promise<T>): Promise<T | null> {
    try {
      const handle = await open(fileOf(key), 'r')
      try {
        return await use(handle)
      } finally {
        await handle.close()
      }
    } catch (error) {
      if (isMissing(error)) return null
      throw error instanceof TypeError ? error : new StorageAway(error)
    }
  }

  async function write(draft: string, body: Buffer | Readable, contentType: string, size: number): Promise<void> {
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.write(headerOf(contentType))
      let written = 0
      for await (const chunk of Buffer.isBuffer(body) ? [body] : body) {
        await handle.write(chunk as Buffer)
        written += (chunk as Buffer).length
      }
      if (written !== size) throw new RangeError(`${written} bytes came, ${size} were announced`)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async function* walk(at: string, prefix: string): AsyncIterable<{ key: string; size: number; modifiedAt: Date }> {
    const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw new StorageAway(error)
    })
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = path.join(at, entry.name)
      const key = path.relative(folder, file).split(path.sep).join('/')
      if (entry.isDirectory()) yield* walk(file, prefix)
      else if (key.startsWith(prefix) && !entry.name.startsWith('.')) {
        const { size, mtime } = await stat(file)
        yield { key, size: size - HEADER_BYTES, modifiedAt: mtime }
      }
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
      } catch (error) {
        await rm(draft, { force: true })
        throw error instanceof RangeError ? error : new StorageAway(error)
      }
    },
    open: (key, range) =>
      opened(key, async (handle) => {
        const head = await headOf(handle)
        const start = HEADER_BYTES + (range?.start ?? 0)
        const end = HEADER_BYTES + Math.min(range?.end ?? head.size - 1, head.size - 1)
        const body = end < start ? Readable.from([]) : createReadStream(fileOf(key), { start, end })
        return { ...head, body }
      }),
    head: (key) => opened(key, headOf),
    async remove(key) {
      await rm(fileOf(key), { force: true }).catch((error: unknown) => {
        throw new StorageAway(error)
      })
    },
    list: (prefix) => walk(folder, prefix),
    async check() {
      await mkdir(folder, { recursive: true }).catch((error: unknown) => {
        throw new StorageAway(error)
      })
    },
  }
}
