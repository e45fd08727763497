import type { Announcement } from '@community/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import { AFTER_ADMIN_ACTION } from '../../../components/after-admin-action.ts'
import { useAction } from '../../../lib/action.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { type Translate, useT } from '../../../lib/i18n.ts'
import { lazyWithRetry } from '../../../lib/lazy-with-retry.tsx'
import { useServerNow } from '../../../lib/server-clock.ts'
import { trpc, trpcClient } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import type { Tone } from '../../../ui/notice.tsx'
import { LazyDialog } from '../../../ui/lazy-dialog.tsx'
import { AdminList } from '../admin-list.tsx'
import { AUDIENCE_LABELS } from './audience-labels.ts'
import { useAdminSearch } from '../use-admin-search.ts'

// Lazy: its form loads zod.
const AnnouncementDialog = lazyWithRetry(() =>
  import('./announcement-dialog.tsx').then((part) => part.AnnouncementDialog),
)

const REFETCH_MS = 3000
/** Its state is about to change: it is being sent, or the server is about to begin. */
const isBeingSent = ({ state, publishAt }: Announcement, now: Date): boolean =>
  state === 'sending' || (state === 'scheduled' && new Date(publishAt) <= now)

/** Announcements that were sent, and those that are scheduled. */
export function AnnouncementsTab() {
  const t = useT()
  const listState = useAdminSearch('announcements')
  const [isWriting, setWriting] = useState(false)
  const close = () => setWriting(false)
  const now = useServerNow()
  const list = useQuery(
    trpc.admin.announcements.queryOptions(listState.input, {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => state.data?.announcements.some((row) => isBeingSent(row, now)) && REFETCH_MS,
    }),
  )
  const columns = useColumns()
  return (
    <div className="grid grid-cols-1 gap-5">
      <AdminList
        listState={listState}
        toolbar={
          <Button variant="primary" className="max-sm:w-full" onClick={() => setWriting(true)}>
            <Megaphone aria-hidden="true" />
            {t('New announcement')}
          </Button>
        }
        query={list}
        rows={list.data?.announcements ?? []}
        columns={columns}
        caption={t('Announcements')}
        pagesLabel={t('Pages of announcements')}
        empty={t('No announcements yet')}
      />
      {isWriting && (
        <LazyDialog onClose={close}>
          <AnnouncementDialog onClose={close} />
        </LazyDialog>
      )}
    </div>
  )
}

const STATE_TONES: Record<Announcement['state'], Tone> = { scheduled: 'gold', sending: 'info', sent: 'ok' }
const stateName = (state: Announcement['state'], t: Translate): string =>
  ({
    scheduled: t('{announcement, select, other {Scheduled}}'),
    sending: t('{announcement, select, other {Being sent}}'),
    sent: t('{announcement, select, other {Sent}}'),
  })[state]

function useColumns(): Column<Announcement>[] {
  const t = useT()
  const cancel = useAction(trpcClient.admin.cancelAnnouncement, {
    input: ({ id }: Announcement, { password }) => ({ id, password }),
    password: ({ title }) => ({
      title: t('Cancel announcement'),
      message: t('“{title}” will be deleted and not sent.', { title }),
      confirmLabel: t('Cancel announcement'),
      cancelLabel: t('Back'),
      danger: true,
    }),
    success: t('Announcement cancelled'),
    failure: t('Failed to cancel the announcement'),
    ...AFTER_ADMIN_ACTION,
  })
  return [
    {
      key: 'title',
      header: t('Title'),
      onCard: 'title',
      cell: ({ id, title }) => (
        <bdi id={`announcement-${id}`} className="font-semibold wrap-anywhere">
          {title}
        </bdi>
      ),
    },
    {
      key: 'audience',
      header: t('Audience'),
      cell: ({ audience, challenge }) => (challenge ? <bdi>{challenge.title}</bdi> : t(AUDIENCE_LABELS[audience])),
    },
    {
      key: 'state',
      header: t('Status'),
      cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{stateName(state, t)}</Badge>,
    },
    {
      key: 'recipients',
      header: t('Recipients'),
      // They are counted when it is sent.
      cell: ({ recipients, state }) =>
        state === 'scheduled' ? <span aria-hidden="true">–</span> : formatNumber(recipients),
    },
    {
      key: 'when',
      header: t('Published'),
      cell: ({ publishAt }) => <time dateTime={publishAt}>{formatDateTime(publishAt)}</time>,
    },
    {
      key: 'by',
      header: t('By'),
      cell: ({ createdBy }) => (createdBy ? <bdi>{createdBy.name}</bdi> : <span aria-hidden="true">–</span>),
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'end',
      onCard: 'actions',
      cell: (announcement) =>
        announcement.state === 'scheduled' && (
          <Button
            size="sm"
            aria-describedby={`announcement-${announcement.id}`}
            onClick={() => void cancel.run(announcement)}
          >
            {t('Cancel announcement')}
          </Button>
        ),
    },
  ]
}
