import { availableParallelism } from 'node:os'
import { appErrors } from '@community/contract'
import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2'
import { AppError } from '../errors.ts'

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** Compares; for nobody's hash (null) takes the same time and says no. */
  verify(hash: string | null, password: string): Promise<boolean>
  /** Was it made with other parameters than today's? */
  needsRehash(hash: string): boolean
  /** How many are being hashed, and how many wait. */
  load(): { running: number; waiting: number }
}

/** OWASP's parameters for argon2id (2 in this library's numbering): 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'

export interface PasswordHasherOptions {
  /** Hashes at once; the other cores keep answering. */
  parallel?: number
  /** Hashes that may wait: three to five seconds of work, well within a client's patience. Beyond it the answer is 503. */
  queue?: number
}

/** Password hashing with a bounded line of waiters: many sign-ins at once slow one another, and nobody else. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const parallel = options.parallel ?? Math.min(4, Math.max(1, availableParallelism() - 1))
  const queue = options.queue ?? parallel * 150
  const waiting: (() => void)[] = []
  let running = 0

  async function runQueued<T>(work: () => Promise<T>): Promise<T> {
    if (running >= parallel) {
      if (waiting.length >= queue) throw new AppError(appErrors.unavailable)
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place passes on without being free in between.
      if (next) next()
      else running--
    }
  }

  // Made at once: the first sign-in of an unknown address must take no longer than the second.
  const dummy = argonHash('nobody has this password', PARAMETERS)
  return {
    hash: (password) => runQueued(() => argonHash(password, PARAMETERS)),
    async verify(hash, password) {
      const compared = hash ?? (await dummy)
      const matches = await runQueued(() => argonVerify(compared, password))
      return hash !== null && matches
    },
    needsRehash: (hash) => !hash.startsWith(PREFIX),
    load: () => ({ running, waiting: waiting.length }),
  }
}
