import { LRUCache } from 'lru-cache'

/** A cache of at most `max` entries, least recently used out first. The class's own `max` reserves memory for all of them at once. */
export const createLruCache = <V extends object | string | true>(max: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1 })
