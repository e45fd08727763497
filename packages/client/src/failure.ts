import type { components } from './schema.gen.ts'

export type Failure = components['schemas']['Failure']

/** The error that `dataOf` throws. `code` is undefined if something else than the API responded, such as a proxy with an error page. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly failure: Failure | undefined

  constructor(status: number, failure?: Failure) {
    super(failure ? `${failure.code}: ${failure.message}` : `The server answered ${status}`)
    this.status = status
    this.code = failure?.code
    this.failure = failure
  }
}

const isFailure = (error: unknown): error is Failure => typeof error === 'object' && error !== null && 'code' in error

type FetchResult<T> = { data?: { data: T }; error?: unknown; response: Response }

/** The `data` of a success; throws `ApiError` for a failure. */
export async function dataOf<T>(call: Promise<FetchResult<T>>): Promise<T> {
  const { data, error, response } = await call
  if (data === undefined) throw new ApiError(response.status, isFailure(error) ? error : undefined)
  return data.data
}

/** The code of a failed response; undefined when it did not come from the API. Leaves the body unread. */
export async function codeOf(response: Response): Promise<string | undefined> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return isFailure(body) ? body.code : undefined
}
