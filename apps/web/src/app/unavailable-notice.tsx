import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { REQUEST_TIMEOUT_MS } from '@community/contract/limits'
import { useT } from '../lib/i18n.ts'
import { useOnline } from '../lib/online.ts'
import { refetchFailed } from '../lib/refetch.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** Milliseconds between two checks. */
const CHECK_INTERVAL_MS = 30_000

const isHealthy = (): Promise<boolean> =>
  fetch('/api/health', { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Whether the backend responds, as boot.js checks it before the app starts; until it does, it is checked again. `check` does so at once. */
function useAvailability(initial: boolean, online: boolean) {
  const client = useQueryClient()
  const [isAvailable, setAvailable] = useState(initial)
  const [isChecking, setChecking] = useState(false)
  useEffect(() => {
    if (isAvailable || !online) return undefined
    const checkInBackground = () => void isHealthy().then((isBack) => isBack && setAvailable(true))
    // The first check may only have been slow.
    checkInBackground()
    const timer = setInterval(checkInBackground, CHECK_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isAvailable, online])
  useEffect(() => {
    if (isAvailable && !initial) void refetchFailed(client)
  }, [client, isAvailable, initial])
  async function check(): Promise<void> {
    setChecking(true)
    if (await isHealthy()) setAvailable(true)
    setChecking(false)
  }
  return { isAvailable, isChecking, check }
}

/** Says that the backend did not respond at the start, and lets the user try again. */
export function UnavailableNotice({ isAvailable: wasAvailable }: { isAvailable: boolean }) {
  const t = useT()
  const online = useOnline()
  const { isAvailable, isChecking, check } = useAvailability(wasAvailable, online)
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
