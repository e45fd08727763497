import type { PushState } from '@community/contract'
import { DEFAULT_NOTIFICATION_SETTINGS, NOTIFICATION_KIND_NAMES, notificationKindOf } from '@community/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeBackend } from '../../../test/fake-backend.ts'
import { PUSH_ENDPOINT, stubPush } from '../../../test/push-browser.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { currentUser } from '../../lib/session.ts'
import { AccountDialog } from './index.tsx'

afterEach(() => {
  document.querySelector('link[rel=manifest]')?.remove()
})

const KEY = 'BCVxsr7N'

function open({ isWide = true, ...state }: Partial<PushState> & { isWide?: boolean } = {}) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: isWide, media: query, addEventListener() {}, removeEventListener() {} }) as never,
  )
  const user = signIn()
  let push: PushState = { publicKey: KEY, endpoint: null, ...state }
  const preferences = NOTIFICATION_KIND_NAMES.map((kind) => {
    const { channels, isSafety } = notificationKindOf(kind)
    return { kind, ...channels, isSafety }
  })
  const stored = { preferences, settings: DEFAULT_NOTIFICATION_SETTINGS, mailPausedAt: null }
  const backend = fakeBackend({
    'users.profile': () => ({ user: currentUser() ?? user }),
    'notifications.preferences': () => stored,
    'notifications.setPreferences': () => stored,
    'notifications.push': () => push,
    'notifications.subscribePush': ({ endpoint }) => {
      push = { ...push, endpoint }
      return {}
    },
    'notifications.unsubscribePush': () => {
      push = { ...push, endpoint: null }
      return {}
    },
  })
  renderWithProviders(<AccountDialog initialTab="notifications" onClose={() => undefined} />)
  return backend
}

const turnOn = () => screen.findByRole('button', { name: 'Turn on push messages' })
const turnOff = () => screen.findByRole('button', { name: 'Turn off push messages' })

describe('push messages', () => {
  it('are turned on for this device after the permission, and off again', async () => {
    const { notification, pushManager, serviceWorker, subscription } = stubPush({
      permission: 'default',
      onPrompt: 'granted',
    })
    const { inputsOf } = open()
    const button = await turnOn()
    expect(notification.requestPermission).not.toHaveBeenCalled()
    await userEvent.click(button)
    await userEvent.click(await turnOff())
    await turnOn()
    expect(serviceWorker.register).toHaveBeenCalledExactlyOnceWith('/push-worker.js')
    expect(pushManager.subscribe).toHaveBeenCalledExactlyOnceWith({ userVisibleOnly: true, applicationServerKey: KEY })
    expect(inputsOf('notifications.subscribePush')).toEqual([
      { endpoint: PUSH_ENDPOINT, keys: { p256dh: 'p', auth: 'a' } },
    ])
    expect(inputsOf('notifications.unsubscribePush')).toHaveLength(1)
    // One of an earlier key, and this one.
    expect(subscription.unsubscribe).toHaveBeenCalledTimes(2)
  })

  it('are off on a browser whose subscription is not the session’s', async () => {
    stubPush()
    open({ endpoint: 'https://push.example/other' })
    expect(await turnOn()).toBeDefined()
  })

  it('say how to allow them once the user has denied them', async () => {
    stubPush({ permission: 'default', onPrompt: 'denied' })
    const { inputsOf } = open()
    await userEvent.click(await turnOn())
    expect(await screen.findByText(/This browser blocks notifications of this site/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Turn on push messages' })).toBeNull()
    expect(inputsOf('notifications.subscribePush')).toEqual([])
  })

  it('keep the button when the user closes the question', async () => {
    stubPush({ permission: 'default', onPrompt: 'default' })
    open()
    await userEvent.click(await turnOn())
    expect((await screen.findAllByText('Allow notifications of this site in your browser.')).length).toBeGreaterThan(0)
    expect(await turnOn()).toBeDefined()
  })

  it('say so where the browser does not support them', async () => {
    open()
    expect(await screen.findByText('This browser does not support push messages.')).toBeDefined()
  })

  it('ask for the home screen on an iPhone', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
    open()
    expect(await screen.findByText(/add this site to the home screen first/)).toBeDefined()
    await waitFor(() => expect(document.querySelector('link[rel=manifest]')).not.toBeNull())
  })

  it('are a channel of each kind, on phones too', async () => {
    stubPush()
    const { inputsOf } = open()
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'You become chef: push message' })
    expect(box.checked).toBe(true)
    await userEvent.click(box)
    await waitFor(() =>
      expect(inputsOf('notifications.setPreferences')).toEqual([
        { preferences: [{ kind: 'team.chef', app: true, mail: 'instant', push: false }] },
      ]),
    )
  })

  it('are not mentioned while the product sends none', async () => {
    stubPush()
    open({ publicKey: null })
    await screen.findByRole('checkbox', { name: 'You become chef: in the app' })
    expect(screen.queryByText(/push/i)).toBeNull()
  })
})
