import { MutationCache, QueryClient } from '@tanstack/react-query'
import { failureOf } from './failure.ts'
import { t } from './i18n.ts'
import { toast } from './toasts.ts'

/** Toasts and refreshes that a mutation declares. Texts are English ids: mark them with `msg`. */
export interface DeclaredMeta {
  /** Toast after success: a title, or a title with a message. */
  done?: string | { title: string; message?: string }
  /** Toast after failure: title (default 'Error') and the message when the server gives none. */
  failed?: string | { title: string; message?: string }
  /** Domains whose queries are stale after success (['teams', 'leaderboard']); all of them unless told, none with []. */
  invalidates?: string[]
  /** False: the mutation has ended before those queries are fetched anew, for what shows its own answer. True unless told. */
  waitsForQueries?: boolean
  [key: string]: unknown
}

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: DeclaredMeta
  }
}

const asTitled = (declared: string | { title: string; message?: string }, defaultTitle?: string) => {
  if (typeof declared !== 'string') return declared
  return defaultTitle === undefined ? { title: declared } : { title: defaultTitle, message: declared }
}

// A tRPC query's key begins with its path: [['teams', 'list'], ...].
const domainOf = (key: readonly unknown[]): unknown => (Array.isArray(key[0]) ? key[0][0] : key[0])

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
    onSuccess: (_data, _variables, _onMutate, mutation) => {
      const { done, invalidates, waitsForQueries = true } = mutation.meta ?? {}
      if (done) {
        const { title, message } = asTitled(done)
        toast.success(t(title), message && t(message))
      }
      const fetched = queryClient.invalidateQueries({
        predicate: (query) => !invalidates || invalidates.some((domain) => domain === domainOf(query.queryKey)),
      })
      return waitsForQueries ? fetched : undefined
    },
    onError: (error, _variables, _onMutate, mutation) => {
      const { failed } = mutation.meta ?? {}
      // A wrong password is told by the dialog that asked for it.
      if (!failed || failureOf(error).code === 'WRONG_PASSWORD') return
      const { title, message } = asTitled(failed, 'Error')
      toast.failure(error, t(title), message && t(message))
    },
  }),
})
