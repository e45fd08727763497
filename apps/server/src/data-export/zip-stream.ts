import { addAbortSignal, type Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

interface EntryOptions {
  size?: number
  mtime?: Date
  compress?: boolean
  /** Stored with the entry. */
  fileComment?: string
}
/** Writes an entry, and resolves once its body is read. */
export type AddEntry = (body: Readable, path: string, options?: EntryOptions) => Promise<void>

/**
 * A ZIP archive of what `write` adds, one entry at a time: one body is open. The stream fails where something cannot be read, so an
 * archive that ends is complete; destroying it closes the body. It fails after `maxDurationMs`.
 */
export function zipStream(write: (add: AddEntry) => Promise<void>, { maxDurationMs }: { maxDurationMs?: number } = {}) {
  const zip = new ZipFile()
  // A PassThrough; yazl's types declare only the interface.
  const output = zip.outputStream as Readable
  const closed = new AbortController()
  const timer =
    maxDurationMs === undefined
      ? undefined
      : setTimeout(() => output.destroy(new Error('The download took too long')), maxDurationMs).unref()
  output.once('close', () => {
    clearTimeout(timer)
    closed.abort()
  })
  zip.on('error', (error: Error) => output.destroy(error))

  const add: AddEntry = async (body, path, options = {}) => {
    addAbortSignal(closed.signal, body)
    zip.addReadStream(body, path, options)
    await finished(body, { cleanup: true })
  }
  write(add).then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  )
  return output
}
