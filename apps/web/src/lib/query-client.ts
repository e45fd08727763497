import { MutationCache, type Query, QueryClient } from '@tanstack/react-query'
import { failureOf, isSessionError, isTransient } from './failure.ts'
import { reloadPage } from './reload-page.ts'
import { askToSignInAgain } from './sign-in-intent.ts'
import { type FailureToast, toast } from './toasts.ts'

/** A translated toast: its title, or more. */
export type SuccessToast = string | { title: string; message?: string; warning?: { title: string; message?: string } }

export type ShowToast = (type: 'success' | 'error', title: string, message?: string) => void

export interface DelayedInvalidation {
  ms: number
  invalidates: readonly string[]
}

/** Effects of a mutation, run by the cache below and written by `useAction`. */
export interface DeclaredMeta {
  success?: (output: unknown, variables: unknown) => SuccessToast | undefined
  /** Null: shown elsewhere. */
  failure?: (error: unknown, variables: unknown) => FailureToast | null
  /** Path prefixes of stale queries; the mutation is pending until they are fetched. */
  invalidates?: readonly string[] | undefined
  /** Invalidates more after a delay. */
  later?: DelayedInvalidation | undefined
  reloads?: boolean | undefined
  /** Shows success and failure in place of the default toasts. */
  showToast?: ShowToast | undefined
  [key: string]: unknown
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: DeclaredMeta
  }
}

const SECOND = 1000
const RETRIES = 2
/** Longest `Retry-After` that is waited for, in seconds; a longer one is shown as an error at once. */
const LONGEST_COOLDOWN = 30

/** Only network errors and short rate limits are worth a retry. */
function mayRetry(error: unknown): boolean {
  const { kind, code, cooldown = 0 } = failureOf(error)
  return kind === 'network' || (code === 'TOO_MANY_REQUESTS' && cooldown <= LONGEST_COOLDOWN)
}

/** In ms: at least `Retry-After`, with jitter. */
export function retryDelay(count: number, error: unknown): number {
  const { cooldown = 0 } = failureOf(error)
  return Math.max(cooldown, 2 ** count) * SECOND + Math.random() * SECOND
}

// A tRPC query's key begins with its path: [['teams', 'list'], ...].
const pathOf = ({ queryKey: [path] }: Query): string => (Array.isArray(path) ? path.join('.') : '')

/** Whether a query's path starts with one of these: `hasPath(['teams', 'users.list'])`. */
export const hasPath =
  (paths: readonly string[]) =>
  (query: Query): boolean =>
    paths.some((path) => `${pathOf(query)}.`.startsWith(`${path}.`))

/** Invalidates queries by path prefix. The only way to refresh. */
export const invalidate = (paths: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({ predicate: hasPath(paths) })

const ABOUT_PASSWORD = new Set([
  'WRONG_PASSWORD',
  'WRONG_CURRENT_PASSWORD',
  'PASSWORD_REQUIRED',
  'ADMIN_PASSWORD_LOCKED',
])

/** Shown by the dialog that asks for the password. */
export const isPasswordError = (error: unknown): boolean => ABOUT_PASSWORD.has(failureOf(error).code ?? '')

/** Whether a retry may succeed: wrong password, network failure or server error. */
export const isRetryable = (error: unknown): boolean => isPasswordError(error) || isTransient(failureOf(error))

const showPlainToast: ShowToast = (type, title, message) => void toast[type](title, message)

function showSuccess(texts: SuccessToast, showToast: ShowToast = showPlainToast): void {
  if (typeof texts === 'string') return showToast('success', texts)
  showToast('success', texts.title, texts.message)
  if (texts.warning) toast.warning(texts.warning.title, texts.warning.message)
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30 * SECOND,
      retry: (count, error) => count < RETRIES && mayRetry(error),
      retryDelay,
    },
    // Fails at once while offline: a paused write would run later, unexpectedly.
    mutations: { networkMode: 'always' },
  },
  mutationCache: new MutationCache({
    onSuccess: (output, variables, _onMutate, { meta }) => {
      const texts = meta?.success?.(output, variables)
      if (texts) showSuccess(texts, meta?.showToast)
    },
    onError: (error, variables, _onMutate, { meta }) => {
      const texts = meta?.failure?.(error, variables)
      if (texts && meta?.showToast) meta.showToast('error', texts.title, texts.message)
      else if (texts) toast.failure(error, texts)
      if (isSessionError(failureOf(error))) askToSignInAgain()
    },
    onSettled: (_output, error, _variables, _onMutate, { meta = {} }) => {
      const { invalidates = [], later, reloads } = meta
      // Any other error may mean that the page shows outdated data.
      if (error && isRetryable(error)) return undefined
      if (reloads && !error) void reloadPage().then(() => queryClient.invalidateQueries())
      if (later) setTimeout(() => void invalidate(later.invalidates), later.ms)
      const fetched = invalidate(invalidates)
      return error ? undefined : fetched
    },
  }),
})
