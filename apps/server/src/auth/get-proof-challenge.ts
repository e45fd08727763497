import type { contract, Output, ParsedInput } from '@community/contract'
import type { Context } from '../context.ts'
import { createProofChallenge } from './proof-of-work.ts'

type ProofOfWorkRoute = typeof contract.auth.proofOfWork

export const getProofChallenge = async (
  { deps }: Context,
  { purpose }: ParsedInput<ProofOfWorkRoute>,
): Promise<Output<ProofOfWorkRoute>> => ({
  challenge: await createProofChallenge(deps.secret, purpose),
})
