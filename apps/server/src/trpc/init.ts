import {
  type AppContract,
  type Contract,
  type ErrorShape,
  appErrors,
  type Output,
  type Parsed,
  type Route,
  type RouterOf,
} from '@community/contract'
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { confirmAdminPassword } from '../admin/confirm-admin-password.ts'
import { requireProofOfWork } from '../auth/require-proof-of-work.ts'
import type { Context, PasswordContext, MemberContext, VisitorContext } from '../context.ts'
import { databaseErrorOf, AppError, toFailure } from '../errors.ts'
import { isSearch, READ_COST } from '../http/read-limit.ts'
import { withIdempotency } from '../http/idempotency.ts'
import { logRefusal } from '../observability/security-events.ts'

export const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter: ({ shape, error }): ErrorShape => {
    const { body } = toFailure(error)
    return { ...shape, message: body.message, data: { ...shape.data, failure: body } }
  },
})

/** What the database refused becomes the refusal it stands for: tRPC takes an answer's status from the error itself. */
const open = t.procedure.use(async function refusals({ ctx, path, next }) {
  const result = await (ctx.runCall ? ctx.runCall(() => next()) : next())
  if (result.ok) return result
  if (result.error instanceof AppError) {
    logRefusal(ctx, result.error.definition, path)
    return result
  }
  const fault = databaseErrorOf(result.error.cause ?? result.error)
  if (fault) throw new AppError(fault)
  return result
})
/** Someone whose token no longer counts is told so, instead of being shown less than they expect. */
const anybody = open.use(function tokenGate({ ctx, next }) {
  if (ctx.tokenRefused)
    throw new AppError(ctx.tokenRefused === 'expired' ? appErrors.tokenExpired : appErrors.notSignedIn)
  return next()
})
// The gates hand the context on as it is: in a copy of it, what a use case says would not reach the answer.
const signedIn = anybody.use(function memberGate({ ctx, next }) {
  if (!ctx.user) throw new AppError(appErrors.notSignedIn)
  return next()
})
const administrators = signedIn.use(function adminGate({ ctx, next }) {
  if (ctx.user?.role !== 'admin') throw new AppError(appErrors.adminsOnly)
  return next()
})
/** Access is decided before anything is parsed. */
const GATES = { visitor: anybody, member: signedIn, admin: administrators } as const

/** The calls that make a session must work beside a dead one. */
export const ignoresToken = (route: Route): boolean => route.access === 'visitor' && route.path.startsWith('/auth/')

/** The caller a route's use case is given: certain to be somebody unless visitors may call. */
export type CallerContext<R extends Route> = (R['access'] extends 'visitor' ? VisitorContext : MemberContext) &
  (R['hashesPassword'] extends true ? PasswordContext : unknown)

/** Does one thing; knows neither tRPC nor HTTP. */
export type UseCase<R extends Route> = (ctx: CallerContext<R>, input: Parsed<R>) => Promise<Output<R>> | Output<R>
export type UseCases<C extends Contract> = { [D in keyof C]: { [K in keyof C[D]]: UseCase<C[D][K]> } }
export type DomainUseCases<D extends keyof AppContract> = UseCases<AppContract>[D]

type AnyUseCase = (ctx: Context, input: unknown) => unknown

/** What a write without fields takes: nothing, or an object without fields. */
const NoFields = z.strictObject({}).optional()

function procedureOf(name: string, route: Route, useCase: AnyUseCase) {
  const gate = ignoresToken(route) ? open : GATES[route.access]
  const input = route.input ?? (route.method === 'GET' ? undefined : NoFields)
  const parsed = (input ? gate.input(input) : gate) as typeof t.procedure
  const { proofOfWork } = route
  const proven = proofOfWork
    ? parsed.use(async function proofGate({ ctx, next }) {
        await requireProofOfWork(ctx as Context, proofOfWork)
        return next()
      })
    : parsed
  const confirmed = route.confirm
    ? proven.use(async function passwordGate({ ctx, input, next }) {
        await confirmAdminPassword(
          ctx as MemberContext & PasswordContext,
          (input as unknown as { password: string }).password,
        )
        return next()
      })
    : proven
  const answered = confirmed.output(route.output) as unknown as typeof t.procedure
  const isRead = route.method === 'GET'
  const run = async ({ ctx, input }: { ctx: Context; input: unknown }) => {
    if (isRead) ctx.chargeRead?.(isSearch(input) ? READ_COST.search : READ_COST.page)
    return route.idempotent ? withIdempotency(name, ctx, input, () => useCase(ctx, input)) : useCase(ctx, input)
  }
  return isRead ? answered.query(run as never) : answered.mutation(run as never)
}

/** The router a contract describes, running the use cases given: a missing, extra or mistyped one does not compile. */
export function implement<C extends Contract>(contract: C, useCases: UseCases<C>): RouterOf<C> {
  const domains = Object.entries(contract).map(([domain, routes]) => [
    domain,
    t.router(
      Object.fromEntries(
        Object.entries(routes).map(([name, route]) => [
          name,
          procedureOf(`${domain}.${name}`, route, useCases[domain]?.[name] as AnyUseCase),
        ]),
      ),
    ),
  ])
  // The one cast: the loop above makes, call by call, what the type says.
  return t.router(Object.fromEntries(domains)) as unknown as RouterOf<C>
}
