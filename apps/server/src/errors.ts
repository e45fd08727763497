import { appErrors, type ErrorDefinition, type ErrorDetails } from '@community/contract'
import { constraintOf, isDatabaseUnavailable, isRetryable, isTimeout } from '@community/db'

/** An error of the catalogue: the only kind whose message reaches a client. Each transport maps it to its own format. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly definition: ErrorDefinition

  constructor(definition: ErrorDefinition, details: ErrorDetails = {}) {
    super(definition.message)
    this.definition = { ...definition, ...details }
  }
}

/** Throws the error that a rule returned; does nothing when it returned none. */
export function throwIf(definition: ErrorDefinition | null): asserts definition is null {
  if (definition) throw new AppError(definition)
}

/** The constraints that concurrent requests can violate, and the error for each. */
const CONSTRAINT_ERRORS: Record<string, ErrorDefinition> = {
  users_email_unique: appErrors.emailTaken,
  personal_tokens_name_unique: appErrors.tokenNameTaken,
  teams_name_unique: appErrors.duplicateName,
  roles_name_unique: appErrors.duplicateRole,
  team_members_once: appErrors.alreadyMember,
  teams_member_count: appErrors.teamFull,
  submissions_upload_once: appErrors.fileMissing,
  idempotency_owners_live: appErrors.tooManyIdempotencyKeys,
}

/** The catalogue's error for an error of the database; null when it is unexpected. */
export function databaseErrorOf(error: unknown): ErrorDefinition | null {
  const constraint = constraintOf(error)
  if (constraint !== null && CONSTRAINT_ERRORS[constraint]) return CONSTRAINT_ERRORS[constraint]
  // Conflicts have already been retried when they get here.
  const isTransient = isDatabaseUnavailable(error) || isTimeout(error) || isRetryable(error)
  return isTransient ? appErrors.unavailable : null
}
