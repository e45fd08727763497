import type { Account, TeamMember } from '@community/contract'
import { useQueries } from '@tanstack/react-query'
import { failureOf } from '../../lib/failure.ts'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { msg } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import type { FailedQuery } from '../../ui/query-error.tsx'

export type MemberAccount = Pick<Account, 'role' | 'warnings' | 'isBanned'>

export interface MemberAccounts {
  of: (userId: string) => MemberAccount | undefined
  failed: readonly Pick<FailedQuery, 'isFetching' | 'refetch'>[]
}

/** The specification's toasts: for an error of the server, and for no response. */
const REJECTED = {
  type: 'warning',
  title: msg('Admin Data'),
  message: msg('Could not load user data for admin features'),
} as const
const UNREACHABLE = { message: msg('Failed to load user data. Some admin features may not be available.') }

/**
 * The accounts of a team's members with their warnings and bans, for administrators. One query per member (sent as one
 * batch), as the list of all accounts is paginated. A failure is also shown as a toast.
 */
export function useMemberAccounts(members: readonly TeamMember[]): MemberAccounts {
  const queries = useQueries({ queries: members.map(({ userId }) => trpc.users.get.queryOptions({ id: userId })) })
  const users = queries.flatMap(({ data }) => (data?.user.visibility === 'full' ? [data.user] : []))
  const failed = queries.filter(({ data, error }) => error && !data)
  const [first] = failed
  useFailureToast(first?.error, failureOf(first?.error).kind === 'rejected' ? REJECTED : UNREACHABLE)
  return {
    of: (userId) => users.find(({ id }) => id === userId),
    failed,
  }
}
