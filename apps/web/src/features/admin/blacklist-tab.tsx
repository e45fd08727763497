import type { BlacklistEntry } from '@community/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { lazyWithRetry } from '../../lib/lazy-with-retry.tsx'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { LazyDialog } from '../../ui/lazy-dialog.tsx'
import { AdminList } from './admin-list.tsx'
import { Day } from './facts.tsx'
import { useAdminSearch } from './use-admin-search.ts'

// Lazy: its form loads zod.
const AddToBlacklistDialog = lazyWithRetry(() =>
  import('./add-to-blacklist.tsx').then((part) => part.AddToBlacklistDialog),
)

/** The email addresses that cannot register. */
export function BlacklistTab() {
  const t = useT()
  const listState = useAdminSearch('blacklist')
  const [isAdding, setAdding] = useState(false)
  const close = () => setAdding(false)
  const list = useQuery(trpc.admin.blacklist.queryOptions(listState.input, { placeholderData: keepPreviousData }))
  const columns = useColumns()
  return (
    <div className="grid grid-cols-1 gap-5">
      <AdminList
        listState={listState}
        searchLabel={t('Search the blacklist')}
        searchPlaceholder={t('Email')}
        toolbar={
          <Button variant="primary" className="max-sm:w-full" onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" />
            {t('Add address')}
          </Button>
        }
        query={list}
        rows={list.data?.blacklist ?? []}
        columns={columns}
        caption={t('Blacklist')}
        pagesLabel={t('Pages of the blacklist')}
        empty={listState.isFiltered ? t('No addresses found') : t('The blacklist is empty')}
      />
      {isAdding && (
        <LazyDialog onClose={close}>
          <AddToBlacklistDialog onClose={close} />
        </LazyDialog>
      )}
    </div>
  )
}

function useColumns(): Column<BlacklistEntry>[] {
  const t = useT()
  const remove = useAction(trpcClient.admin.removeFromBlacklist, {
    input: ({ id }: BlacklistEntry) => ({ id }),
    confirm: ({ email }) => ({
      title: t('Remove from the blacklist?'),
      message: t('{email} will be able to sign up again, unless its account is banned.', { email }),
      confirmLabel: t('Remove'),
    }),
    success: t('Address removed from the blacklist'),
    failure: t('Failed to remove the address'),
    ...AFTER_ADMIN_ACTION,
  })
  return [
    {
      key: 'email',
      header: t('Email'),
      onCard: 'title',
      cell: ({ id, email }) => (
        <bdi id={`address-${id}`} className="font-semibold wrap-anywhere">
          {email}
        </bdi>
      ),
    },
    {
      key: 'reason',
      header: t('Reason'),
      cell: ({ reason }) => <bdi className="wrap-anywhere">{reason}</bdi>,
    },
    {
      key: 'by',
      header: t('Added by'),
      cell: ({ createdBy }) => (createdBy ? <bdi>{createdBy.name}</bdi> : <span aria-hidden="true">–</span>),
    },
    {
      key: 'when',
      header: t('Added'),
      cell: ({ createdAt }) => <Day date={createdAt} />,
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'end',
      onCard: 'actions',
      cell: (entry) => (
        <Button size="sm" aria-describedby={`address-${entry.id}`} onClick={() => void remove.run(entry)}>
          {t('Remove')}
        </Button>
      ),
    },
  ]
}
