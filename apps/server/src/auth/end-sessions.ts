import { type contract, type EmptyData, appErrors, type Output, type ParsedInput } from '@community/contract'
import { inTransaction } from '@community/db'
import { type SessionContext, setMessage } from '../context.ts'
import { AppError } from '../errors.ts'
import { endSignIn, endSignIns } from './session-commands.ts'

type EndSessionRoute = typeof contract.auth.endSession
type EndSessionsRoute = typeof contract.auth.endSessions

/** Throws `sessionMissing` for a session that has ended or belongs to somebody else. */
export async function endSession(
  { db, user }: SessionContext,
  { id }: ParsedInput<EndSessionRoute>,
): Promise<EmptyData> {
  const isEnded = await inTransaction(db, (tx) => endSignIn(tx, user.id, id))
  if (!isEnded) throw new AppError(appErrors.sessionMissing)
  return {}
}

/** Ends all of the caller's sessions, with or without the current one. */
export async function endSessions(
  ctx: SessionContext,
  { andThisOne }: ParsedInput<EndSessionsRoute>,
): Promise<Output<EndSessionsRoute>> {
  const { db, user } = ctx
  const ended = await inTransaction(db, (tx) => endSignIns(tx, user.id, andThisOne ? null : user.familyId))
  if (andThisOne) setMessage(ctx, 'Signed out everywhere')
  return { ended }
}
