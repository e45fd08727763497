import { z } from 'zod'
import { route } from '../route.ts'
import { PROOF_PURPOSES, ProofOfWorkChallenge } from './proof-of-work.ts'

/** Beyond the specification: what a call refused with PROOF_OF_WORK_REQUIRED needs. */
export const proofOfWorkRoutes = {
  proofOfWork: route('GET /auth/proof-of-work', {
    access: 'visitor',
    ignoresToken: true,
    summary: 'A challenge whose solution lets one call through that was refused with PROOF_OF_WORK_REQUIRED',
    input: z.object({ purpose: z.enum(PROOF_PURPOSES).describe('As `proofOfWork` of the refusal says') }),
    output: z.object({ challenge: ProofOfWorkChallenge }),
  }),
}
