import { z } from 'zod'
import { Count } from '../primitives.ts'

/** A solution is only valid for the purpose it was requested for. */
export const PROOF_PURPOSES = ['registration', 'reset', 'sign-in'] as const
export type ProofPurpose = (typeof PROOF_PURPOSES)[number]

const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/)

/** An ALTCHA v2 proof-of-work challenge. */
export const ProofOfWorkChallenge = z
  .object({
    parameters: z.object({
      algorithm: z.literal('PBKDF2/SHA-256'),
      nonce: hex,
      salt: hex,
      cost: Count.describe('Iterations of PBKDF2'),
      keyLength: Count.describe('Bytes of a derived key'),
      keyPrefix: hex.describe('The prefix that the derived key must have'),
      keySignature: hex,
      expiresAt: Count.describe('Unix time in seconds'),
      data: z.object({ purpose: z.enum(PROOF_PURPOSES) }),
    }),
    signature: hex,
  })
  .meta({
    id: 'ProofOfWorkChallenge',
    description: [
      'Find the smallest counter from 0 for which PBKDF2 (HMAC-SHA-256, `salt`, `cost` iterations, `keyLength` bytes) of the bytes of `nonce`',
      'followed by the counter as four bytes, big-endian, begins with `keyPrefix`. Then repeat the rejected request with the header `X-Proof-Of-Work`:',
      'the base64 of the JSON `{ challenge, solution: { counter, derivedKey } }`, where `challenge` is this whole object and the key is in hex.',
      'A solution is valid once, until `expiresAt`, for the purpose it was requested for.',
    ].join(' '),
  })
export type ProofOfWorkChallenge = z.output<typeof ProofOfWorkChallenge>

/** The decoded `X-Proof-Of-Work` header: JSON in base64. */
export const ProofOfWork = z.object({
  challenge: ProofOfWorkChallenge,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex }),
})
