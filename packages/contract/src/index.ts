import { admin } from './admin/routes.ts'
import { auth } from './auth/routes.ts'
import { challenges } from './challenges/routes.ts'
import { roles } from './roles/routes.ts'
import type { RouterOf } from './route.ts'
import { submissions } from './submissions/routes.ts'
import { system } from './system/routes.ts'
import { teams } from './teams/routes.ts'
import { users } from './users/routes.ts'

/** Every procedure, served over tRPC and REST. */
export const contract = { auth, users, roles, teams, challenges, submissions, admin, system }
export type AppContract = typeof contract

/** The type for the web client; imports no server file. */
export type AppRouter = RouterOf<AppContract>

export * from './admin/routes.ts'
export * from './admin/schemas.ts'
export * from './auth/proof-of-work.ts'
export * from './auth/schemas.ts'
export * from './challenges/rules.ts'
export * from './challenges/schemas.ts'
export * from './clean-text.ts'
export { unknownFieldMessage, truncateUnknownKeys } from './default-messages.ts'
export * as appErrors from './error-catalogue.ts'
export type { ErrorDefinition, ErrorStatus, ErrorDetails } from './error-catalogue.ts'
export { withMessage } from './error-catalogue.ts'
export { Failure } from './failure.ts'
export { issuesByField } from './issues-by-field.ts'
export * as limits from './limits.ts'
export * from './primitives.ts'
export * from './roles/schemas.ts'
export * from './route.ts'
export * from './submissions/rules.ts'
export * from './submissions/schemas.ts'
export * from './system/routes.ts'
export * from './teams/form-schemas.ts'
export * from './teams/rules.ts'
export * from './teams/schemas.ts'
export * from './uploads/schemas.ts'
export * from './users/account-schemas.ts'
export * from './users/form-schemas.ts'
export * from './users/schemas.ts'
