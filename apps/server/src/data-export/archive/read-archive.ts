import { Transform, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise } from 'yauzl'
import { ArchiveError, MANIFEST, type Manifest, parseManifest } from './manifest.ts'

const OBJECTS = 'objects/'
/** The longest row and manifest: the product writes no longer ones. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024

interface StoredEntry {
  key: string
  size: number
  contentType: string
  open: () => Promise<Readable>
}

export interface Archive {
  manifest: Manifest
  /** The lines of a table. Throws `ArchiveError` for a missing table and for damaged data. */
  lines(table: string): AsyncGenerator<string>
  objects(): AsyncGenerator<StoredEntry>
  close(): void
}

/** Fails at the end of a body that is not what was archived: yauzl compares the length only. */
function createCrcCheck({ crc32: expected, fileName }: Entry): Transform {
  let actual = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      actual = crc32(chunk, actual)
      done(null, chunk)
    },
    flush: (done) =>
      done(actual === expected ? null : new ArchiveError(`The archive is damaged at ${fileName}`, 'damaged')),
  })
}

const NEWLINE = 10

/** Lines end with LF only: other characters that `readline` breaks at are within rows. */
async function* splitLines(body: Readable): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of body) {
    const bytes: Buffer = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer])
    let start = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      yield bytes.toString('utf8', start, end)
      start = end + 1
    }
    rest = bytes.subarray(start)
    if (rest.length > TEXT_BYTES_MAX) throw new ArchiveError('The archive has a line that is too long', 'damaged')
  }
  if (rest.length > 0) throw new ArchiveError('The archive has an unfinished line', 'damaged')
}

const openZip = (file: string, label: string) =>
  openPromise(file, { autoClose: false, strictFileNames: true }).catch((error: Error) => {
    throw new ArchiveError(`${label} is not a complete archive: ${error.message}`)
  })

/** An error of the file system may pass, so it is not reported as damage. */
const asDamaged = (error: Error): Error =>
  'syscall' in error ? error : new ArchiveError('The archive is damaged', 'damaged', { cause: error })

/** Opens an archive on disk and reads its list of entries. Errors name it by `label`. Throws `ArchiveError` unless it is a complete one. */
export async function openArchive(file: string, label = file): Promise<Archive> {
  const zip = await openZip(file, label)
  const openEntry = async (entry: Entry, from = zip): Promise<Readable> => {
    const body = await from.openReadStreamPromise(entry).catch((error: Error) => {
      throw asDamaged(error)
    })
    const checked = createCrcCheck(entry)
    // Without a listener, an error before the caller reads would end the process. A later reader still gets it.
    checked.on('error', () => {})
    body.on('error', (error: Error) => checked.destroy(asDamaged(error)))
    return body.pipe(checked)
  }
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) if (!entry.fileName.startsWith(OBJECTS)) entries.set(entry.fileName, entry)
  const find = (name: string): Entry => {
    const entry = entries.get(name)
    if (!entry) throw new ArchiveError(`${label} is not an archive of this product: it has no ${name}`)
    return entry
  }
  const manifest = find(MANIFEST)
  if (manifest.uncompressedSize > TEXT_BYTES_MAX) throw new ArchiveError(`${label} has a ${MANIFEST} that is too long`)
  return {
    manifest: parseManifest(await text(await openEntry(manifest))),
    async *lines(table) {
      yield* splitLines(await openEntry(find(`tables/${table}.jsonl`)))
    },
    // A second reader, so that the list of objects is never in memory.
    async *objects() {
      const reader = await openZip(file, label)
      try {
        for await (const entry of reader.eachEntry())
          if (entry.fileName.startsWith(OBJECTS))
            yield {
              key: entry.fileName.slice(OBJECTS.length),
              size: entry.uncompressedSize,
              contentType: entry.fileComment,
              open: () => openEntry(entry, reader),
            }
      } finally {
        reader.close()
      }
    },
    close: () => zip.close(),
  }
}
