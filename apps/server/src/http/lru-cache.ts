import { LRUCache } from 'lru-cache'

/** A cache of `max` entries that evicts the least recently used. LRUCache's option `max` would reserve memory for all of them at once. */
export const createLruCache = <V extends object | string>(max: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
