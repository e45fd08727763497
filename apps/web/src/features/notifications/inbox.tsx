import { CheckCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useShortcutSwitch } from '../../lib/use-keyboard-shortcuts.ts'
import { useNow } from '../../lib/use-now.ts'
import { formatUnread } from '../../lib/unread.ts'
import { Button } from '../../ui/button.tsx'
import { InfiniteList } from '../../ui/infinite-list.tsx'
import { useTopModal } from '../../ui/modal-stack.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { dayLabel, findDayStarts } from './group-by-day.ts'
import { NotificationRow } from './notification-row.tsx'
import { ShortcutHint } from './shortcut-hint.tsx'
import { type Filter, useInbox } from './use-inbox.ts'
import { useRowShortcuts } from './use-row-shortcuts.ts'

interface InboxProps {
  place: 'panel' | 'page'
  /** Called before the user is led elsewhere. */
  onLeave?: () => void
}

/** The user's notifications by day, with a filter, and the keys J, K and U. */
export function Inbox({ place, onLeave }: InboxProps) {
  const t = useT()
  const now = useNow(60_000)
  const [filter, setFilter] = useState<Filter>('all')
  const { list, unread, isRead, mark, markAll, isMarkingAll } = useInbox(filter)
  const rows = useRef<HTMLDivElement>(null)
  const [areShortcutsOn, toggleShortcuts] = useShortcutSwitch('inboxKeysOff')
  const isCovered = useTopModal() !== null
  const rowHandlers = useRowShortcuts(rows, {
    isEnabled: areShortcutsOn && (place === 'panel' || !isCovered),
    count: list.rows.length,
    onToggle: (id) => {
      const row = list.rows.find((one) => one.id === id)
      if (row) void mark(id, !isRead(row))
    },
  })
  const dayStarts = findDayStarts(list.rows)
  return (
    <div className="grid grid-cols-1 gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <FilterButtons filter={filter} unread={unread} onChange={setFilter} />
        <Button size="sm" variant="ghost" aria-disabled={unread === 0} busy={isMarkingAll} onClick={markAll}>
          <CheckCheck aria-hidden="true" />
          {t('Mark all as read')}
        </Button>
      </div>
      {/* Its rows are links; the keys are shortcuts between them. */}
      <div ref={rows} {...rowHandlers}>
        <InfiniteList
          list={list}
          label={t('Notifications')}
          className="grid grid-cols-1"
          skeleton={<Skeletons count={5} layout="grid gap-2 p-2" className="h-16" />}
          failed={t('Failed to load notifications')}
          empty={<Empty filter={filter} onShowAll={() => setFilter('all')} />}
          progress={t('{count, plural, one {# notification shown} other {# notifications shown}}', {
            count: list.rows.length,
          })}
        >
          {(row) => (
            <NotificationRow
              key={row.id}
              notification={row}
              isRead={isRead(row)}
              day={dayStarts.has(row.id) ? dayLabel(row.createdAt, now, t) : null}
              isFull={place === 'page'}
              onMark={(next) => void mark(row.id, next)}
              onFollow={() => {
                if (!isRead(row)) void mark(row.id, true)
                onLeave?.()
              }}
            />
          )}
        </InfiniteList>
      </div>
      {list.rows.length > 0 && <ShortcutHint areOn={areShortcutsOn} onToggle={toggleShortcuts} />}
    </div>
  )
}

interface FilterButtonsProps {
  filter: Filter
  unread: number
  onChange: (filter: Filter) => void
}

function FilterButtons({ filter, unread, onChange }: FilterButtonsProps) {
  const t = useT()
  const labels = {
    all: t('{notifications, select, other {All}}'),
    unread: unread === 0 ? t('Unread') : t('Unread ({count})', { count: formatUnread(unread) }),
  }
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">{t('Filter')}</legend>
      {(['all', 'unread'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={filter === one}
          onClick={() => onChange(one)}
          className="min-h-11 min-w-11 rounded-control px-3 text-sm font-semibold text-ink-2 transition-colors hover:bg-sunken aria-pressed:bg-primary-soft aria-pressed:text-primary pointer-fine:min-h-9"
        >
          {labels[one]}
        </button>
      ))}
    </fieldset>
  )
}

function Empty({ filter, onShowAll }: { filter: Filter; onShowAll: () => void }) {
  const t = useT()
  if (filter === 'all')
    return (
      <EmptyState title={t('No notifications yet')}>
        {t('News about your teams, your work and your account will appear here.')}
      </EmptyState>
    )
  return (
    <EmptyState title={t('You’re all caught up')} action={<Button onClick={onShowAll}>{t('Show all')}</Button>}>
      {t('You have read all your notifications.')}
    </EmptyState>
  )
}
