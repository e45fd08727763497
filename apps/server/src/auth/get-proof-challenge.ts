import type { contract, Output, ParsedInput } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { createProofChallenge } from './proof-of-work.ts'

type ProofOfWorkRoute = typeof contract.auth.proofOfWork

export const getProofChallenge = async (
  { deps }: VisitorContext,
  { purpose }: ParsedInput<ProofOfWorkRoute>,
): Promise<Output<ProofOfWorkRoute>> => ({
  challenge: await createProofChallenge(deps.secret, purpose),
})
