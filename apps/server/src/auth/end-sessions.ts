import { type contract, appErrors } from '@community/contract'
import { inTransaction } from '@community/db'
import { setMessage, type UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { endSignIn, endSignIns } from './session-commands.ts'

/** Throws `sessionMissing` for a session that has ended or belongs to somebody else. */
export const endSession: UseCase<typeof contract.auth.endSession> = async ({ db, user }, { id }) => {
  const isEnded = await inTransaction(db, (tx) => endSignIn(tx, user.id, id))
  if (!isEnded) throw new AppError(appErrors.sessionMissing)
  return {}
}

/** Ends all of the caller's sessions, with or without the current one. */
export const endSessions: UseCase<typeof contract.auth.endSessions> = async (ctx, { andThisOne }) => {
  const { db, user } = ctx
  const ended = await inTransaction(db, (tx) => endSignIns(tx, user.id, andThisOne ? null : user.familyId))
  if (andThisOne) setMessage(ctx, 'Signed out everywhere')
  return { ended }
}
