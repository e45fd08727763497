import type { Query } from '@tanstack/react-query'
import { queryClient } from '../../lib/query-client.ts'

/** Milliseconds between a successful action and the reload of the lists. */
export const RELOAD_DELAY_MS = 500

// A tRPC query's key begins with its path: [['admin', 'listChallenges'], ...].
const pathOf = ({ queryKey: [path] }: Query): string => (Array.isArray(path) ? path.join('.') : '')

const LISTS = ['admin.listChallenges', 'submissions.list']
const SETTINGS = ['admin.settings', 'system.settings']

/** A list of the admin area. */
export const isAdminList = (query: Query): boolean => LISTS.includes(pathOf(query))

/** Anything the admin area shows. */
export const isAdminQuery = (query: Query): boolean => isAdminList(query) || SETTINGS.includes(pathOf(query))

/** Reloads every list after an admin action, half a second later; settings stay as they are. */
export function reloadListsSoon(): void {
  setTimeout(() => {
    void queryClient.invalidateQueries({ predicate: (query) => !SETTINGS.includes(pathOf(query)) })
  }, RELOAD_DELAY_MS)
}
