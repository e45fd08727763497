import { type AppContract, type Contract, appErrors, type Route, scopeOf, type RouterOf } from '@community/contract'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { confirmAdminPassword } from '../admin/confirm-admin-password.ts'
import { requireProofOfWork } from '../auth/require-proof-of-work.ts'
import type { Context, PasswordContext, AuthenticatedContext, UseCase } from '../context.ts'
import { AppError } from '../errors.ts'
import { isSearch, READ_COST } from '../http/read-limit.ts'
import { withIdempotency } from '../http/idempotency.ts'
import { logRejection } from '../observability/security-events.ts'
import { assertAdmin, assertScope, assertSession } from '../personal-tokens/assert-scope.ts'
import { formatError, toTRPCError } from './errors.ts'

const t = initTRPC.context<Context>().create({
  // Never sends stack traces to clients.
  isDev: false,
  errorFormatter: formatError,
})

/** Applies the concurrency limit if the transport left it to the procedure, converts errors to a `TRPCError`, and logs rejections that are security events. */
const baseProcedure = t.procedure.use(async function runAndMapErrors({ ctx, path, next }) {
  try {
    const { tracing } = ctx.deps
    const run = tracing ? () => tracing.traceProcedure(path, () => next()) : () => next()
    const result = await (ctx.runProcedure ? ctx.runProcedure(run) : run())
    if (result.ok) return result
    // `next` returns errors instead of throwing them.
    throw result.error
  } catch (error) {
    const mapped = toTRPCError(error)
    if (mapped.cause instanceof AppError) logRejection(ctx, mapped.cause.definition, path)
    throw mapped
  }
})
/** For anyone, but rejects an invalid or expired token, so that its owner is not silently served as a visitor. */
const visitorProcedure = baseProcedure.use(function rejectInvalidToken({ ctx, next }) {
  if (ctx.tokenError) throw new AppError(ctx.tokenError)
  return next()
})
// No middleware may call `next({ ctx })`: that copies the context, and `setMessage` would write to the copy.
const memberProcedure = visitorProcedure.use(function requireMember({ ctx, next }) {
  if (!ctx.user) throw new AppError(appErrors.notSignedIn)
  return next()
})
const adminProcedure = memberProcedure.use(function requireAdmin({ ctx, next }) {
  assertAdmin(ctx as Context)
  return next()
})
/** The base procedure of each access level. It checks access before the input is parsed. */
const PROCEDURE_BY_ACCESS = { visitor: visitorProcedure, member: memberProcedure, admin: adminProcedure } as const

/** The use cases of all domains. */
type UseCases<C extends Contract> = { [D in keyof C]: { [K in keyof C[D]]: UseCase<C[D][K]> } }
/** The use cases of one domain, such as `teams`. */
export type DomainUseCases<D extends keyof AppContract> = UseCases<AppContract>[D]

type AnyUseCase = (ctx: Context, input: unknown) => unknown

/** The input of a write without one: any field is rejected. A read without one ignores them. */
const NoFields = z.strictObject({})

function createProcedure(name: string, route: Route, useCase: AnyUseCase) {
  // `ignoresToken` skips the checks of token, access and scope; its two values differ only in the OpenAPI document.
  const base = route.ignoresToken
    ? baseProcedure
    : PROCEDURE_BY_ACCESS[route.access].use(function checkScope({ ctx, next }) {
        if (ctx.user && route.sessionOnly) assertSession(ctx as AuthenticatedContext)
        if (ctx.user) assertScope(ctx.user, scopeOf(route))
        return next()
      })
  const inputSchema = route.input ?? (route.method === 'GET' ? undefined : NoFields)
  // A page loaded before an update sends no input to a procedure that has since got one.
  const withInput = (inputSchema ? base.input(inputSchema.prefault({})) : base) as typeof t.procedure
  const { proofOfWork } = route
  const withProofOfWork = proofOfWork
    ? withInput.use(async function checkProofOfWork({ ctx, next }) {
        await requireProofOfWork(ctx as Context, proofOfWork)
        return next()
      })
    : withInput
  const withPassword = route.requiresAdminPassword
    ? withProofOfWork.use(async function checkPassword({ ctx, input, next }) {
        await confirmAdminPassword(
          ctx as AuthenticatedContext & PasswordContext,
          (input as unknown as { password?: string }).password ?? '',
        )
        return next()
      })
    : withProofOfWork
  const procedure = withPassword.output(route.output) as unknown as typeof t.procedure
  const isRead = route.method === 'GET'
  const run = async ({ ctx, input }: { ctx: Context; input: unknown }) => {
    if (isRead) ctx.chargeRead?.(isSearch(input) ? READ_COST.search : READ_COST.database)
    return route.idempotent ? withIdempotency(name, ctx, input, () => useCase(ctx, input)) : useCase(ctx, input)
  }
  return isRead ? procedure.query(run as never) : procedure.mutation(run as never)
}

/** The tRPC router of a contract. A missing, extra or mistyped use case does not compile. */
export function createRouter<C extends Contract>(contract: C, useCases: UseCases<C>): RouterOf<C> {
  const domains = Object.entries(contract).map(([domain, routes]) => [
    domain,
    t.router(
      Object.fromEntries(
        Object.entries(routes).map(([name, route]) => [
          name,
          createProcedure(`${domain}.${name}`, route, useCases[domain]?.[name] as AnyUseCase),
        ]),
      ),
    ),
  ])
  // Cast, because `Object.fromEntries` loses the key types.
  return t.router(Object.fromEntries(domains)) as unknown as RouterOf<C>
}
