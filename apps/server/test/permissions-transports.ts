import { appErrors, pathParametersOf } from '@community/contract'
import { bindingCookieName } from '../src/auth/external-sign-in.ts'
import { sampledForTier } from '@community/testing'
import { type ProcedureName } from './permissions-outcomes.ts'
import { PERMISSIONS } from './permissions.ts'
import { browserBindingOf } from './permissions-rows.ts'
import { inputOf, type PermissionCase } from './permissions-inputs.ts'
import { routeOf } from './permissions-routes.ts'
import type { RestResponse, TestUser, TestServer } from './test-server.ts'

/** The result of a call, independent of the transport. */
export interface CallResult {
  status: number
  code?: string | undefined
  message?: string | undefined
  errors?: { path: string; msg: string }[] | undefined
  data?: RestResponse['body']['data']
}
type MaybeToken = Pick<TestUser, 'token'> | null
/** Calls a procedure by name with its contract input. */
export type Transport = (
  caller: MaybeToken,
  name: string,
  input: object | undefined,
  headers?: Record<string, string>,
) => Promise<CallResult>

/** Puts path parameters into the URL and other fields into query or body. Responses are checked against the OpenAPI document. */
export const restTransport =
  (server: TestServer): Transport =>
  async (caller, name, input = {}, headers = {}) => {
    const { method, path } = routeOf(name)
    const fields: Record<string, unknown> = { ...input }
    const address = path.replace(/\{(\w+)\}/g, (_all, word: string) => encodeURIComponent(String(fields[word])))
    for (const word of pathParametersOf(path)) delete fields[word]
    const query = Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)])
    const url = method === 'GET' && query.length > 0 ? `${address}?${new URLSearchParams(query).toString()}` : address
    const body = method === 'GET' || Object.keys(fields).length === 0 ? undefined : fields
    const response = await server.rest(caller)(`${method} ${url}`, body, headers)
    const { code, message, errors, data } = response.body
    return { status: response.status, code, message, errors, data }
  }

export const trpcTransport =
  (server: TestServer): Transport =>
  async (caller, name, input, headers = {}) => {
    const isQuery = routeOf(name).method === 'GET'
    const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
    const response = await server.app.inject({
      method: isQuery ? 'GET' : 'POST',
      url: `/trpc/${name}${query}`,
      headers: {
        'content-type': 'application/json',
        ...(caller && { authorization: `Bearer ${caller.token}` }),
        ...headers,
      },
      ...(!isQuery && { payload: JSON.stringify(input ?? {}) }),
    })
    const { result, error } = response.json<{
      result?: { data: unknown }
      error?: { data: { failure: Omit<CallResult, 'status' | 'data'> } }
    }>()
    const failure = error?.data.failure
    return {
      status: response.statusCode,
      code: failure?.code,
      message: failure?.message,
      errors: failure?.errors,
      data: result?.data,
    }
  }

/** The visitor of the fixture has an account but is not signed in. */
export const tokenOf = ({ role, caller }: Pick<PermissionCase, 'role' | 'caller'>): MaybeToken =>
  role === 'visitor' ? null : caller

/** An external sign-in is valid only in the browser that began it. */
const cookieOf = ({ isOwn, caller, fixture }: PermissionCase): string =>
  `${bindingCookieName(fixture.server.deps.config)}=${browserBindingOf(isOwn ? caller : fixture.teams.B.buddy)}`

export function callProcedure(
  transport: Transport,
  name: ProcedureName,
  testCase: PermissionCase,
  fields?: object,
): Promise<CallResult> {
  const headers = name === 'auth.verifyGoogleOtp' ? { cookie: cookieOf(testCase) } : {}
  return transport(
    tokenOf(testCase),
    name,
    fields ? { ...inputOf(name, testCase), ...fields } : inputOf(name, testCase),
    headers,
  )
}

const ERROR_NAMES = new Map<string, string>()
for (const [name, error] of Object.entries(appErrors))
  if (typeof error === 'object') ERROR_NAMES.set(`${error.status} ${error.code}`, name)
/** `yes`, the name of the error in the catalogue, or the unexpected status and code. */
export function outcomeOf({ status, code }: CallResult): string {
  if (status >= 200 && status < 300) return 'yes'
  return ERROR_NAMES.get(`${status} ${code}`) ?? `${status} ${code}`
}

const TRANSPORTS = ['REST', 'tRPC'] as const
/** The calls to check over this transport: all in the full tier; otherwise both share them, so that each call is checked once. */
export const callsOver = (transport: (typeof TRANSPORTS)[number]): ProcedureName[] =>
  // Cast: the first test of both transports compares the names with the contract.
  (Object.keys(PERMISSIONS) as ProcedureName[]).filter((name) =>
    sampledForTier(TRANSPORTS, 1, `matrix of ${name}`).includes(transport),
  )
