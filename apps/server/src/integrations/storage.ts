import type { Readable } from 'node:stream'

export interface StoredObject {
  /** Bytes of the whole object. */
  size: number
  contentType: string
}

/** Bytes `start` to `end`, inclusive; to the last byte without `end`. `start` must lie within the object. */
export interface ByteRange {
  start: number
  end?: number | undefined
}

/** Object bodies that can be open at once, however slow their readers are; opening more waits. */
export const OPEN_BODIES_MAX = 200

/** Object storage. Keys consist of letters, digits, `-`, `_` and `/`. */
export interface Storage {
  /**
   * Stores or replaces an object atomically.
   * @throws RangeError when the body has more or fewer bytes than `size`
   */
  put(key: string, body: Buffer | Readable, meta: { contentType: string; size: number }): Promise<void>
  /** Null when there is no such object. */
  open(key: string, range?: ByteRange): Promise<(StoredObject & { body: Readable }) | null>
  head(key: string): Promise<(StoredObject & { modifiedAt: Date }) | null>
  /** Resolves also for a missing object. */
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<{ key: string; size: number; modifiedAt: Date }>
  /** Deletes what interrupted uploads have left, if it was last written before the date. Absent if they leave nothing. */
  removeDrafts?(before: Date): Promise<void>
  /** Throws if the storage is unavailable. */
  check(): Promise<void>
}

/**
 * The storage is unreachable, or an operation failed. `scope` is `object` if the reason is this one object, so that operations on others
 * may succeed.
 */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable'

  constructor(
    cause: unknown,
    readonly scope: 'storage' | 'object' = 'storage',
  ) {
    super(scope === 'object' ? 'The object is unavailable' : 'The storage is unavailable', { cause })
  }
}

const KEY = /^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/

/** The folder of a prefix: everything up to its last slash. */
export function folderOfPrefix(prefix: string): string {
  if (!/^[A-Za-z0-9_/-]*$/.test(prefix)) throw new TypeError('Not a storage prefix')
  return prefix.slice(0, prefix.lastIndexOf('/') + 1)
}

/** Returns the key; throws if it is invalid, for example a path traversal. */
export function checkKey(key: string): string {
  if (key.length > 200 || !KEY.test(key)) throw new TypeError('Not a storage key')
  return key
}
