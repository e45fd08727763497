import { Bell } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { formatUnread, useUnread } from '../lib/unread.ts'
import { IconButton } from '../ui/button.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'

const loadPanel = () => import('../features/notifications/index.tsx').then((part) => part.NotificationPanel)
const NotificationPanel = lazyWithRetry(loadPanel)

/** Opens the panel of notifications; shows how many are unread, and announces new ones to screen readers. */
export function NotificationBell() {
  const t = useT()
  const { unread } = useUnread()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const announcement = useAnnouncement()
  const count = formatUnread(unread)
  return (
    <>
      <IconButton
        label={unread === 0 ? t('Notifications') : t('Notifications, {count} unread', { count })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerDown={() => void loadPanel()}
        onClick={() => setOpen(true)}
        className="relative"
      >
        <Bell aria-hidden="true" />
        {unread > 0 && (
          <bdi className="absolute end-0 top-0.5 min-w-5 rounded-full bg-primary px-1 text-center text-xs leading-5 font-bold text-on-primary">
            {count}
          </bdi>
        )}
      </IconButton>
      <output className="sr-only">{announcement}</output>
      {isOpen && (
        <ErrorBoundary onClose={close}>
          <NotificationPanel onClose={close} />
        </ErrorBoundary>
      )}
    </>
  )
}

/** What arrived since the page was opened. */
function useAnnouncement(): string {
  const t = useT()
  const { newest } = useUnread()
  const [announcement, announce] = useState('')
  const known = useRef<string | null>(undefined)
  useEffect(() => {
    if (newest === undefined) return
    const isNew = known.current !== undefined && known.current !== newest?.id
    known.current = newest?.id ?? null
    if (newest && isNew && newest.readAt === null) announce(t('New notification: {text}', { text: newest.text }))
  }, [newest, t])
  return announcement
}
