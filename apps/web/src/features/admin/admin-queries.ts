import type { Query } from '@tanstack/react-query'
import { queryClient } from '../../lib/query-client.ts'

/** Milliseconds between a successful action and the reload of the lists. */
export const RELOAD_DELAY_MS = 500

// A tRPC query's key begins with its path: [['admin', 'listChallenges'], ...].
const pathOf = ({ queryKey: [path] }: Query): string => (Array.isArray(path) ? path.join('.') : '')

const LISTS = [
  'admin.audit',
  'admin.blacklist',
  'admin.listChallenges',
  'admin.mails',
  'admin.warnings',
  'submissions.list',
  'submissions.pending',
  'teams.list',
  'users.get',
  'users.list',
  'users.teams',
]
const STATS = 'admin.stats'
const SETTINGS = ['admin.settings', 'system.settings']

const isStats = (query: Query): boolean => pathOf(query) === STATS

/** Figures or a list of the admin area: what "Last updated" tells of. */
export const isAdminData = (query: Query): boolean => isStats(query) || LISTS.includes(pathOf(query))

/** Anything the admin area shows. */
export const isAdminQuery = (query: Query): boolean => isAdminData(query) || SETTINGS.includes(pathOf(query))

/** Reloads every list after an admin action, half a second later; settings stay as they are, figures wait until they are next looked at. */
export function reloadListsSoon(): void {
  setTimeout(() => {
    void queryClient.invalidateQueries({ predicate: isStats, refetchType: 'none' })
    void queryClient.invalidateQueries({
      predicate: (query) => !isStats(query) && !SETTINGS.includes(pathOf(query)),
    })
  }, RELOAD_DELAY_MS)
}
