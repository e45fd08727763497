import { appErrors, type TokenScope, withMessage } from '@community/contract'
import type { AuthenticatedContext, Caller, SessionContext } from '../context.ts'
import { AppError } from '../errors.ts'

export const scopeMissing = (scope: TokenScope): AppError =>
  new AppError(withMessage(appErrors.tokenScopeMissing, 'This access token needs the scope “{scope}”', { scope }))

/** Throws if the caller uses a personal access token without the scope. Every token may read. */
export function assertScope({ personalToken: token }: Caller, scope: TokenScope): void {
  if (token && scope !== 'read' && !token.scopes.includes(scope)) throw scopeMissing(scope)
}

/** Throws if the caller uses a personal access token. */
export function assertSession(ctx: AuthenticatedContext): asserts ctx is SessionContext {
  if (ctx.user.familyId === null) throw new AppError(appErrors.sessionRequired)
}
