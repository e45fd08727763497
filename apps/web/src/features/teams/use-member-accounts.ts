import type { Account, TeamMember } from '@community/contract'
import { useEffect } from 'react'
import { failureOf } from '../../lib/failure.ts'
import { t } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'

export type MemberAccount = Pick<Account, 'role' | 'warnings' | 'isBanned'>

export interface MemberAccounts {
  of: (userId: string) => MemberAccount | undefined
  hasFailed: boolean
  isFetching: boolean
  retry: () => void
}

/**
 * The accounts of a team's members with their warnings and bans, for administrators. One query per member (sent as one
 * batch), as the list of all accounts is paginated. A failure is also shown as a toast.
 */
export function useMemberAccounts(members: readonly TeamMember[]): MemberAccounts {
  const queries = trpc.useQueries((proxy) => members.map(({ userId }) => proxy.users.get({ id: userId })))
  const users = queries.flatMap(({ data }) => (data && 'warnings' in data.user ? [data.user] : []))
  const failed = queries.filter(({ data, error }) => error && !data)
  const [first] = failed
  const kind = first && failureOf(first.error).kind
  useEffect(() => {
    if (kind === 'rejected') toast.warning(t('Admin Data'), t('Could not load user data for admin features'))
    else if (kind) toast.error(t('Error'), t('Failed to load user data. Some admin features may not be available.'))
  }, [kind])
  return {
    of: (userId) => users.find(({ id }) => id === userId),
    hasFailed: failed.length > 0,
    isFetching: failed.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const { refetch } of failed) void refetch()
    },
  }
}
