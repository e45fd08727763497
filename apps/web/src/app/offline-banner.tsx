import { WifiOff } from 'lucide-react'
import { useT } from '../lib/i18n.ts'
import { useOnline } from '../lib/online.ts'

/** Says that the browser is offline. In the first script, because it cannot be loaded later. */
export function OfflineBanner() {
  const t = useT()
  const online = useOnline()
  return (
    <output className="block">
      {!online && (
        <span className="flex items-center justify-center gap-2.5 border-b border-line bg-gold-soft px-4 py-2.5 font-medium text-gold">
          <WifiOff aria-hidden="true" className="size-5 shrink-0" />
          {t('You are offline. You can read what has already loaded, but you cannot make changes.')}
        </span>
      )}
    </output>
  )
}
