import { type contract, appErrors } from '@community/contract'
import type { UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { findSignIn } from './queries.ts'

/** Details of the caller's session for debugging; throws `notFound` in production. */
export const getSessionInfo: UseCase<typeof contract.users.debug> = async ({ db, deps, user, request }) => {
  if (deps.config.nodeEnv === 'production') throw new AppError(appErrors.notFound)
  const signIn = await findSignIn(db, user.familyId)
  if (!signIn) throw new AppError(appErrors.notSignedIn)
  return {
    session: {
      userId: user.id,
      role: user.role,
      signInId: user.familyId,
      signedInAt: signIn.signedInAt.toISOString(),
      expiresAt: signIn.expiresAt.toISOString(),
      address: request.ip,
      userAgent: request.userAgent,
      requestId: request.id,
      serverTime: signIn.now.toISOString(),
    },
  }
}
