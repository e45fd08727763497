import type { contract, Output, Parsed } from '@community/contract'
import type { VisitorContext } from '../context.ts'
import { createProofChallenge } from './proof-of-work.ts'

type Get = typeof contract.auth.proofOfWork

export const getProofChallenge = async ({ deps }: VisitorContext, { purpose }: Parsed<Get>): Promise<Output<Get>> => ({
  challenge: await createProofChallenge(deps.secret, purpose),
})
