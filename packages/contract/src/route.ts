import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server'
import { z } from 'zod'
import type { ProofPurpose } from './auth/proof-of-work.ts'
import type { Failure } from './failure.ts'
import type { ErrorDefinition } from './error-catalogue.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The callers allowed: anyone, a signed-in user, an administrator. */
export type Access = 'visitor' | 'member' | 'admin'

type Endpoint = `${Method} /${string}`
type PathOf<E extends string> = E extends `${string} ${infer P}` ? P : never
type MethodOf<E extends string> = E extends `${infer M extends Method} ${string}` ? M : never
type PathParametersOf<P extends string> = P extends `${string}{${infer W}}${infer Rest}`
  ? W | PathParametersOf<Rest>
  : never

/** The input must contain every path parameter, as text. */
type InputFor<P extends string> = z.ZodObject<Record<PathParametersOf<P>, z.ZodType<unknown, string>> & z.ZodRawShape>

type ErrorDefinitions = Record<string, ErrorDefinition>

/** Types of an audit entry’s target. */
export type AuditTarget =
  | 'announcement'
  | 'blacklist'
  | 'challenge'
  | 'import'
  | 'mail'
  | 'role'
  | 'settings'
  | 'submission'
  | 'team'
  | 'user'
  | 'webhook'

/** The output of a procedure that returns nothing. */
export const EmptyData = z.object({})
export type EmptyData = z.output<typeof EmptyData>

/** One procedure: types its handler, REST route, documentation and client. */
export interface Route<
  M extends Method = Method,
  I extends z.ZodObject | undefined = z.ZodObject | undefined,
  O extends z.ZodType = z.ZodType,
  A extends Access = Access,
  F extends ErrorDefinitions = ErrorDefinitions,
  H extends boolean = boolean,
  S extends boolean = boolean,
> {
  method: M
  path: string
  summary: string
  /** For the OpenAPI document, in Markdown; does not repeat the summary. */
  description?: string | undefined
  access: A
  /** The input contains the administrator’s own password, checked before the use case runs; `admin` tokens need none. */
  requiresAdminPassword: boolean
  /** The use case hashes or compares a password: only these get the hasher, and they queue separately. */
  hashesPassword: H
  /** Rejects personal access tokens: the procedure concerns credentials, or the session itself. */
  sessionOnly: S
  /** Creates a resource: responds with 201. */
  creates: boolean
  /** Honours an Idempotency-Key; the default for procedures that create something. */
  idempotent: boolean
  /** Accepts requests whose bearer token is expired or unknown: for procedures that create a session or need none, or end one. */
  ignoresToken: boolean | 'if invalid'
  /** Sends mail to unverified addresses: above the configured limits it requires a proof of work for this purpose. */
  proofOfWork: ProofPurpose | null
  /** Cache the response while the database and the passed deadlines are unchanged: for visitors only, or one response per role. */
  cached: 'for visitors' | 'by role' | null
  /** The target type of an administrator’s call in the audit log; null for no entry. Every write with `access: 'admin'` has one. */
  audits: AuditTarget | null
  /** The specification does not list this endpoint. */
  beyondSpecification: boolean
  input: I
  output: O
  errors: F
  /** The message of a success response. */
  successMessage: string
}

interface Spec<E extends string, I, O, A, F, H, S> {
  summary: string
  description?: string
  access: A
  requiresAdminPassword?: boolean
  hashesPassword?: H
  sessionOnly?: S
  creates?: boolean
  idempotent?: boolean
  ignoresToken?: boolean | 'if invalid'
  proofOfWork?: ProofPurpose
  cached?: 'for visitors' | 'by role'
  audits?: AuditTarget
  beyondSpecification?: boolean
  input?: I & InputFor<PathOf<E>>
  output?: O
  errors?: F
  successMessage?: string
}

/**
 * Declares one procedure: `route('PUT /teams/{id}', { … })`. Path parameters are fields of the input;
 * the other fields come from the query of a GET, else from the JSON body. Writes reject unknown fields.
 */
export function route<
  const E extends Endpoint,
  A extends Access,
  I extends z.ZodObject | undefined = undefined,
  O extends z.ZodType = typeof EmptyData,
  F extends ErrorDefinitions = ErrorDefinitions,
  H extends boolean = false,
  S extends boolean = false,
>(endpoint: E, spec: Spec<E, I, O, A, F, H, S>): Route<MethodOf<E>, I, O, A, F, H, S> {
  const [method, path] = endpoint.split(' ') as [MethodOf<E>, string]
  // `strict` copies the schema without its metadata.
  const input = spec.input && method !== 'GET' ? spec.input.strict().meta(spec.input.meta() ?? {}) : spec.input
  return {
    method,
    path,
    summary: spec.summary,
    description: spec.description,
    access: spec.access,
    requiresAdminPassword: spec.requiresAdminPassword ?? false,
    hashesPassword: (spec.hashesPassword ?? false) as H,
    sessionOnly: (spec.sessionOnly ?? false) as S,
    creates: spec.creates ?? false,
    idempotent: spec.idempotent ?? spec.creates ?? false,
    ignoresToken: spec.ignoresToken ?? false,
    proofOfWork: spec.proofOfWork ?? null,
    cached: spec.cached ?? null,
    audits: spec.audits ?? null,
    beyondSpecification: spec.beyondSpecification ?? false,
    input: input as I,
    output: (spec.output ?? EmptyData) as O,
    errors: spec.errors ?? ({} as F),
    successMessage: spec.successMessage ?? 'OK',
  }
}

export type Domain = Record<string, Route>
export type Contract = Record<string, Domain>

/** All procedures with their names: `['teams.create', route]`. */
export const routesOf = (contract: Contract): [name: string, route: Route][] =>
  Object.entries(contract).flatMap(([domain, routes]) =>
    Object.entries(routes).map(([name, declared]): [string, Route] => [`${domain}.${name}`, declared]),
  )

/** `/teams/{id}` has the parameter `id`. */
export const pathParametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)

/** The input before parsing. */
export type Input<R extends Route> = R['input'] extends z.ZodObject ? z.input<R['input']> : void
/** The parsed input, with defaults filled in: what a use case receives. */
export type ParsedInput<R extends Route> = R['input'] extends z.ZodObject ? z.output<R['input']> : void
export type Output<R extends Route> = z.output<R['output']>

export interface ErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape['data'] & { failure: Failure }
}
type Definition<R extends Route> = { meta: object; input: Input<R>; output: Output<R>; errorShape: ErrorShape }
type ProcedureOf<R extends Route> = R['method'] extends 'GET'
  ? TRPCQueryProcedure<Definition<R>>
  : TRPCMutationProcedure<Definition<R>>
type Roots = { ctx: object; meta: object; errorShape: ErrorShape; transformer: false }

/** The type of the tRPC router of a contract. */
export type RouterOf<C extends Contract> = TRPCBuiltRouter<
  Roots,
  { [D in keyof C]: { [K in keyof C[D]]: ProcedureOf<C[D][K]> } }
>
