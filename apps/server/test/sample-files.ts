import { crc32, deflateRawSync } from 'node:zlib'

type Bytes = Uint8Array<ArrayBuffer>

const bytesOf = (...parts: (string | Uint8Array)[]): Bytes =>
  Uint8Array.from(Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part))))

/** A signature padded to `size` bytes. */
const padTo = (head: string, size: number): Bytes => bytesOf(head, Buffer.alloc(Math.max(0, size - head.length), 0x61))

export const png = (size = 100) => padTo('\x89PNG\r\n\x1a\n', size)
export const jpeg = () => padTo('\xff\xd8\xff\xe0', 100)
export const gif = () => padTo('GIF89a', 100)
export const pdf = (size = 100) => padTo('%PDF-1.7\n', size)
export const html = () => bytesOf('<!doctype html><script>alert(1)</script>')
export const text = (content: string) => bytesOf(content)

export interface ZipEntry {
  name: string
  /** In the Info-ZIP Unicode Path field, which programs prefer to the name. */
  unicodeName?: string
  /** The unpacked size in the central directory; the entry itself has a few bytes. */
  claimedSize?: number
  mode?: number
}
interface ZipOptions {
  comment?: string
  zip64?: boolean
}

const content = Buffer.from('hello')
const compressed = deflateRawSync(content)

const buildBuffer = (length: number, write: (buffer: Buffer) => void): Buffer => {
  const buffer = Buffer.alloc(length)
  write(buffer)
  return buffer
}

/** An extra field: id, length, data. */
const extraField = (id: number, data: Buffer): Buffer =>
  Buffer.concat([
    buildBuffer(4, (b) => {
      b.writeUInt16LE(id, 0)
      b.writeUInt16LE(data.length, 2)
    }),
    data,
  ])

const unicodePath = (name: string, unicodeName: string): Buffer =>
  Buffer.concat([
    buildBuffer(5, (b) => {
      b.writeUInt8(1, 0)
      b.writeUInt32LE(crc32(name), 1)
    }),
    Buffer.from(unicodeName),
  ])

function directoryEntry(
  { name, unicodeName, claimedSize = content.length, mode = 0o100644 }: ZipEntry,
  offset: number,
  zip64: boolean,
) {
  const rawName = Buffer.from(name)
  const extra = Buffer.concat([
    ...(zip64
      ? [
          extraField(
            1,
            buildBuffer(8, (b) => b.writeBigUInt64LE(BigInt(claimedSize), 0)),
          ),
        ]
      : []),
    ...(unicodeName === undefined ? [] : [extraField(0x7075, unicodePath(name, unicodeName))]),
  ])
  const head = buildBuffer(46, (b) => {
    b.writeUInt32LE(0x02014b50, 0)
    b.writeUInt8(3, 5)
    b.writeUInt16LE(8, 10)
    b.writeUInt32LE(crc32(content), 16)
    b.writeUInt32LE(compressed.length, 20)
    b.writeUInt32LE(zip64 ? 0xffffffff : claimedSize, 24)
    b.writeUInt16LE(rawName.length, 28)
    b.writeUInt16LE(extra.length, 30)
    b.writeUInt32LE((mode << 16) >>> 0, 38)
    b.writeUInt32LE(offset, 42)
  })
  return Buffer.concat([head, rawName, extra])
}

function localEntry({ name }: ZipEntry) {
  const rawName = Buffer.from(name)
  const head = buildBuffer(30, (b) => {
    b.writeUInt32LE(0x04034b50, 0)
    b.writeUInt16LE(20, 4)
    b.writeUInt16LE(8, 8)
    b.writeUInt32LE(crc32(content), 14)
    b.writeUInt32LE(compressed.length, 18)
    b.writeUInt32LE(content.length, 22)
    b.writeUInt16LE(rawName.length, 26)
  })
  return Buffer.concat([head, rawName, compressed])
}

/** An archive of small files with the given central directory. */
export function zip(entries: ZipEntry[], { comment = '', zip64 = false }: ZipOptions = {}): Bytes {
  const locals = entries.map(localEntry)
  let offset = 0
  const directory = Buffer.concat(
    entries.map((entry, n) => {
      const at = offset
      offset += locals[n]?.length ?? 0
      return directoryEntry(entry, at, zip64)
    }),
  )
  const end64 = buildBuffer(56, (b) => {
    b.writeUInt32LE(0x06064b50, 0)
    b.writeBigUInt64LE(44n, 4)
    b.writeBigUInt64LE(BigInt(entries.length), 24)
    b.writeBigUInt64LE(BigInt(entries.length), 32)
    b.writeBigUInt64LE(BigInt(directory.length), 40)
    b.writeBigUInt64LE(BigInt(offset), 48)
  })
  const locator = buildBuffer(20, (b) => {
    b.writeUInt32LE(0x07064b50, 0)
    b.writeBigUInt64LE(BigInt(offset + directory.length), 8)
    b.writeUInt32LE(1, 16)
  })
  const end = buildBuffer(22, (b) => {
    b.writeUInt32LE(0x06054b50, 0)
    b.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
    b.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
    b.writeUInt32LE(zip64 ? 0xffffffff : directory.length, 12)
    b.writeUInt32LE(zip64 ? 0xffffffff : offset, 16)
    b.writeUInt16LE(comment.length, 20)
  })
  return bytesOf(...locals, directory, ...(zip64 ? [end64, locator] : []), end, comment)
}
