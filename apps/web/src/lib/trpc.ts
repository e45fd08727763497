import type { AppRouter } from '@community/contract'
import { REQUEST_TIMEOUT_MS } from '@community/contract/limits'
import { createTRPCClient, httpBatchLink, httpLink, type Operation, splitLink } from '@trpc/client'
import { createTRPCQueryUtils } from '@trpc/react-query'
import { proofOfWorkLink, type ProofContext } from './bot-check.ts'
import { hasEarlyResponse, takeEarlyResponse } from './early-responses.ts'
import {
  failureOf,
  isSessionError,
  NETWORK_TEXT,
  parseAppError,
  AppError,
  TIMEOUT_TEXT,
  TransportError,
  unreadableResponse,
} from './failure.ts'
import { languageHeader } from './i18n.ts'
import { queryClient } from './query-client.ts'
import { createRetryLink } from './retry-link.ts'
import { accessToken, freshToken, refreshSession } from './session.ts'
import { PUBLIC_QUERIES, SHARED_QUERIES } from './shared-queries.ts'
import { idempotencyLink, type WriteContext } from './idempotency-link.ts'

const BATCH_ITEMS_MAX = 10

const isTrpcResponse = (body: unknown): boolean =>
  Array.isArray(body) || (typeof body === 'object' && body !== null && ('result' in body || 'error' in body))

function messageIn(body: unknown): string | null {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : null
  return typeof message === 'string' && message !== '' ? message : null
}

/** The response if its body is JSON; otherwise throws a TransportError with the text or status. */
async function ensureJson(response: Response): Promise<Response> {
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    const message = text.trim()
    // HTML or truncated JSON is no message for users.
    if (message !== '' && !/^[<[{]/.test(message)) throw new TransportError('format', message.slice(0, 300))
    throw unreadableResponse(response.status)
  }
  const appError = parseAppError(body)
  if (appError) throw appError
  if (!isTrpcResponse(body)) {
    const message = messageIn(body)
    throw message === null ? unreadableResponse(response.status) : new TransportError('format', message)
  }
  return new Response(text, { status: response.status, headers: response.headers })
}

/** `fetch` with a time limit. Throws a TransportError with the specified message. */
export async function request(url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const controller = new AbortController()
  let isTimedOut = false
  const timer = setTimeout(() => {
    isTimedOut = true
    controller.abort()
  }, REQUEST_TIMEOUT_MS)
  const abort = () => controller.abort()
  init.signal?.addEventListener('abort', abort)
  if (init.signal?.aborted) abort()
  try {
    return await ensureJson(await fetch(url, { ...init, signal: controller.signal }))
  } catch (error) {
    if (error instanceof TransportError || error instanceof AppError) throw error
    if (isTimedOut) throw new TransportError('timeout', TIMEOUT_TEXT)
    if (controller.signal.aborted) throw error
    throw new TransportError('network', NETWORK_TEXT)
  } finally {
    clearTimeout(timer)
    init.signal?.removeEventListener('abort', abort)
  }
}

/** Repeats a call with an expired token once with a new one. */
const refreshLink = createRetryLink(() => {
  const token = accessToken()
  return async (error, attempt) => {
    if (attempt > 1 || token === null || !isSessionError(failureOf(error))) return null
    return (await refreshSession(token)) ? {} : null
  }
})

/** A search or a further page counts for the signed-in user, not for the visitors of their IP address. */
function isPublicQuery({ path, input }: Pick<Operation, 'path' | 'input'>): boolean {
  const { cursor, search } = (input ?? {}) as { cursor?: unknown; search?: unknown }
  return PUBLIC_QUERIES.has(path) && !cursor && !search
}

async function headers(): Promise<Record<string, string>> {
  const token = await freshToken()
  return { ...languageHeader(), ...(token && { authorization: `Bearer ${token}` }) }
}

const linkOptions = {
  url: '/trpc',
  fetch: (url: RequestInfo | URL, init?: object) => request(url, init),
}

/** The response that boot.js has requested; a request of its own if that one failed, unless by its time limit. */
async function fetchEarly(url: RequestInfo | URL, init?: object): Promise<Response> {
  try {
    const response = await takeEarlyResponse(url instanceof Request ? url.url : url.toString())
    if (response?.ok) return await ensureJson(response)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError')
      throw new TransportError('timeout', TIMEOUT_TEXT)
  }
  return request(url, init)
}

const batchOptions = { ...linkOptions, maxItems: BATCH_ITEMS_MAX, headers }

/** Writes: `useAction(trpcClient.teams.join, { ... })`. */
export const trpcClient = createTRPCClient<AppRouter>({
  links: [
    idempotencyLink,
    refreshLink,
    proofOfWorkLink,
    splitLink({
      // Do not batch writes: the idempotency key is a header of the whole request.
      condition: (op) => op.type === 'mutation',
      true: httpLink({
        ...linkOptions,
        headers: async ({ op }) => {
          // Set only by `idempotencyLink` and `proofOfWorkLink`.
          const { idempotencyKey, proofOfWork } = op.context as WriteContext & ProofContext
          return {
            ...(await headers()),
            ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
            ...(proofOfWork && { 'x-proof-of-work': proofOfWork }),
          }
        },
      }),
      false: splitLink({
        condition: hasEarlyResponse,
        true: httpLink({
          ...linkOptions,
          fetch: fetchEarly,
          headers: ({ op }) => (isPublicQuery(op) ? languageHeader() : headers()),
        }),
        false: splitLink({
          // Visitors' queries are all compressed.
          condition: (op) => accessToken() !== null && isPublicQuery(op),
          true: httpLink({ ...linkOptions, headers: languageHeader }),
          false: splitLink({
            condition: ({ path }) => accessToken() !== null && SHARED_QUERIES.has(path),
            true: httpBatchLink(batchOptions),
            false: httpBatchLink(batchOptions),
          }),
        }),
      }),
    }),
  ],
})

/**
 * Reads: `useQuery(trpc.teams.list.queryOptions({ limit: 100 }))`. The hooks of `createTRPCReact` would bring every hook of TanStack
 * Query into the first load.
 */
export const trpc = createTRPCQueryUtils<AppRouter>({ client: trpcClient, queryClient })
