import type { Notification } from '@community/contract'
import { clsx } from 'clsx'
import { Circle } from 'lucide-react'
import { Suspense } from 'react'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { lazyWithRetry } from '../../lib/lazy-with-retry.tsx'
import { IconButton } from '../../ui/button.tsx'
import { followLink } from './follow-link.ts'
import { iconOf, reasonLabel } from './kind-looks.ts'

const Markdown = lazyWithRetry(() => import('../../ui/markdown.tsx').then((part) => part.Markdown))

interface NotificationRowProps {
  notification: Notification
  isRead: boolean
  /** The day, if it is the first of that day. */
  day: string | null
  /** Shows what a person wrote in full. */
  isFull: boolean
  onMark: (isRead: boolean) => void
  onFollow: () => void
}

/** One notification: its text leads to the place, its button marks it. */
export function NotificationRow({ notification, isRead, day, isFull, onMark, onFollow }: NotificationRowProps) {
  const t = useT()
  const { id, text, detail, href, createdAt, kind } = notification
  const { icon: Icon, tone } = iconOf(notification)
  const titleId = `notification-${id}`
  // The panel has a title of the second level, the page one of the first.
  const Day = isFull ? 'h2' : 'h3'
  return (
    <li data-notification={id}>
      {day !== null && <Day className="px-2 pt-3 pb-1 text-sm font-semibold text-muted">{day}</Day>}
      <div className="notification-row relative flex items-start gap-3 rounded-control px-2 py-1 transition-colors hover:bg-sunken">
        <Icon aria-hidden="true" className={clsx('mt-2.5 size-5 shrink-0', tone)} />
        <div className="grid min-w-0 grow gap-0.5 py-2">
          <a
            id={titleId}
            href={href}
            onClick={followLink(href, onFollow)}
            className={clsx(
              'wrap-anywhere after:absolute after:inset-0 after:rounded-control',
              isRead ? 'text-ink-2' : 'font-semibold',
            )}
          >
            {!isRead && <span className="sr-only">{t('{notification, select, other {Unread}}')} </span>}
            {/* Not isolated: a sentence that begins with a name has the page’s direction. The server isolates the names. */}
            {text}
          </a>
          {detail !== null && (
            <div
              dir="auto"
              className={clsx('text-sm text-ink-2 wrap-anywhere', isFull ? 'grid gap-2 pe-2' : 'line-clamp-2')}
            >
              {kind === 'announcement' && isFull ? (
                <div className="relative grid justify-self-start gap-2">
                  <Suspense fallback={<p className="whitespace-pre-line">{detail}</p>}>
                    <Markdown text={detail} topLevel={3} />
                  </Suspense>
                </div>
              ) : (
                <p className="whitespace-pre-line">{detail}</p>
              )}
            </div>
          )}
          <p className="text-sm text-muted">
            <time dateTime={createdAt}>{formatDate(createdAt, { hour: '2-digit', minute: '2-digit' })}</time>
            {' · '}
            {t(reasonLabel(notification.reason))}
          </p>
        </div>
        <IconButton
          label={
            isRead
              ? t('{notification, select, other {Mark as unread}}')
              : t('{notification, select, other {Mark as read}}')
          }
          aria-describedby={titleId}
          onClick={() => onMark(!isRead)}
          className="relative"
        >
          <Circle
            aria-hidden="true"
            className={clsx('size-3!', isRead ? 'text-control' : 'fill-primary text-primary')}
          />
        </IconButton>
      </div>
    </li>
  )
}
