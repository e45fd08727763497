import type { PushState } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { currentEndpoint, linkManifest, pushSupport, turnPushOff, turnPushOn } from './push-device.ts'

// Like a procedure's, so that actions can invalidate it.
const ENDPOINT_KEY = [['push-endpoint']] as const

/** Turns push messages on and off for this device, or says why they are not possible. */
export function PushSection({ state, publicKey }: { state: PushState; publicKey: string }) {
  const t = useT()
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="grid grid-cols-1 gap-3">
      <h3 id={titleId} className="text-base">
        {t('Push messages on this device')}
      </h3>
      <p className="text-ink-2">
        {t('They appear while this page is closed too. They say what happened, but name no person, team or challenge.')}
      </p>
      <PushControl state={state} publicKey={publicKey} />
    </section>
  )
}

function PushControl({ state, publicKey }: { state: PushState; publicKey: string }) {
  const t = useT()
  const [support, setSupport] = useState(pushSupport)
  useEffect(() => {
    if (support === 'home screen') linkManifest()
  }, [support])
  const device = useQuery({ queryKey: ENDPOINT_KEY, queryFn: currentEndpoint, staleTime: 0 })
  const invalidates = ['notifications.push', 'auth.sessions', ...ENDPOINT_KEY[0]]
  const turnOn = useAction(
    { mutate: turnPushOn },
    {
      invalidates,
      success: t('Push messages are on'),
      failure: t('Failed to turn push messages on'),
      // The user may have just denied them.
      onFailure: () => setSupport(pushSupport()),
    },
  )
  const turnOff = useAction(
    { mutate: (_target: void) => turnPushOff() },
    { invalidates, success: t('Push messages are off'), failure: t('Failed to turn push messages off') },
  )
  if (support === 'denied')
    return (
      <Notice tone="gold">
        {t('This browser blocks notifications of this site. Allow them in its settings for this site, then reload.')}
      </Notice>
    )
  if (support === 'home screen')
    return (
      <Notice tone="info">
        {t('On iPhone and iPad, add this site to the home screen first, then open it there and come back here.')}
      </Notice>
    )
  if (support === 'unsupported') return <Notice tone="info">{t('This browser does not support push messages.')}</Notice>
  const isOn = state.endpoint !== null && state.endpoint === device.data
  return isOn ? (
    <Button className="justify-self-start" busy={turnOff.isPending} onClick={() => void turnOff.run()}>
      {t('Turn off push messages')}
    </Button>
  ) : (
    <Button className="justify-self-start" busy={turnOn.isPending} onClick={() => void turnOn.run(publicKey)}>
      {t('Turn on push messages')}
    </Button>
  )
}
