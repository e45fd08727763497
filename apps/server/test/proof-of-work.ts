import type { ProofOfWorkChallenge } from '@community/contract'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'

/** Solves a challenge like a client. */
export async function solveProofOfWork(challenge: ProofOfWorkChallenge) {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('the challenge was not solved in time')
  return { challenge, solution }
}

/** The value of `X-Proof-Of-Work`. */
export const proofOfWorkHeader = (proof: object): string => Buffer.from(JSON.stringify(proof)).toString('base64')
