import { z } from 'zod'

/** What a proof of work is for; one for another purpose does not count. */
export const PROOF_PURPOSES = ['registration', 'reset', 'sign-in'] as const
export type ProofPurpose = (typeof PROOF_PURPOSES)[number]

const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/)

/** A challenge of ALTCHA's proof of work, version 2. */
export const ProofOfWorkChallenge = z
  .object({
    parameters: z.object({
      algorithm: z.literal('PBKDF2/SHA-256'),
      nonce: hex,
      salt: hex,
      cost: z.int().describe('Iterations of PBKDF2'),
      keyLength: z.int().describe('Bytes of a derived key'),
      keyPrefix: hex.describe('What the derived key must begin with'),
      keySignature: hex,
      expiresAt: z.int().describe('Unix time in seconds'),
      data: z.object({ purpose: z.enum(PROOF_PURPOSES) }),
    }),
    signature: hex,
  })
  .meta({
    id: 'ProofOfWorkChallenge',
    description: [
      'Find the smallest counter from 0 for which PBKDF2 (HMAC-SHA-256, `salt`, `cost` iterations, `keyLength` bytes) of the bytes of `nonce`',
      'followed by the counter as four bytes, big-endian, begins with `keyPrefix`. Then repeat the refused call with the header `X-Proof-Of-Work`:',
      'the base64 of the JSON `{ challenge, solution: { counter, derivedKey } }`, with this whole object as `challenge` and the key in hex.',
      'A solution counts once, before `expiresAt`, for the purpose it was asked for.',
    ].join(' '),
  })
export type ProofOfWorkChallenge = z.output<typeof ProofOfWorkChallenge>

/** What the header `X-Proof-Of-Work` carries, as base64 of its JSON. */
export const ProofOfWork = z.object({
  challenge: ProofOfWorkChallenge,
  solution: z.object({ counter: z.int().min(0), derivedKey: hex }),
})
