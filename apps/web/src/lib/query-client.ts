import { MutationCache, type Query, QueryClient } from '@tanstack/react-query'
import { failureOf, isTransient } from './failure.ts'
import { reloadPage } from './reload-page.ts'
import { toast } from './toasts.ts'

/** A toast after success: its title, or more. Translated. */
export type SuccessWords = string | { title: string; message?: string; warning?: { title: string; message?: string } }

/** A toast after a failure. `fallback` is said where the server says nothing; a `message` in place of its words. Translated. */
export interface FailureWords {
  title: string
  message?: string
  fallback?: string
}

export type Say = (type: 'success' | 'error', title: string, message?: string) => void

export interface LaterRefresh {
  ms: number
  invalidates: readonly string[]
}

/** What a mutation declares besides its call, carried out by the cache below. `useAction` writes it. */
export interface DeclaredMeta {
  success?: (output: unknown, variables: unknown) => SuccessWords | undefined
  /** Null: the failure is said elsewhere. */
  failure?: (error: unknown, variables: unknown) => FailureWords | null
  /** Queries that are stale afterwards, by the start of their path; the mutation lasts until they are fetched anew. */
  invalidates?: readonly string[] | undefined
  /** Others, a while later. */
  later?: LaterRefresh | undefined
  reloads?: boolean | undefined
  /** Says it in a place of its own; a toast among the others unless told. */
  say?: Say | undefined
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

/** Only the way to the server, or a budget that refills within seconds, may be better next time; any other refusal stays one. */
function mayRetry(error: unknown): boolean {
  const { kind, code, cooldown = 0 } = failureOf(error)
  return kind === 'network' || (code === 'TOO_MANY_REQUESTS' && cooldown <= LONGEST_COOLDOWN)
}

/** Milliseconds: never before the server said, and not everybody at the same moment. */
export function retryDelay(count: number, error: unknown): number {
  const { cooldown = 0 } = failureOf(error)
  return Math.max(cooldown, 2 ** count) * SECOND + Math.random() * SECOND
}

// A tRPC query's key begins with its path: [['teams', 'list'], ...].
const pathOf = ({ queryKey: [path] }: Query): string => (Array.isArray(path) ? path.join('.') : '')

/** Is a query's path one of these, or in one of these domains? `isUnder(['teams', 'users.list'])`. */
export const isUnder =
  (paths: readonly string[]) =>
  (query: Query): boolean =>
    paths.some((path) => `${pathOf(query)}.`.startsWith(`${path}.`))

/** Marks queries as stale, by the start of their path, and fetches those that are shown. */
export const refresh = (paths: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({ predicate: isUnder(paths) })

const ABOUT_PASSWORD = new Set([
  'WRONG_PASSWORD',
  'WRONG_CURRENT_PASSWORD',
  'PASSWORD_REQUIRED',
  'ADMIN_PASSWORD_LOCKED',
])

/** Said by the dialog that asks for the password. */
export const isAboutPassword = (error: unknown): boolean => ABOUT_PASSWORD.has(failureOf(error).code ?? '')

/** Another try may go through: the password was wrong, the way there failed, or the server was in trouble. */
export const mayTryAgain = (error: unknown): boolean => isAboutPassword(error) || isTransient(failureOf(error))

const sayToast: Say = (type, title, message) => void toast[type](title, message)

function saySuccess(words: SuccessWords, say: Say = sayToast): void {
  if (typeof words === 'string') return say('success', words)
  say('success', words.title, words.message)
  if (words.warning) toast.warning(words.warning.title, words.warning.message)
}

export const queryClient: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30 * SECOND,
      retry: (count, error) => count < RETRIES && mayRetry(error),
      retryDelay,
    },
    // Offline, a write fails at once and says so: one that waits in silence would happen later, unasked.
    mutations: { networkMode: 'always' },
  },
  mutationCache: new MutationCache({
    onSuccess: (output, variables, _onMutate, { meta }) => {
      const words = meta?.success?.(output, variables)
      if (words) saySuccess(words, meta?.say)
    },
    onError: (error, variables, _onMutate, { meta }) => {
      const words = meta?.failure?.(error, variables)
      if (words?.message !== undefined) (meta?.say ?? sayToast)('error', words.title, words.message)
      else if (words) toast.failure(error, words.title, words.fallback)
    },
    onSettled: (_output, error, _variables, _onMutate, { meta = {} }) => {
      const { invalidates = [], later, reloads } = meta
      // Any other refusal may mean that the page shows what has changed or gone since.
      if (error && mayTryAgain(error)) return undefined
      if (reloads && !error) void reloadPage().then(() => queryClient.invalidateQueries())
      if (later) setTimeout(() => void refresh(later.invalidates), later.ms)
      const fetched = refresh(invalidates)
      return error ? undefined : fetched
    },
  }),
})
