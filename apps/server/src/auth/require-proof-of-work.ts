import { appErrors, limits, type ProofPurpose } from '@community/contract'
import { limitsPerIp } from '../http/client-ip.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { consumeNestedRateLimits } from '../http/nested-rate-limits.ts'
import { tryConsumeRateLimit } from '../http/rate-limits.ts'
import { verifyProof } from './proof-of-work.ts'

/** Whether a request needs no proof. In the mode `auto` it is counted, and needs one above the hourly limits of its IP address and in total. */
async function mayOmitProof({ deps, db, request }: Context): Promise<boolean> {
  const { mode, hourlyPerIp, hourlyTotal } = deps.config.proofOfWork
  if (mode !== 'auto') return mode === 'off'
  const seconds = limits.HOUR
  const perIp = limitsPerIp('unproven', request.ip, { max: hourlyPerIp, seconds })
  // Narrowest first: requests above the limit of their IP address do not count towards the total, so no single one can exhaust it.
  return consumeNestedRateLimits(db, [...perIp, { key: 'unproven', max: hourlyTotal, seconds }])
}

/** Marks a proof as used, for all processes; false if it was used before. Stored for twice its TTL, because clocks may differ. */
async function consumeProof({ db }: Context, nonce: string): Promise<boolean> {
  const limit = { max: 1, seconds: 2 * limits.PROOF_OF_WORK_TTL }
  return (await tryConsumeRateLimit(db, `proof-of-work:${nonce}`, limit)).isConsumed
}

/** Throws if the request is above the limits and has no valid proof. Considers only the caller's IP address and the proof. */
export async function requireProofOfWork(ctx: Context, purpose: ProofPurpose): Promise<void> {
  if (await mayOmitProof(ctx)) return
  const { proofOfWork: header } = ctx.request
  if (header === undefined) throw new AppError(appErrors.proofOfWorkRequired, { proofOfWork: purpose })
  const nonce = await verifyProof(ctx.deps.secret, header, purpose)
  if (nonce === null || !(await consumeProof(ctx, nonce)))
    throw new AppError(appErrors.proofOfWorkInvalid, { proofOfWork: purpose })
}
