import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NotificationBell } from '../../app/notification-bell.tsx'
import { appError, fakeBackend } from '../../../test/fake-backend.ts'
import { aNotification, inboxHandlers } from '../../../test/inbox.ts'
import { pressInToast } from '../../../test/press-in-toast.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { useOpenDialog } from '../../lib/dialogs.ts'
import { activateLanguage } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { NotificationsPage } from './index.tsx'

beforeEach(() => {
  window.location.hash = '#notifications'
})
const three = () => [
  aNotification(1, { text: 'Nour joined Atlas Lions' }),
  aNotification(2, { text: 'Your work was rejected', detail: 'Please add the source.', kind: 'submission.rejected' }),
  aNotification(3, { text: 'New challenge: Bus times', readAt: '2026-11-20T10:00:00.000Z' }),
]

function openPage(rows = three(), more: Parameters<typeof fakeBackend>[0] = {}) {
  signIn()
  const inbox = inboxHandlers(rows)
  const backend = fakeBackend({ ...inbox.handlers, ...more })
  renderWithProviders(<NotificationsPage />)
  return { ...backend, ...inbox }
}
const link = (name: RegExp) => screen.findByRole('link', { name })
const rowOf = (element: HTMLElement) => within(element.closest('li') as HTMLElement)
const focusedText = () => document.activeElement?.textContent ?? ''

describe('the inbox', () => {
  it('groups by day, newest first, and says what is unread', async () => {
    // At noon, so that the notifications of the last three minutes are of one day.
    vi.setSystemTime(new Date().setHours(12))
    const dayBefore = new Date(Date.now() - 5 * 86_400_000).toISOString()
    openPage([...three(), aNotification(4, { text: 'Old news', createdAt: dayBefore })])
    await link(/Nour joined/)
    const links = within(screen.getByRole('list', { name: 'Notifications' })).getAllByRole('link')
    expect(links.map((one) => one.textContent)).toEqual([
      'Unread Nour joined Atlas Lions',
      'Unread Your work was rejected',
      'New challenge: Bus times',
      'Unread Old news',
    ])
    expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(2)
    expect(screen.getByRole('heading', { level: 2, name: 'Today' })).toBeDefined()
    expect(screen.getByText('Please add the source.')).toBeDefined()
  })

  it('marks one as read and as unread again', async () => {
    const { inputsOf } = openPage()
    const nour = rowOf(await link(/Nour joined/))
    await userEvent.click(nour.getByRole('button', { name: 'Mark as read' }))
    expect(await link(/^Nour joined/)).toBeDefined()
    await userEvent.click(await nour.findByRole('button', { name: 'Mark as unread' }))
    expect(await link(/^Unread Nour joined/)).toBeDefined()
    const { id } = aNotification(1)
    await waitFor(() =>
      expect(inputsOf('notifications.read')).toEqual([
        { ids: [id], isRead: true },
        { ids: [id], isRead: false },
      ]),
    )
  })

  it('shows again as unread what the server did not mark', async () => {
    openPage(three(), {
      'notifications.read': () => {
        throw appError('NOTIFICATION_NOT_FOUND', 'Notification not found')
      },
    })
    await userEvent.click(rowOf(await link(/Nour joined/)).getByRole('button', { name: 'Mark as read' }))
    expect(await screen.findByText('Notification not found')).toBeDefined()
    expect(await link(/^Unread Nour joined/)).toBeDefined()
  })

  it('marks all as read, and undoes only that', async () => {
    const { inputsOf } = openPage()
    await link(/Nour joined/)
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }))
    expect((await screen.findAllByText('2 notifications marked as read')).length).toBeGreaterThan(0)
    expect(await link(/^Nour joined/)).toBeDefined()
    await pressInToast('Undo')
    expect(await link(/^Unread Nour joined/)).toBeDefined()
    expect(await link(/^Unread Your work/)).toBeDefined()
    expect(await link(/^New challenge/)).toBeDefined()
    const until = aNotification(1).id
    expect(inputsOf('notifications.read')).toEqual([
      { until },
      { until, isRead: false, readAt: expect.stringMatching(/^\d{4}-/) },
    ])
  })

  it('shows only the unread ones, then that there are none', async () => {
    openPage()
    await link(/Nour joined/)
    await userEvent.click(screen.getByRole('button', { name: 'Unread (2)' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: /New challenge/ })).toBeNull())
    await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }))
    expect(await screen.findByText('You’re all caught up')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(await link(/^New challenge/)).toBeDefined()
  })

  it('leads to the place and marks as read', async () => {
    const { inputsOf } = openPage()
    await userEvent.click(await link(/Nour joined/))
    expect(window.location.hash).toBe('#dashboard')
    await waitFor(() => expect(inputsOf('notifications.read')).toEqual([{ ids: [aNotification(1).id], isRead: true }]))
  })

  it('opens the account settings over the inbox', async () => {
    openPage([aNotification(1, { text: 'New sign-in to your account', href: '#account-devices' })])
    await userEvent.click(await link(/New sign-in/))
    expect(useOpenDialog.getState()).toEqual({ name: 'account', tab: 'devices' })
    expect(window.location.hash).toBe('#notifications')
  })

  it('moves by J, K and the arrows, and marks by U', async () => {
    openPage()
    await link(/Nour joined/)
    await userEvent.keyboard('j')
    expect(focusedText()).toBe('Unread Nour joined Atlas Lions')
    await userEvent.keyboard('j{ArrowDown}')
    expect(focusedText()).toBe('New challenge: Bus times')
    await userEvent.keyboard('k')
    expect(focusedText()).toBe('Unread Your work was rejected')
    await userEvent.keyboard('u')
    await waitFor(() => expect(focusedText()).toBe('Your work was rejected'))
  })

  it('leaves the arrows to the browser everywhere but at a row’s link, and with a modifier', async () => {
    openPage()
    const nour = await link(/Nour joined/)
    const marking = rowOf(nour).getByRole('button', { name: 'Mark as read' })
    marking.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(marking)
    nour.focus()
    await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(document.activeElement).toBe(nour)
    await userEvent.keyboard('{ArrowDown}')
    expect(focusedText()).toBe('Unread Your work was rejected')
    await userEvent.click(screen.getByRole('button', { name: 'Keyboard shortcuts J, K and U' }))
    nour.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(nour)
  })

  it('puts the headings of an announcement below that of its day', async () => {
    openPage([aNotification(1, { text: 'Jury', kind: 'announcement', detail: '# Place' })])
    expect(await screen.findByRole('heading', { level: 3, name: 'Place' })).toBeDefined()
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
  })

  it('keeps the place when U removes the row in focus from the unread ones', async () => {
    openPage()
    await link(/Nour joined/)
    await userEvent.click(screen.getByRole('button', { name: 'Unread (2)' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: /New challenge/ })).toBeNull())
    await userEvent.keyboard('ju')
    await waitFor(() => expect(focusedText()).toBe('Unread Your work was rejected'))
  })

  it('has no keys once they are switched off', async () => {
    openPage()
    await link(/Nour joined/)
    await userEvent.click(screen.getByRole('button', { name: 'Keyboard shortcuts J, K and U' }))
    await userEvent.keyboard('j')
    expect(document.activeElement?.tagName).toBe('BUTTON')
  })

  it('asks in the language of the page', async () => {
    const { requests } = openPage()
    await link(/Nour joined/)
    await activateLanguage('fr')
    await waitFor(() => expect(requests.at(-1)?.headers.get('accept-language')).toBe('fr'))
  })

  it('says that there are none yet', async () => {
    openPage([])
    expect(await screen.findByText('No notifications yet')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Mark all as read' }).getAttribute('aria-disabled')).toBe('true')
  })

  it('shows that they could not be loaded, and tries again', async () => {
    let isDown = true
    const { handlers } = inboxHandlers(three())
    openPage([], {
      'notifications.list': (input) => {
        if (isDown) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return handlers['notifications.list'](input)
      },
    })
    expect(await screen.findByText('Failed to load notifications', {}, { timeout: 10_000 })).toBeDefined()
    isDown = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await link(/Nour joined/)).toBeDefined()
  }, 15_000)

  it('asks a visitor to sign in', () => {
    fakeBackend({})
    renderWithProviders(<NotificationsPage />)
    expect(screen.getByText('Sign in to see your notifications.')).toBeDefined()
  })
})

