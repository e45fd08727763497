import type { User } from '@community/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { lazyWithRetry } from '../../../lib/lazy-with-retry.tsx'
import { trpc } from '../../../lib/trpc.ts'
import type { Sort } from '../../../ui/data-table.tsx'
import { LazyDialog } from '../../../ui/lazy-dialog.tsx'
import { AdminList } from '../admin-list.tsx'
import { FilterSelect } from '../filter-select.tsx'
import { useUserColumns } from './user-columns.tsx'
import { useAdminSearch } from '../use-admin-search.ts'

const UserDialog = lazyWithRetry(() => import('./user-dialog.tsx').then((part) => part.UserDialog))
const RemoveFromTeamsDialog = lazyWithRetry(() =>
  import('./remove-from-teams.tsx').then((part) => part.RemoveFromTeamsDialog),
)

const CHOICES = {
  order: [
    'createdAt desc',
    'createdAt asc',
    'name asc',
    'name desc',
    'email asc',
    'email desc',
    'warnings desc',
    'warnings asc',
  ],
  role: ['', 'member', 'admin'],
  status: ['', 'active', 'banned'],
} as const
type UserSort = 'createdAt' | 'name' | 'email' | 'warnings'
type SortOrder = (typeof CHOICES)['order'][number]
type UserStatus = (typeof CHOICES)['status'][number]

/** All accounts, with search and moderation. */
export function UsersTab() {
  const t = useT()
  const listState = useAdminSearch('users', CHOICES)
  const { input, update } = listState
  const { role, status, order } = listState.filters
  const [shown, setShown] = useState<{ dialog: 'details' | 'teams'; user: User } | null>(null)
  // Both parts come from `SortOrder`.
  const [sort, direction] = order.split(' ') as [UserSort, 'asc' | 'desc']
  const list = useQuery(
    trpc.users.list.queryOptions(
      {
        ...input,
        sort,
        order: direction,
        ...(role !== '' && { role }),
        ...(status !== '' && { status }),
      },
      { placeholderData: keepPreviousData },
    ),
  )
  const columns = useUserColumns({
    onDetails: (user) => setShown({ dialog: 'details', user }),
    onPickTeams: (user) => setShown({ dialog: 'teams', user }),
  })
  const close = () => setShown(null)
  return (
    <div className="grid grid-cols-1 gap-5">
      <AdminList
        listState={listState}
        searchLabel={t('Search users')}
        searchPlaceholder={t('Name or email')}
        toolbar={
          <>
            <RoleFilter value={role} onChange={(value) => update({ role: value })} />
            <StatusFilter value={status} onChange={(value) => update({ status: value })} />
            <SortSelect value={order} onChange={(value) => update({ order: value })} />
          </>
        }
        query={list}
        rows={list.data?.users ?? []}
        columns={columns}
        caption={t('Users')}
        pagesLabel={t('Pages of users')}
        sort={{ key: sort, order: direction }}
        // Only the columns with these keys can be sorted by.
        onSort={(by: Sort) => update({ order: `${by.key as UserSort} ${by.order}` })}
        empty={t('No users found')}
      />
      <LazyDialog key={shown?.dialog} onClose={close}>
        {shown?.dialog === 'details' && (
          <UserDialog user={shown.user} onClose={close} onPickTeams={() => setShown({ ...shown, dialog: 'teams' })} />
        )}
        {shown?.dialog === 'teams' && <RemoveFromTeamsDialog user={shown.user} onClose={close} />}
      </LazyDialog>
    </div>
  )
}

interface SelectProps<Value> {
  value: Value
  onChange: (value: Value) => void
}

function RoleFilter(props: SelectProps<User['role'] | ''>) {
  const t = useT()
  const options = [
    { value: '' as const, label: t('All roles') },
    { value: 'member' as const, label: t('Member') },
    { value: 'admin' as const, label: t('Admin') },
  ]
  return <FilterSelect label={t('Role')} options={options} {...props} />
}

function StatusFilter(props: SelectProps<UserStatus>) {
  const t = useT()
  const options = [
    { value: '' as const, label: t('Any status') },
    { value: 'active' as const, label: t('Active') },
    { value: 'banned' as const, label: t('Banned') },
  ]
  return <FilterSelect label={t('Status')} options={options} {...props} />
}

function SortSelect(props: SelectProps<SortOrder>) {
  const t = useT()
  const options: { value: SortOrder; label: string }[] = [
    { value: 'createdAt desc', label: t('Newest first') },
    { value: 'createdAt asc', label: t('Oldest first') },
    { value: 'name asc', label: t('Name (A to Z)') },
    { value: 'name desc', label: t('Name (Z to A)') },
    { value: 'email asc', label: t('Email (A to Z)') },
    { value: 'email desc', label: t('Email (Z to A)') },
    { value: 'warnings desc', label: t('Most warnings') },
    { value: 'warnings asc', label: t('Fewest warnings') },
  ]
  return <FilterSelect label={t('Sort by')} options={options} {...props} />
}
