import { z } from 'zod'
import { route } from '../route.ts'
import { PROOF_PURPOSES, ProofOfWorkChallenge } from './proof-of-work.ts'

/** Proof of work against automated mailing; not in the specification. */
export const proofOfWorkRoutes = {
  proofOfWork: route('GET /auth/proof-of-work', {
    access: 'visitor',
    beyondSpecification: true,
    ignoresToken: true,
    summary: 'A challenge to solve before repeating a request rejected with PROOF_OF_WORK_REQUIRED',
    input: z.object({ purpose: z.enum(PROOF_PURPOSES).describe('The error’s `proofOfWork`') }),
    output: z.object({ challenge: ProofOfWorkChallenge }),
  }),
}
