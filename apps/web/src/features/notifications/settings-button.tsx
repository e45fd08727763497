import { Settings } from 'lucide-react'
import { openDialog } from '../../lib/dialogs.ts'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/button.tsx'

/** Opens the preferences. */
export function SettingsButton({ onOpen }: { onOpen?: () => void }) {
  const t = useT()
  const open = () => {
    onOpen?.()
    openDialog({ name: 'account', tab: 'notifications' })
  }
  return (
    <IconButton label={t('Notification settings')} onClick={open}>
      <Settings aria-hidden="true" />
    </IconButton>
  )
}
