import { useQueryClient } from '@tanstack/react-query'
import { WifiOff } from 'lucide-react'
import { useState } from 'react'
import { REQUEST_TIMEOUT_MS } from '@community/contract/limits'
import { useT } from '../lib/i18n.ts'
import { useBrowserValue } from '../lib/store.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

const EVENTS = ['online', 'offline']

const useOnline = (): boolean => useBrowserValue(window, EVENTS, () => navigator.onLine)

/** Whether the backend responds, as boot.js checks it before the app starts; `check` asks again and repeats what failed. */
function useAvailability(initial: boolean) {
  const client = useQueryClient()
  const [isAvailable, setAvailable] = useState(initial)
  const [isChecking, setChecking] = useState(false)
  async function check(): Promise<void> {
    setChecking(true)
    const isBack = await fetch('/api/health', { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).then(
      ({ ok }) => ok,
      () => false,
    )
    setChecking(false)
    setAvailable(isBack)
    if (isBack) await client.refetchQueries({ predicate: ({ state }) => state.status === 'error' })
  }
  return { isAvailable, isChecking, check }
}

/** Notices about the whole page: no connection, or no backend at the start. */
export function Banners({ isAvailable: wasAvailable }: { isAvailable: boolean }) {
  const t = useT()
  const online = useOnline()
  const { isAvailable, isChecking, check } = useAvailability(wasAvailable)
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
              <Button size="sm" busy={isChecking} onClick={() => void check()}>
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
