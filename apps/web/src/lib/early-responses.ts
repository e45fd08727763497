import { queryUrl } from './first-queries.ts'

interface Query {
  path: string
  input: unknown
}

/** Whether boot.js has requested this query and nothing has taken the response yet. */
export const hasEarlyResponse = ({ path, input }: Query): boolean =>
  Object.hasOwn(window.earlyResponses ?? {}, queryUrl(path, input))

/** Removes and returns the response that boot.js requested; undefined if there is none. */
export function takeEarlyResponse(url: string): Promise<Response> | undefined {
  const response = window.earlyResponses?.[url]
  delete window.earlyResponses?.[url]
  return response
}

/** Call before a write and when the user changes: the responses may be outdated then. */
export function dropEarlyResponses(): void {
  delete window.earlyResponses
}
