import { availableParallelism } from 'node:os'
import { hash as argonHash, verify as argonVerify } from '@node-rs/argon2'
import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** For null it compares with a dummy hash, in the same time, and returns false. */
  verify(hash: string | null, password: string): Promise<boolean>
  /** Whether the hash uses outdated parameters. */
  needsRehash(hash: string): boolean
  /** Running and queued hashes. */
  load(): { running: number; waiting: number }
}

/** OWASP's parameters for argon2id (2 in this library's numbering): 19 MiB, two passes, one lane. */
const PARAMETERS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$'
/** With a hash that no password has: not computed, because each start would take as long as a sign-in. */
const DUMMY = `${PREFIX}AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`

interface PasswordHasherOptions {
  /** Concurrent hashes; the other cores keep serving requests. */
  parallel?: number
  /** Maximum queue length: three to five seconds of work, within a client's timeout. Beyond it `unavailable` is thrown. */
  queue?: number
}

/** Password hashing with a bounded queue, so that many sign-ins at once do not slow down other requests. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const parallel = options.parallel ?? Math.min(4, Math.max(1, availableParallelism() - 1))
  const limiter = createConcurrencyLimiter({
    max: parallel,
    maxWaiting: options.queue ?? parallel * 150,
    maxWaitMs: Infinity,
  })

  // One client, because the person is not known yet: first come, first served.
  const runQueued = <T>(work: () => Promise<T>) => limiter.run('', work)
  const computeHash = (password: string) => argonHash(password, PARAMETERS)
  return {
    hash: (password) => runQueued(() => computeHash(password)),
    async verify(hash, password) {
      const matches = await runQueued(() => argonVerify(hash ?? DUMMY, password))
      return hash !== null && matches
    },
    needsRehash: (stored) => !stored.startsWith(PREFIX),
    load: () => {
      const { used, waiting } = limiter.load()
      return { running: used, waiting }
    },
  }
}
