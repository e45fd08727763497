import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { REQUEST_TIMEOUT_MS } from '@community/contract/limits'
import { useT } from '../lib/i18n.ts'
import { useOnline } from '../lib/online.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

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

/** Says that the backend did not respond at the start, and lets the user try again. */
export function UnavailableNotice({ isAvailable: wasAvailable }: { isAvailable: boolean }) {
  const t = useT()
  const online = useOnline()
  const { isAvailable, isChecking, check } = useAvailability(wasAvailable)
  if (!online || isAvailable) return null
  return (
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
  )
}
