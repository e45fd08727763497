import type { Readable } from 'node:stream'

export interface StoredObject {
  /** Bytes of the whole object. */
  size: number
  contentType: string
}

/** Bytes `start` to `end`, both included; to the last one when `end` is left out. `start` lies within the object. */
export interface ByteRange {
  start: number
  end?: number | undefined
}

/** Bodies of objects that may be read at once, each as slowly as its reader likes; whoever opens more waits. */
export const BODIES_AT_ONCE = 200

/** Where files are kept. Keys are our own: letters, digits, `-`, `_` and `/`. */
export interface Storage {
  /**
   * Stores an object whole or not at all; one of the same key is replaced.
   * @throws RangeError when the body has more or fewer bytes than `size`
   */
  put(key: string, body: Buffer | Readable, meta: { contentType: string; size: number }): Promise<void>
  /** Null when there is no such object. */
  open(key: string, range?: ByteRange): Promise<(StoredObject & { body: Readable }) | null>
  head(key: string): Promise<StoredObject | null>
  /** A missing object is fine. */
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<{ key: string; size: number; modifiedAt: Date }>
  /** Throws when the storage cannot be reached. */
  check(): Promise<void>
}

/** The storage cannot be reached, or did not do what it was asked. */
export class StorageAway extends Error {
  override readonly name = 'StorageAway'

  constructor(cause: unknown) {
    super('The storage is away', { cause })
  }
}

const KEY = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/

/** The folder-like part of a prefix, which is one of our keys cut anywhere. */
export function folderOfPrefix(prefix: string): string {
  if (!/^[A-Za-z0-9_/-]*$/.test(prefix)) throw new TypeError('Not a storage prefix')
  return prefix.slice(0, prefix.lastIndexOf('/') + 1)
}

/** Throws on a key that could lead anywhere but to an object of ours. */
export function checkKey(key: string): string {
  if (key.length > 200 || !KEY.test(key)) throw new TypeError('Not a storage key')
  return key
}
