import { type ErrorDefinition, appErrors } from '@community/contract'
import type { Context } from '../context.ts'

/** Security events in the log and their levels. The names are stable: alerts depend on them, docs/monitoring.md lists them. */
export const SECURITY_EVENTS = {
  'auth.signed_in': 'info',
  'auth.admin_signed_in': 'info',
  'auth.sign_in_failed': 'warn',
  'auth.external_sign_in_failed': 'warn',
  'auth.code_failed': 'warn',
  'auth.password_confirmation_failed': 'warn',
  'auth.locked': 'warn',
  'auth.rate_limited': 'warn',
  'auth.refresh_token_reused': 'warn',
  'auth.password_changed': 'info',
  'auth.password_reset': 'info',
  'auth.sign_in_code_disabled': 'warn',
  'auth.account_deleted': 'info',
  'auth.data_exported': 'info',
  'auth.personal_token_created': 'info',
  'auth.personal_token_revoked': 'info',
  'admin.password_confirmation_failed': 'warn',
  'admin.password_confirmation_locked': 'warn',
  'access.denied': 'warn',
} as const satisfies Record<string, 'info' | 'warn'>
type SecurityEvent = keyof typeof SECURITY_EVENTS

/** The fields of a log line besides the event. Never an e-mail address, a password, a code or a token. */
export interface EventDetails {
  /** The account concerned, if not the caller's. */
  userId?: string
  signInId?: string
  /** The code of the error. */
  code?: string
  procedure?: string
  err?: unknown
}

type EventContext = Pick<Context, 'deps' | 'user' | 'request' | 'subjectId'>

/** Logs a security event with the account, the client's IP address and the request id. Call it after the commit. */
export function logSecurityEvent(
  { deps, user, request, subjectId }: EventContext,
  event: SecurityEvent,
  details: EventDetails = {},
): void {
  const userId = (subjectId === undefined ? user?.id : subjectId) ?? undefined
  deps.log[SECURITY_EVENTS[event]](
    { event, userId, address: request.ip, reqId: request.id, ...details },
    'security event',
  )
}

const EVENT_OF_CODE: Record<string, SecurityEvent> = {
  [appErrors.wrongCredentials.code]: 'auth.sign_in_failed',
  [appErrors.codeInvalid.code]: 'auth.code_failed',
  [appErrors.wrongCurrentPassword.code]: 'auth.password_confirmation_failed',
  [appErrors.signInLocked.code]: 'auth.locked',
  [appErrors.codeLocked.code]: 'auth.locked',
  [appErrors.adminPasswordLocked.code]: 'admin.password_confirmation_locked',
  [appErrors.adminsOnly.code]: 'access.denied',
  [appErrors.tokenScopeMissing.code]: 'access.denied',
  [appErrors.sessionRequired.code]: 'access.denied',
}

function eventOf({ user }: EventContext, { code }: ErrorDefinition, procedure: string): SecurityEvent | undefined {
  if (code === appErrors.wrongPassword.code)
    return user?.role === 'admin' ? 'admin.password_confirmation_failed' : 'auth.password_confirmation_failed'
  if (code === appErrors.tooManyRequests.code) return procedure.startsWith('auth.') ? 'auth.rate_limited' : undefined
  if (code === appErrors.banned.code) return procedure.startsWith('auth.') ? 'auth.sign_in_failed' : 'access.denied'
  return EVENT_OF_CODE[code]
}

/** Logs the error of a procedure if it is a security event. */
export function logRejection(ctx: EventContext, error: ErrorDefinition, procedure: string): void {
  const event = eventOf(ctx, error, procedure)
  if (event) logSecurityEvent(ctx, event, { code: error.code, procedure })
}
