// The error catalogue: every export of the files below is an error that a procedure can throw.
export * from './errors/account-errors.ts'
export * from './errors/admin-errors.ts'
export * from './errors/challenge-errors.ts'
export * from './errors/request-errors.ts'
export * from './errors/team-errors.ts'
export * from './errors/token-errors.ts'
export * from './errors/webhook-errors.ts'
export { type ErrorDefinition, type ErrorDetails, type ErrorStatus, withMessage } from './errors/define-error.ts'
