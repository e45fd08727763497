import { availableParallelism } from 'node:os'
import { hash as argonHash } from '@node-rs/argon2'
import { describe, expect, it } from 'vitest'
import { toFailure } from '../http/failure.ts'
import { createPasswordHasher } from './passwords.ts'

const passwords = createPasswordHasher()

describe('hashes', () => {
  it('are salted argon2id with OWASP’s parameters', async () => {
    const [first, second] = await Promise.all([passwords.hash('Zellige-2026'), passwords.hash('Zellige-2026')])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
    expect(await passwords.verify(first, 'Zellige-2026')).toBe(true)
    expect(await passwords.verify(first, 'Zellige-2027')).toBe(false)
  })

  it('cover the whole password in any script', async () => {
    const long = `${'كلمة السر '.repeat(12)}A1a`
    const hash = await passwords.hash(long)
    expect(await passwords.verify(hash, long)).toBe(true)
    expect(await passwords.verify(hash, `${long}b`)).toBe(false)
  })

  it('report outdated parameters', async () => {
    const older = await argonHash('Zellige-2026', { memoryCost: 8192, timeCost: 2, parallelism: 1 })
    expect(passwords.needsRehash(older)).toBe(true)
    expect(passwords.needsRehash(await passwords.hash('Zellige-2026'))).toBe(false)
    expect(await passwords.verify(older, 'Zellige-2026')).toBe(true)
  })
})

it('compares with a hash in place of null, so that both take as long', async () => {
  const limited = createPasswordHasher({ parallel: 1, queue: 0 })
  expect(await limited.verify(null, 'nobody has this password')).toBe(false)
  // While the only place is taken there is none for the comparison.
  const hashing = limited.hash('Zellige-2026')
  await expect(limited.verify(null, 'Zellige-2026')).rejects.toMatchObject({ definition: { code: 'UNAVAILABLE' } })
  await hashing
})

it('runs `parallel` hashes, queues `queue` and rejects the rest with a cooldown', async () => {
  const limited = createPasswordHasher({ parallel: 1, queue: 3 })
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => limited.hash('Zellige-2026')))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected')
      expect(toFailure(outcome.reason)).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', cooldown: 2 } })
  // The queue is free again afterwards.
  await expect(Promise.all([limited.hash('a'), limited.hash('b'), limited.hash('c')])).resolves.toHaveLength(3)
})

it('leaves one core free and runs at most four hashes at once', async () => {
  const hashes = Array.from({ length: 10 }, () => passwords.hash('Zellige-2026'))
  const { running, waiting } = passwords.load()
  expect(running).toBe(Math.min(4, Math.max(1, availableParallelism() - 1)))
  expect(running + waiting).toBe(10)
  await Promise.all(hashes)
})

it('does not block the event loop while hashing', async () => {
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  await Promise.all(Array.from({ length: 10 }, () => passwords.hash('Zellige-2026')))
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(10)
})
