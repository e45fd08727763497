import { randomBytes } from 'node:crypto'
import { limits } from '@community/contract'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { proofOfWorkHeader, solveProofOfWork } from '../../test/proof-of-work.ts'
import { createProofChallenge, verifyProof } from './proof-of-work.ts'
import { createSecret } from './secret.ts'

const secret = createSecret(randomBytes(32))

afterEach(() => vi.useRealTimers())

describe('a solved challenge', () => {
  it('is valid for its own purpose only', async () => {
    const challenge = await createProofChallenge(secret, 'reset')
    const header = proofOfWorkHeader(await solveProofOfWork(challenge))
    expect(await verifyProof(secret, header, 'reset')).toBe(challenge.parameters.nonce)
    expect(await verifyProof(secret, header, 'registration')).toBeNull()
  })

  it('is valid until it expires', async () => {
    const header = proofOfWorkHeader(await solveProofOfWork(await createProofChallenge(secret, 'reset')))
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + (limits.PROOF_OF_WORK_TTL - 5) * 1000)
    expect(await verifyProof(secret, header, 'reset')).not.toBeNull()
    vi.setSystemTime(Date.now() + 10_000)
    expect(await verifyProof(secret, header, 'reset')).toBeNull()
  })

  it('is valid only with the same secret', async () => {
    const header = proofOfWorkHeader(
      await solveProofOfWork(await createProofChallenge(createSecret(randomBytes(32)), 'reset')),
    )
    expect(await verifyProof(secret, header, 'reset')).toBeNull()
  })

  it('is invalid after any modification', async () => {
    const { challenge, solution } = await solveProofOfWork(await createProofChallenge(secret, 'reset'))
    const { parameters } = challenge
    const changed = [
      { ...parameters, expiresAt: parameters.expiresAt + 600 },
      { ...parameters, data: { purpose: 'registration' } },
      { ...parameters, cost: 1 },
      { ...parameters, nonce: parameters.nonce.toUpperCase() },
      { ...parameters, nonce: randomBytes(16).toString('hex') },
      { ...parameters, keyPrefix: solution.derivedKey.slice(0, 2) },
    ]
    for (const parameters of changed)
      for (const purpose of ['reset', 'registration'] as const)
        expect(
          await verifyProof(secret, proofOfWorkHeader({ challenge: { ...challenge, parameters }, solution }), purpose),
        ).toBeNull()
  })

  it('is invalid without the work', async () => {
    const challenge = await createProofChallenge(secret, 'reset')
    const { keyPrefix } = challenge.parameters
    for (const derivedKey of [keyPrefix, keyPrefix.padEnd(64, '0'), ''])
      expect(
        await verifyProof(secret, proofOfWorkHeader({ challenge, solution: { counter: 0, derivedKey } }), 'reset'),
      ).toBeNull()
  })
})

it.each(['', 'x', '{}', 'bnVsbA==', 'e30=', '\u0000', 'W10='.repeat(2000)])('rejects %j as a proof', async (header) => {
  expect(await verifyProof(secret, header, 'reset')).toBeNull()
})

it('requires one to two million iterations', async () => {
  const { challenge, solution } = await solveProofOfWork(await createProofChallenge(secret, 'reset'))
  const iterations = challenge.parameters.cost * solution.counter
  expect(iterations).toBeGreaterThanOrEqual(1_000_000)
  expect(iterations).toBeLessThanOrEqual(2_000_000)
})
