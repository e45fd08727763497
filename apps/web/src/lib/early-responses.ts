import { queryUrl } from './first-queries.ts'

interface Query {
  path: string
  input: unknown
}

/** Whether boot.js has requested this query and nothing has taken the response yet. */
export const hasEarlyResponse = ({ path, input }: Query): boolean =>
  Object.hasOwn(window.earlyResponses ?? {}, queryUrl(path, input))

/** The response that boot.js requested, once. Undefined if there is none. */
export function takeEarlyResponse(url: string): Promise<Response> | undefined {
  const response = window.earlyResponses?.[url]
  delete window.earlyResponses?.[url]
  return response
}

/** Call before a write or a change of users: the responses may be outdated then. */
export function dropEarlyResponses(): void {
  delete window.earlyResponses
}
