import type { AppContract, Failure, Output } from '@community/contract'
import type { TRPCClientError } from '@trpc/client'
import { observableToPromise } from '@trpc/server/observable'
import { failureOf, AppError } from './failure.ts'
import { msg } from './i18n.ts'
import { createRetryLink } from './retry-link.ts'
import { createStore } from './store.ts'

export interface ProofContext {
  /** The value of the header `X-Proof-Of-Work`. */
  proofOfWork?: string
}

const useRunning = createStore(0)
const change = (by: 1 | -1) => useRunning.setState((running) => running + by)

/** Whether the browser is computing a proof of work. */
export const useIsBotCheckRunning = (): boolean => useRunning((running) => running > 0)

const REJECTION_CODES = new Set(['PROOF_OF_WORK_REQUIRED', 'PROOF_OF_WORK_INVALID'])
const FAILED = msg("We couldn't finish the automatic check for bots. Please try again.")

/** The purpose of the proof that a rejected request needs, if any. */
function purposeOf(error: TRPCClientError<never>): Failure['proofOfWork'] {
  const { code = '', proofOfWork } = failureOf(error)
  return REJECTION_CODES.has(code) ? proofOfWork : undefined
}

/** Computes the proof of work that a rejected request needs and repeats the request once with it. */
export const proofOfWorkLink = createRetryLink((op, next) => async (error, attempt) => {
  const purpose = purposeOf(error)
  if (purpose === undefined) return null
  change(1)
  try {
    if (attempt > 1) throw error
    const operation = { ...op, type: 'query', path: 'auth.proofOfWork', input: { purpose }, context: {} } as const
    const [solver, { result }] = await Promise.all([import('./proof-of-work.ts'), observableToPromise(next(operation))])
    // An operation built by hand is untyped.
    const { challenge } = (result as { data: Output<AppContract['auth']['proofOfWork']> }).data
    return { proofOfWork: await solver.proofFor(challenge) } satisfies ProofContext
  } catch (cause) {
    const { kind } = failureOf(cause)
    // Their messages are more specific.
    if (kind === 'network' || kind === 'timeout') throw cause
    throw new AppError(FAILED, { code: 'PROOF_OF_WORK_FAILED' })
  } finally {
    change(-1)
  }
})
