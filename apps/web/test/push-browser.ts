import { vi } from 'vitest'

export const PUSH_ENDPOINT = 'https://push.example/1'

/** A browser that can be subscribed to push messages, and is. Returns its parts. */
export function stubPush({
  permission = 'granted',
  onPrompt = permission,
}: {
  permission?: NotificationPermission
  onPrompt?: NotificationPermission
} = {}) {
  const notification = {
    permission,
    requestPermission: vi.fn(async () => (notification.permission = onPrompt)),
  }
  const subscription = {
    endpoint: PUSH_ENDPOINT,
    toJSON: () => ({ endpoint: PUSH_ENDPOINT, expirationTime: null, keys: { p256dh: 'p', auth: 'a' } }),
    unsubscribe: vi.fn(async () => true),
  }
  const pushManager = {
    getSubscription: vi.fn(async () => subscription),
    subscribe: vi.fn(async (_options: PushSubscriptionOptionsInit) => subscription),
  }
  const registration = { pushManager }
  const serviceWorker = {
    register: vi.fn(async (_url: string) => registration),
    getRegistration: async () => registration,
    ready: Promise.resolve(registration),
  }
  vi.stubGlobal('Notification', notification)
  vi.stubGlobal('PushManager', vi.fn())
  vi.stubGlobal(
    'navigator',
    new Proxy(navigator, {
      has: (target, key) => key === 'serviceWorker' || Reflect.has(target, key),
      get: (target, key) => {
        if (key === 'serviceWorker') return serviceWorker
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    }),
  )
  return { notification, pushManager, serviceWorker, subscription }
}
