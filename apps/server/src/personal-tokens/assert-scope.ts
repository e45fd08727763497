import { appErrors, type TokenScope, withMessage } from '@community/contract'
import type { AuthenticatedContext, Caller, Context, SessionContext } from '../context.ts'
import { AppError } from '../errors.ts'

export const scopeMissingError = (scope: TokenScope): AppError =>
  new AppError(withMessage(appErrors.tokenScopeMissing, 'This access token needs the scope “{scope}”', { scope }))

/** Throws if the caller uses a personal access token without the scope. Every token may read. */
export function assertScope({ personalToken: token }: Caller, scope: TokenScope): void {
  if (token && scope !== 'read' && !token.scopes.includes(scope)) throw scopeMissingError(scope)
}

/** Throws unless the caller is signed in as an administrator; a personal access token needs the scope `admin`. */
export function assertAdmin(ctx: Context): asserts ctx is AuthenticatedContext {
  if (ctx.tokenError) throw new AppError(ctx.tokenError)
  if (!ctx.user) throw new AppError(appErrors.notSignedIn)
  const { role, personalToken } = ctx.user
  if (personalToken?.ownerRole === 'admin' && role !== 'admin') throw scopeMissingError('admin')
  if (role !== 'admin') throw new AppError(appErrors.adminsOnly)
}

/** Throws if the caller uses a personal access token. */
export function assertSession(ctx: AuthenticatedContext): asserts ctx is SessionContext {
  if (ctx.user.familyId === null) throw new AppError(appErrors.sessionRequired)
}
