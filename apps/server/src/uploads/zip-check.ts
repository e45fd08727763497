import { type ErrorDefinition, appErrors, withMessage } from '@community/contract'

/** Reads part of a file; shorter at its end. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

export const ZIP_ENTRIES_MAX = 10_000
export const ZIP_UNPACKED_BYTES_MAX = 1024 ** 3
/** Bytes of a central directory that is worth reading: 10,000 entries with long names. */
const DIRECTORY_BYTES_MAX = 4 * 1024 ** 2

const END = 0x06054b50
const END_BYTES = 22
const COMMENT_BYTES_MAX = 0xffff
const LOCATOR64 = 0x07064b50
const LOCATOR64_BYTES = 20
const END64 = 0x06064b50
const END64_BYTES = 56
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const IN_ZIP64 = 0xffffffff
const ZIP64_EXTRA = 1
const MADE_BY_UNIX = 3
const FILE_KIND = 0o170000
const SYMLINK = 0o120000

interface Directory {
  start: number
  size: number
}
interface Entry {
  name: Buffer
  unpackedSize: number
  isSymlink: boolean
}

const damaged = withMessage(appErrors.fileTypeRefused, 'This ZIP file cannot be accepted: it is damaged')
const tooMany = withMessage(
  appErrors.fileTypeRefused,
  'This ZIP file cannot be accepted: it holds more than 10,000 files',
)
const tooLarge = withMessage(
  appErrors.fileTypeRefused,
  'This ZIP file cannot be accepted: it is larger than 1 GB when unpacked',
)
const linked = withMessage(appErrors.fileTypeRefused, 'This ZIP file cannot be accepted: it holds links')
const unsafe = withMessage(appErrors.fileTypeRefused, 'This ZIP file cannot be accepted: it holds unsafe file names')
const empty = withMessage(appErrors.fileTypeRefused, 'This ZIP file cannot be accepted: it is empty')

/**
 * Why an archive is refused, by its central directory alone; null when it is fine. It is never unpacked here: this keeps
 * those who do unpack it from bombs, from links and from names that lead out of the folder.
 */
export async function whyZipRefused(read: ReadAt, fileSize: number): Promise<ErrorDefinition | null> {
  const found = await findDirectory(read, fileSize)
  if (!found || found.start + found.size > fileSize || found.size > DIRECTORY_BYTES_MAX) return damaged
  const directory = await read(found.start, found.size)
  let entries = 0
  let unpacked = 0
  for (const entry of entriesOf(directory)) {
    if (!entry) return damaged
    entries++
    unpacked += entry.unpackedSize
    if (entries > ZIP_ENTRIES_MAX) return tooMany
    if (unpacked > ZIP_UNPACKED_BYTES_MAX) return tooLarge
    if (entry.isSymlink) return linked
    if (leadsOut(entry.name)) return unsafe
  }
  return entries === 0 ? empty : null
}

async function findDirectory(read: ReadAt, fileSize: number): Promise<Directory | null> {
  const tailStart = Math.max(0, fileSize - END_BYTES - COMMENT_BYTES_MAX)
  const tail = await read(tailStart, fileSize - tailStart)
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END) continue
    if (at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue
    const size = tail.readUInt32LE(at + 12)
    const start = tail.readUInt32LE(at + 16)
    if (size !== IN_ZIP64 && start !== IN_ZIP64) return { start, size }
    return findDirectory64(read, tailStart + at)
  }
  return null
}

/** The wide form, which some programs write for small archives too. */
async function findDirectory64(read: ReadAt, endAt: number): Promise<Directory | null> {
  const locator = endAt >= LOCATOR64_BYTES ? await read(endAt - LOCATOR64_BYTES, LOCATOR64_BYTES) : Buffer.alloc(0)
  if (locator.length < LOCATOR64_BYTES || locator.readUInt32LE(0) !== LOCATOR64) return null
  const position = Number(locator.readBigUInt64LE(8))
  if (!Number.isSafeInteger(position) || position > endAt) return null
  const end = await read(position, END64_BYTES)
  if (end.length < END64_BYTES || end.readUInt32LE(0) !== END64) return null
  return { size: Number(end.readBigUInt64LE(40)), start: Number(end.readBigUInt64LE(48)) }
}

/** Entry by entry; null, and no more, where the directory is torn. */
function* entriesOf(directory: Buffer): Generator<Entry | null> {
  let at = 0
  while (at < directory.length) {
    const isWhole = at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY
    const nameBytes = isWhole ? directory.readUInt16LE(at + 28) : 0
    const extraBytes = isWhole ? directory.readUInt16LE(at + 30) : 0
    const next = at + ENTRY_BYTES + nameBytes + extraBytes + (isWhole ? directory.readUInt16LE(at + 32) : 0)
    if (!isWhole || next > directory.length) {
      yield null
      return
    }
    const extraAt = at + ENTRY_BYTES + nameBytes
    const size = directory.readUInt32LE(at + 24)
    const mode = directory.readUInt32LE(at + 38) >>> 16
    yield {
      name: directory.subarray(at + ENTRY_BYTES, extraAt),
      unpackedSize: size === IN_ZIP64 ? size64(directory.subarray(extraAt, extraAt + extraBytes)) : size,
      isSymlink: directory.readUInt8(at + 5) === MADE_BY_UNIX && (mode & FILE_KIND) === SYMLINK,
    }
    at = next
  }
}

function size64(extra: Buffer): number {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === ZIP64_EXTRA && length >= 8 && at + 12 <= extra.length)
      return Number(extra.readBigUInt64LE(at + 4))
    at += 4 + length
  }
  return IN_ZIP64
}

function leadsOut(name: Buffer): boolean {
  const path = name.toString('latin1').replaceAll('\\', '/')
  // Control characters hide what a name is; a drive or a slash at its start leads out of any folder.
  return /[\u0000-\u001f\u007f]/.test(path) || /^(?:\/|[A-Za-z]:)/.test(path) || path.split('/').includes('..')
}
