import { DEFAULT_NOTIFICATION_SETTINGS, NOTIFICATION_KIND_NAMES, notificationKindOf } from '@community/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { appError, fakeBackend, type Handlers } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { EmailPreferencesPage } from './email-preferences-page.tsx'

const linked = () => ({
  email: 's•••@example.ma',
  preferences: NOTIFICATION_KIND_NAMES.map((kind) => {
    const { channels, isSafety } = notificationKindOf(kind)
    return { kind, ...channels, isSafety }
  }),
  settings: DEFAULT_NOTIFICATION_SETTINGS,
  mailPausedAt: null as string | null,
})

function open(hash: string, handlers: Handlers = {}) {
  window.location.hash = hash
  const backend = fakeBackend({
    'notifications.linkedPreferences': linked,
    'notifications.setLinkedPreferences': linked,
    ...handlers,
  })
  renderWithProviders(<EmailPreferencesPage />)
  return backend
}

describe('the preferences behind a link in a mail', () => {
  it('name the account by its masked address, and save with the token', async () => {
    const { inputsOf } = open('#email-preferences-abc')
    expect(await screen.findByText(/s•••@example.ma/)).toBeDefined()
    await userEvent.click(await screen.findByText('A member joins'))
    await userEvent.click(screen.getAllByRole('button', { name: 'Save times' })[0] as HTMLElement)
    await waitFor(() => expect(inputsOf('notifications.setLinkedPreferences')).toHaveLength(1))
    expect(inputsOf('notifications.linkedPreferences')[0]).toEqual({ token: 'abc' })
    expect(inputsOf('notifications.setLinkedPreferences')[0]).toEqual({
      token: 'abc',
      settings: DEFAULT_NOTIFICATION_SETTINGS,
    })
  })

  it('offer to sign in when the link does not work', async () => {
    open('#email-preferences-old', {
      'notifications.linkedPreferences': () => {
        throw appError('PREFERENCES_LINK_INVALID', 'This link doesn’t work.')
      },
    })
    expect(await screen.findByText('This link doesn’t work')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined()
  })

  it('are not requested without a token', async () => {
    const { requests } = open('#email-preferences')
    expect(await screen.findByText('This link doesn’t work')).toBeDefined()
    expect(requests).toEqual([])
  })
})
