import { appErrors, limits, type ProofPurpose } from '@community/contract'
import { limitsPerIp } from '../http/client-ip.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { consumeNestedRateLimits } from '../http/nested-rate-limits.ts'
import { tryConsumeRateLimit } from '../http/rate-limits.ts'
import { verifyProof } from './proof-of-work.ts'

/** Counts the request. True if the IP address or the total exceeds this hour's limit. */
async function isProofNeeded({ deps, db, request }: Context): Promise<boolean> {
  const { mode, hourlyPerIp, hourlyTotal } = deps.config.proofOfWork
  if (mode !== 'auto') return mode === 'always'
  const seconds = limits.HOUR
  const perIp = limitsPerIp('unproven', request.ip, { max: hourlyPerIp, seconds })
  // Narrowest first: requests above the limit of their IP address do not count towards the total, so no single one can exhaust it.
  return !(await consumeNestedRateLimits(db, [...perIp, { key: 'unproven', max: hourlyTotal, seconds }]))
}

/** Consumes a proof across all processes, for twice its TTL because clocks may differ. */
const isFirstUse = async ({ db }: Context, nonce: string): Promise<boolean> =>
  (await tryConsumeRateLimit(db, `proof-of-work:${nonce}`, { max: 1, seconds: 2 * limits.PROOF_OF_WORK_TTL }))
    .isConsumed

/** Throws if the request is above the limits and has no valid proof. Considers only the caller's IP address and the proof. */
export async function requireProofOfWork(ctx: Context, purpose: ProofPurpose): Promise<void> {
  if (!(await isProofNeeded(ctx))) return
  const { proofOfWork: header } = ctx.request
  if (header === undefined) throw new AppError(appErrors.proofOfWorkRequired, { proofOfWork: purpose })
  const nonce = await verifyProof(ctx.deps.secret, header, purpose)
  if (nonce === null || !(await isFirstUse(ctx, nonce)))
    throw new AppError(appErrors.proofOfWorkInvalid, { proofOfWork: purpose })
}
