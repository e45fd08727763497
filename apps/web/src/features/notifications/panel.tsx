import { X } from 'lucide-react'
import { createPortal, flushSync } from 'react-dom'
import { useT } from '../../lib/i18n.ts'
import { goToView } from '../../lib/navigation/navigation.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { useModal } from '../../ui/use-modal.ts'
import '../../styles/notifications.css'
import { Inbox } from './inbox.tsx'
import { SettingsButton } from './settings-button.tsx'

/** The notifications below the bell; on phones they fill the window. */
export function NotificationPanel({ onClose }: { onClose: () => void }) {
  const t = useT()
  const modal = useModal({ onCloseRequest: onClose })
  // Before the focus moves to the view: the page behind an open dialog is inert.
  const leave = () => flushSync(onClose)
  const seeAll = () => {
    leave()
    goToView('notifications')
  }
  return createPortal(
    <dialog
      {...modal}
      aria-labelledby="notification-panel"
      className="dialog-panel notification-panel flex flex-col border-line bg-surface text-ink shadow-float focus:outline-none sm:border"
    >
      <div className="flex items-center gap-1 border-b border-line py-1.5 ps-4 pe-2">
        <h2 id="notification-panel" className="grow text-lg">
          {t('Notifications')}
        </h2>
        <SettingsButton onOpen={onClose} />
        <IconButton label={t('Close')} onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </div>
      <div className="min-h-0 grow overflow-y-auto overscroll-contain p-2">
        <Inbox place="panel" onLeave={leave} />
      </div>
      {/* Toasts come last in the markup, but are drawn above it. */}
      <div className="order-1 border-t border-line p-1.5">
        <Button variant="ghost" className="w-full" onClick={seeAll}>
          {t('See all notifications')}
        </Button>
      </div>
    </dialog>,
    document.body,
  )
}
