import { AppError } from '../../lib/failure.ts'
import { msg } from '../../lib/i18n.ts'
import { currentSubscription, PUSH_WORKER } from '../../lib/push-subscription.ts'
import { trpcClient } from '../../lib/trpc.ts'

/**
 * Whether this browser can show push messages. `home screen`: only once the site was added to the home screen (iOS). `denied`: the user has
 * blocked notifications in the browser's settings.
 */
type PushSupport = 'ready' | 'denied' | 'home screen' | 'unsupported'

const isAppleTouchDevice = (): boolean =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  // iPads name themselves Macs.
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isAppleTouchDevice() ? 'home screen' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'ready'
}

/** Lets iOS add the site to the home screen as an app, which alone may show push messages there. */
export function linkManifest(): void {
  if (document.querySelector('link[rel=manifest]')) return
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/app.webmanifest'
  document.head.append(link)
}

/** The address of this browser's subscription; null without one. */
export const currentEndpoint = async (): Promise<string | null> =>
  pushSupport() === 'ready' ? ((await currentSubscription())?.endpoint ?? null) : null

async function subscribe(publicKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register(PUSH_WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  // One of an earlier key would be rejected by the browser.
  await (await pushManager.getSubscription())?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

/** Asks for the permission if needed, and subscribes this browser. Call it in a click. */
export async function turnPushOn(publicKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new AppError(msg('Allow notifications of this site in your browser.'), {})
  const { endpoint, keys } = (await subscribe(publicKey)).toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  await trpcClient.notifications.subscribePush.mutate({ endpoint: endpoint ?? '', keys: { p256dh, auth } })
}

export async function turnPushOff(): Promise<void> {
  await trpcClient.notifications.unsubscribePush.mutate()
  await (await currentSubscription())?.unsubscribe()
}
