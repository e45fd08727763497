import type { AppContract, Output } from '@community/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { AdminList } from './admin-list.tsx'
import { MAIL_LABELS } from './mail-labels.ts'
import { useAdminSearch } from './use-admin-search.ts'

type UnsentMail = Output<AppContract['admin']['mails']>['mails'][number]

/** Mails per page. */
const PAGE_SIZE = 20

/** Mails that could not be sent, each with a button to send it again. */
export function UnsentMails() {
  const t = useT()
  const listState = useAdminSearch('unsentMails')
  const list = useQuery(
    trpc.admin.mails.queryOptions({ ...listState.input, limit: PAGE_SIZE }, { placeholderData: keepPreviousData }),
  )
  const columns = useColumns()
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="text-xl">{t('Emails that could not be sent')}</h2>
      <AdminList
        listState={listState}
        toolbar={null}
        query={list}
        rows={list.data?.mails ?? []}
        columns={columns}
        caption={t('Emails that could not be sent')}
        pagesLabel={t('Pages of emails')}
        empty={<p className="text-ink-2">{t('All emails were sent.')}</p>}
      />
    </section>
  )
}

function useColumns(): Column<UnsentMail>[] {
  const t = useT()
  return [
    {
      key: 'recipient',
      header: t('Recipient'),
      onCard: 'title',
      cell: ({ id, recipient, template }) => (
        <span id={`mail-${id}`} className="wrap-anywhere">
          <bdi className="block font-semibold">{recipient || t('Deleted account')}</bdi>
          <bdi className="block text-sm text-muted">{t(MAIL_LABELS[template] ?? template)}</bdi>
        </span>
      ),
    },
    {
      key: 'error',
      header: t('Last error'),
      cell: ({ lastError }) => <bdi className="text-sm wrap-anywhere">{lastError}</bdi>,
    },
    { key: 'attempts', header: t('Attempts'), align: 'end', cell: ({ attempts }) => formatNumber(attempts) },
    {
      key: 'when',
      header: t('Created'),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'end',
      onCard: 'actions',
      cell: (mail) => <RetryButton mail={mail} />,
    },
  ]
}

function RetryButton({ mail }: { mail: UnsentMail }) {
  const t = useT()
  const retry = useAction(trpcClient.admin.retryMail, {
    success: t('The email will be sent again'),
    failure: t('Failed to resend the email'),
    ...AFTER_ADMIN_ACTION,
  })
  return (
    <Button
      size="sm"
      aria-describedby={`mail-${mail.id}`}
      busy={retry.isPending}
      onClick={() => void retry.run({ id: mail.id })}
    >
      {t('Resend')}
    </Button>
  )
}
