import type { Query, QueryClient } from '@tanstack/react-query'

// A tRPC query's key begins with its path: [['teams', 'list'], ...].
const pathOf = ({ queryKey: [path] }: Query): string => (Array.isArray(path) ? path.join('.') : '')

/** Whether a query's path starts with one of these: `hasPath(['teams', 'users.list'])`. */
export const hasPath =
  (paths: readonly string[]) =>
  (query: Query): boolean =>
    paths.some((path) => `${pathOf(query)}.`.startsWith(`${path}.`))

/** Invalidates queries by path prefix: the one way to refresh after a change. `none` only marks them as stale, and they are fetched when the tab is shown again. */
export const invalidate = (
  client: QueryClient,
  paths: readonly string[],
  refetchType: 'active' | 'none' = 'active',
): Promise<void> => client.invalidateQueries({ predicate: hasPath(paths), refetchType })
