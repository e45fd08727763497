import { WifiOff } from 'lucide-react'
import { useT } from '../lib/i18n.ts'
import { useBrowserValue } from '../lib/store.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

const EVENTS = ['online', 'offline']

const useOnline = (): boolean => useBrowserValue(window, EVENTS, () => navigator.onLine)

/** Notices about the whole page: no connection, or no backend. */
export function Banners({ isAvailable }: { isAvailable: boolean }) {
  const t = useT()
  const online = useOnline()
  return (
    <>
      <output className="block">
        {!online && (
          <span className="flex items-center justify-center gap-2.5 border-b border-line bg-gold-soft px-4 py-2.5 font-medium text-gold">
            <WifiOff aria-hidden="true" className="size-5 shrink-0" />
            {t('You are offline. You can read what has already loaded, but you cannot make changes.')}
          </span>
        )}
      </output>
      {online && !isAvailable && (
        <div className="mx-auto max-w-page px-4 py-3 sm:px-6">
          <Notice
            tone="bad"
            action={
              // The availability is checked once, by boot.js before the app starts.
              <Button size="sm" onClick={() => window.location.reload()}>
                {t('Try Again')}
              </Button>
            }
          >
            {t('The service is unavailable right now. Please try again.')}
          </Notice>
        </div>
      )}
    </>
  )
}
