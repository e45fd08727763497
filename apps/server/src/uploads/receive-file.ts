import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { MultipartFile } from '@fastify/multipart'
import { appErrors, withMessage } from '@community/contract'
import { AppError, throwIf } from '../errors.ts'
import { cleanFileName } from './file-name.ts'
import { type FileType, SIGNATURE_BYTES, detectFileType } from './file-type.ts'

/** A completely received, accepted file. It is an unlinked temporary file, so that a crash leaves nothing behind. */
export interface ReceivedFile {
  originalName: string
  type: FileType
  size: number
  /** SHA-256 in hex; identifies a repeated upload. */
  hash: string
  read(): Readable
  close(): Promise<void>
}

async function openUnlinkedFile(): Promise<FileHandle> {
  const file = path.join(tmpdir(), `community-upload-${randomUUID()}`)
  const handle = await open(file, 'wx+', 0o600)
  await unlink(file)
  return handle
}

/**
 * Streams a file of a form to disk. Throws for an unsupported type, a file that is too large, an unsafe archive, and when the client
 * disconnects.
 */
export async function receiveFile(part: MultipartFile): Promise<ReceivedFile> {
  const handle = await openUnlinkedFile()
  try {
    const { type, size, hash } = await writeToDisk(part.file, handle)
    const read = () => handle.createReadStream({ start: 0, autoClose: false })
    if (type === 'application/zip') {
      // Loaded when needed, because it reads ZIP archives.
      const { whyZipRejected } = await import('./zip-check.ts')
      throwIf(await whyZipRejected(await buffer(read())))
    }
    return {
      // Busboy also takes a part of the type application/octet-stream for a file, which need not have a name.
      originalName: cleanFileName(part.filename, type),
      type,
      size,
      hash,
      read,
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function writeToDisk(file: MultipartFile['file'], handle: FileHandle) {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let type: FileType | null = null
  let size = 0
  for await (const chunk of readChunks(file)) {
    if (!type) {
      head = Buffer.concat([head, chunk.subarray(0, SIGNATURE_BYTES)])
      type = detectFileType(head)
      if (!type && head.length >= SIGNATURE_BYTES) throw new AppError(appErrors.fileTypeRefused)
    }
    hash.update(chunk)
    await handle.write(chunk)
    size += chunk.length
  }
  // Busboy truncates a file that is too large without an error.
  if (file.truncated) throw new AppError(appErrors.fileTooLarge)
  if (size === 0) throw new AppError(appErrors.fileRequired)
  if (!type) throw new AppError(appErrors.fileTypeRefused)
  return { type, size, hash: hash.digest('hex') }
}

/** An incomplete form is a client error or a lost connection. */
async function* readChunks(file: MultipartFile['file']): AsyncGenerator<Buffer> {
  try {
    yield* file as AsyncIterable<Buffer>
  } catch {
    throw new AppError(withMessage(appErrors.validation, 'The upload was interrupted'))
  }
}
