import type { ProofOfWorkChallenge } from '@community/contract'
import { solveChallengeWorkers } from 'altcha/lib'
import Solver from 'altcha/workers/pbkdf2?worker'

const WORKERS_MAX = 4
const TIMEOUT_MS = 60_000

/** Solves a challenge in workers. Returns the value of the header `X-Proof-Of-Work`; throws after a minute. */
export async function proofFor(challenge: ProofOfWorkChallenge): Promise<string> {
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(navigator.hardwareConcurrency || 1, WORKERS_MAX),
    createWorker: () => new Solver(),
    timeout: TIMEOUT_MS,
  })
  if (!solution) throw new Error('The challenge was not solved in time')
  return btoa(JSON.stringify({ challenge, solution }))
}
