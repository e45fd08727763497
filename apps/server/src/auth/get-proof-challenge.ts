import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { createProofChallenge } from './proof-of-work.ts'

export const getProofChallenge: UseCase<typeof contract.auth.proofOfWork> = async ({ deps }, { purpose }) => ({
  challenge: await createProofChallenge(deps.secret, purpose),
})
