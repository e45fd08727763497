import type { TRPCBuiltRouter, TRPCDefaultErrorShape, TRPCMutationProcedure, TRPCQueryProcedure } from '@trpc/server'
import { z } from 'zod'
import type { ProofPurpose } from './auth/proof-of-work.ts'
import type { Failure } from './failure.ts'
import type { ErrorDefinition } from './error-catalogue.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may call: anybody, a signed-in person, an administrator. */
export type Access = 'visitor' | 'member' | 'admin'

type Endpoint = `${Method} /${string}`
type PathOf<E extends string> = E extends `${string} ${infer P}` ? P : never
type MethodOf<E extends string> = E extends `${infer M extends Method} ${string}` ? M : never
type PathParametersOf<P extends string> = P extends `${string}{${infer W}}${infer Rest}`
  ? W | PathParametersOf<Rest>
  : never

/** An input must hold every word of the path, as text. */
type InputFor<P extends string> = z.ZodObject<Record<PathParametersOf<P>, z.ZodType<unknown, string>> & z.ZodRawShape>

type ErrorDefinitions = Record<string, ErrorDefinition>

/** What a call answers that has nothing to tell. */
export const EmptyData = z.object({})
export type EmptyData = z.output<typeof EmptyData>

/** One call of the product: what types its handler, its REST route, its documentation and its client. */
export interface Route<
  M extends Method = Method,
  I extends z.ZodObject | undefined = z.ZodObject | undefined,
  O extends z.ZodType = z.ZodType,
  A extends Access = Access,
  F extends ErrorDefinitions = ErrorDefinitions,
  H extends boolean = boolean,
> {
  method: M
  path: string
  summary: string
  access: A
  /** The caller's own password as an administrator stands in the body and is checked before any effect. */
  confirm: boolean
  /** The use case hashes a password or compares one: only such a one is given what does, and they wait in a line of their own. */
  hashesPassword: H
  /** The call makes a new thing: it answers 201. */
  creates: boolean
  /** The call honours an Idempotency-Key: each that creates does, and others that cannot be made twice. */
  idempotent: boolean
  /** An expired or unknown bearer token does not matter: for the calls that create a session or need none. */
  ignoresToken: boolean
  /** Mails strangers: above the bounds of the settings it needs a proof of work for this purpose. */
  proofOfWork: ProofPurpose | null
  /**
   * Whose answers are made of nothing but the input, what the database holds and which deadlines have passed, so that they are cached until
   * one of these changes: only visitors', or also those of signed-in people, who are then all answered alike if they have one role.
   */
  cached: 'for visitors' | 'by role' | null
  input: I
  output: O
  errors: F
  /** The message of a success. */
  successMessage: string
}

interface Spec<E extends string, I, O, A, F, H> {
  summary: string
  access: A
  confirm?: boolean
  hashesPassword?: H
  creates?: boolean
  idempotent?: boolean
  ignoresToken?: boolean
  proofOfWork?: ProofPurpose
  cached?: 'for visitors' | 'by role'
  input?: I & InputFor<PathOf<E>>
  output?: O
  errors?: F
  successMessage?: string
}

/**
 * Declares one call: `route('PUT /teams/{id}', { … })`. Words in braces come from the path and must stand in the input;
 * the other fields come from the query of a GET and from the JSON body of anything else. Writes refuse unknown fields.
 */
export function route<
  const E extends Endpoint,
  A extends Access,
  I extends z.ZodObject | undefined = undefined,
  O extends z.ZodType = typeof EmptyData,
  F extends ErrorDefinitions = ErrorDefinitions,
  H extends boolean = false,
>(endpoint: E, spec: Spec<E, I, O, A, F, H>): Route<MethodOf<E>, I, O, A, F, H> {
  const [method, path] = endpoint.split(' ') as [MethodOf<E>, string]
  const input = spec.input && method !== 'GET' ? spec.input.strict() : spec.input
  return {
    method,
    path,
    summary: spec.summary,
    access: spec.access,
    confirm: spec.confirm ?? false,
    hashesPassword: (spec.hashesPassword ?? false) as H,
    creates: spec.creates ?? false,
    idempotent: spec.idempotent ?? spec.creates ?? false,
    ignoresToken: spec.ignoresToken ?? false,
    proofOfWork: spec.proofOfWork ?? null,
    cached: spec.cached ?? null,
    input: input as I,
    output: (spec.output ?? EmptyData) as O,
    errors: spec.errors ?? ({} as F),
    successMessage: spec.successMessage ?? 'OK',
  }
}

export type Domain = Record<string, Route>
export type Contract = Record<string, Domain>

/** Every call by the name of its procedure: `['teams.create', route]`. */
export const routesOf = (contract: Contract): [name: string, route: Route][] =>
  Object.entries(contract).flatMap(([domain, routes]) =>
    Object.entries(routes).map(([name, route]): [string, Route] => [`${domain}.${name}`, route]),
  )

/** The words in braces of a path: `/teams/{id}` has `id`. */
export const pathParametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)

/** What a caller sends. */
export type Input<R extends Route> = R['input'] extends z.ZodObject ? z.input<R['input']> : void
/** What a use case is given: parsed, with defaults filled in. */
export type Parsed<R extends Route> = R['input'] extends z.ZodObject ? z.output<R['input']> : void
/** What the caller is answered. */
export type Output<R extends Route> = z.output<R['output']>

export interface ErrorShape extends TRPCDefaultErrorShape {
  data: TRPCDefaultErrorShape['data'] & { failure: Failure }
}
type Definition<R extends Route> = { meta: object; input: Input<R>; output: Output<R>; errorShape: ErrorShape }
type ProcedureOf<R extends Route> = R['method'] extends 'GET'
  ? TRPCQueryProcedure<Definition<R>>
  : TRPCMutationProcedure<Definition<R>>
type Roots = { ctx: object; meta: object; errorShape: ErrorShape; transformer: false }

/** The tRPC router that a contract describes, from types only. */
export type RouterOf<C extends Contract> = TRPCBuiltRouter<
  Roots,
  { [D in keyof C]: { [K in keyof C[D]]: ProcedureOf<C[D][K]> } }
>