describe('the bell', () => {
  const openBell = (rows = three()) => {
    signIn()
    const inbox = inboxHandlers(rows)
    const backend = fakeBackend(inbox.handlers)
    renderWithProviders(<NotificationBell />)
    return { ...backend, ...inbox }
  }

  it('shows the number of unread ones, at most 99', async () => {
    openBell(Array.from({ length: 100 }, (_, number) => aNotification(number)))
    expect(await screen.findByRole('button', { name: 'Notifications, 99+ unread' })).toBeDefined()
    // Isolated: in Arabic the plus would move before the number.
    expect(screen.getByText('99+').tagName).toBe('BDI')
  })

  it('announces what arrives, not what was there', async () => {
    const { add } = openBell()
    await screen.findByRole('button', { name: 'Notifications, 2 unread' })
    expect(screen.getByRole('status').textContent).toBe('')
    add(aNotification(0, { text: 'You are now the chef of Atlas Lions' }))
    await queryClient.refetchQueries()
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe('New notification: You are now the chef of Atlas Lions'),
    )
    expect(screen.getByRole('button', { name: 'Notifications, 3 unread' })).toBeDefined()
  })

  it('opens the panel, which closes when a notification is followed', async () => {
    openBell()
    await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
    const panel = within(await screen.findByRole('dialog', { name: 'Notifications' }))
    await userEvent.click(await panel.findByRole('link', { name: /Nour joined/ }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeDefined()
  })

  it('leads from the panel to the page', async () => {
    window.location.hash = ''
    openBell()
    await userEvent.click(await screen.findByRole('button', { name: /Notifications/ }))
    await userEvent.click(await screen.findByRole('button', { name: 'See all notifications' }))
    expect(window.location.hash).toBe('#notifications')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
