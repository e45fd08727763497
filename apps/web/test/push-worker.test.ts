import { readFileSync } from 'node:fs'
import path from 'node:path'
import vm from 'node:vm'
import { describe, expect, it, vi } from 'vitest'

const SCRIPT = readFileSync(path.join(import.meta.dirname, '../public/push-worker.js'), 'utf8')

const openWindow = (path: string) => ({
  url: `https://community.example${path}`,
  focus: vi.fn(async () => {}),
  navigate: vi.fn(async (_url: string) => {}),
})

/** Runs the worker with some windows open; `dispatch` resolves once it has handled the event. */
function startWorker(windows: ReturnType<typeof openWindow>[] = []) {
  const listeners = new Map<string, (event: object) => void>()
  const self = {
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    location: { origin: 'https://community.example' },
    registration: { showNotification: vi.fn(async (_title: string, _options: object) => {}) },
    clients: {
      claim: vi.fn(async () => {}),
      matchAll: async () => windows,
      openWindow: vi.fn(async (_url: string) => {}),
    },
  }
  vm.runInNewContext(SCRIPT, { self, URL })
  const dispatch = async (name: string, event: object = {}) => {
    let work: unknown
    listeners.get(name)?.({ ...event, waitUntil: (promise: unknown) => (work = promise) })
    await work
  }
  return { self, listeners, dispatch }
}
const pushOf = (message: object) => ({ data: { json: () => message } })
const message = { title: 'Community', body: 'Your work was evaluated', language: 'en', href: '#dashboard' }

describe('the worker of push messages', () => {
  it('shows a message in its language and direction', async () => {
    const { self, dispatch } = startWorker()
    await dispatch('push', pushOf(message))
    await dispatch('push', pushOf({ ...message, language: 'ar' }))
    expect(self.registration.showNotification.mock.calls).toEqual([
      [
        'Community',
        expect.objectContaining({ body: message.body, lang: 'en', dir: 'ltr', data: { href: '#dashboard' } }),
      ],
      ['Community', expect.objectContaining({ lang: 'ar', dir: 'rtl' })],
    ])
  })

  it('leads to the place in a window with the app, else in a new one', async () => {
    const notification = { close: vi.fn(), data: { href: '#challenge-1' } }
    const place = 'https://community.example/#challenge-1'
    const [file, open] = [openWindow('/files/a/b.pdf'), openWindow('/#works')]
    const first = startWorker([file, open])
    await first.dispatch('notificationclick', { notification })
    expect(file.focus).not.toHaveBeenCalled()
    expect(open.focus).toHaveBeenCalledOnce()
    expect(open.navigate).toHaveBeenCalledExactlyOnceWith(place)
    expect(first.self.clients.openWindow).not.toHaveBeenCalled()
    const second = startWorker([file])
    await second.dispatch('notificationclick', { notification })
    expect(second.self.clients.openWindow).toHaveBeenCalledExactlyOnceWith(place)
    expect(notification.close).toHaveBeenCalledTimes(2)
  })

  it('leads to the place in a new window if the open one cannot go there', async () => {
    const open = openWindow('/')
    open.navigate.mockRejectedValue(new TypeError('not controlled'))
    const { self, dispatch } = startWorker([open])
    await dispatch('notificationclick', { notification: { close: vi.fn(), data: { href: '#works' } } })
    expect(self.clients.openWindow).toHaveBeenCalledExactlyOnceWith('https://community.example/#works')
  })

  it('answers no requests and installs nothing', () => {
    expect([...startWorker().listeners.keys()].toSorted()).toEqual(['activate', 'notificationclick', 'push'])
  })
})
