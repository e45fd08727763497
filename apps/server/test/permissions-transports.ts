import { appErrors, pathParametersOf } from '@community/contract'
import { bindingCookieName } from '../src/auth/external-sign-in.ts'
import type { CallName } from './permissions.ts'
import { browserOf } from './permissions-situation.ts'
import { inputOf, type Place } from './permissions-inputs.ts'
import { routeOf } from './permissions-routes.ts'
import type { Answer, Person, World } from './world.ts'

/** How a call was answered, whichever door it went through. */
export interface Answered {
  status: number
  code?: string | undefined
  message?: string | undefined
  errors?: { path: string; msg: string }[] | undefined
  data?: Answer['body']['data']
}
export type Who = Pick<Person, 'token'> | null
/** One call by its name, with its input as the contract has it. */
export type Door = (
  who: Who,
  name: string,
  input: object | undefined,
  headers?: Record<string, string>,
) => Promise<Answered>

/** Words of the path go into the address, the rest into the query or the body. Every answer is checked against the document. */
export const restDoor =
  (world: World): Door =>
  async (who, name, input = {}, headers = {}) => {
    const { method, path } = routeOf(name)
    const fields: Record<string, unknown> = { ...input }
    const address = path.replace(/\{(\w+)\}/g, (_all, word: string) => encodeURIComponent(String(fields[word])))
    for (const word of pathParametersOf(path)) delete fields[word]
    const query = Object.entries(fields).map(([key, value]): [string, string] => [key, String(value)])
    const url = method === 'GET' && query.length > 0 ? `${address}?${new URLSearchParams(query).toString()}` : address
    const body = method === 'GET' || Object.keys(fields).length === 0 ? undefined : fields
    const answer = await world.rest(who)(`${method} ${url}`, body, headers)
    const { code, message, errors, data } = answer.body
    return { status: answer.status, code, message, errors, data }
  }

export const trpcDoor =
  (world: World): Door =>
  async (who, name, input, headers = {}) => {
    const isQuery = routeOf(name).method === 'GET'
    const query = isQuery && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : ''
    const response = await world.app.inject({
      method: isQuery ? 'GET' : 'POST',
      url: `/trpc/${name}${query}`,
      headers: { 'content-type': 'application/json', ...(who && { authorization: `Bearer ${who.token}` }), ...headers },
      ...(!isQuery && { payload: JSON.stringify(input ?? {}) }),
    })
    const { result, error } = response.json<{
      result?: { data: unknown }
      error?: { data: { failure: Omit<Answered, 'status' | 'data'> } }
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

/** A visitor has an account and is not signed in. */
export const tokenOf = ({ who, me }: Pick<Place, 'who' | 'me'>): Who => (who === 'visitor' ? null : me)

/** An external sign-in counts in the browser that began it: a foreign one is another's. */
const cookieOf = ({ isOwn, me, s }: Place): string =>
  `${bindingCookieName(s.world.deps.config)}=${browserOf(isOwn ? me : s.teams.B.buddy)}`

export function callAt(door: Door, name: CallName, place: Place): Promise<Answered> {
  const headers = name === 'auth.verifyGoogleOtp' ? { cookie: cookieOf(place) } : {}
  return door(tokenOf(place), name, inputOf(name, place), headers)
}

const NAMES = new Map<string, string>()
for (const [name, fault] of Object.entries(appErrors))
  if (typeof fault === 'object') NAMES.set(`${fault.status} ${fault.code}`, name)
/** Done, the fault as the contract names it, or what nobody expected. */
export function outcomeOf({ status, code }: Answered): string {
  if (status >= 200 && status < 300) return 'yes'
  return NAMES.get(`${status} ${code}`) ?? `${status} ${code}`
}
