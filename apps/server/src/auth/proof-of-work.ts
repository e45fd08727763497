import { limits, ProofOfWork, type ProofOfWorkChallenge, type ProofPurpose } from '@community/contract'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Secret } from './secret.ts'

/** One to two million iterations: half a second on a desktop core, one to two seconds on a cheap phone. */
const COST = 5000
const COUNTER = { min: 200, max: 400 } as const

const hmacSecrets = (secret: Secret) => ({
  hmacSignatureSecret: secret.hmac('proof-of-work', 'challenge'),
  hmacKeySignatureSecret: secret.hmac('proof-of-work', 'solution'),
})

/** A new signed challenge; nothing is stored. */
export async function createProofChallenge(secret: Secret, purpose: ProofPurpose): Promise<ProofOfWorkChallenge> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    counter: randomInt(COUNTER.max, COUNTER.min),
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1000) + limits.PROOF_OF_WORK_TTL,
    data: { purpose },
    ...hmacSecrets(secret),
  })
  // altcha-lib fills in every field because both secrets are given; the route's output schema checks it.
  return challenge as ProofOfWorkChallenge
}

function parseHeader(header: string) {
  try {
    return ProofOfWork.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}

/** The nonce of the challenge that the header solves for this purpose; null if invalid. Does not check for reuse. */
export async function verifyProof(secret: Secret, header: string, purpose: ProofPurpose): Promise<string | null> {
  const proof = parseHeader(header)
  if (!proof || proof.challenge.parameters.data.purpose !== purpose) return null
  const { verified } = await verifySolution({ ...proof, deriveKey, ...hmacSecrets(secret) })
  return verified ? proof.challenge.parameters.nonce : null
}
