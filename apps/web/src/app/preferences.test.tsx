import { aUser } from '@community/testing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../test/fake-backend.ts'
import { signIn } from '../../test/sign-in.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { currentUser } from '../lib/session.ts'
import { LanguageSelect } from './preferences.tsx'
import { SessionKeeper } from './session-keeper.tsx'

const parts = (
  <>
    <SessionKeeper />
    <LanguageSelect />
  </>
)
const choose = async (language: string) => {
  await userEvent.selectOptions(screen.getByRole('combobox'), language)
  await waitFor(() => expect(document.documentElement.lang).toBe(language))
}

/** A server that stores the account's language. */
function fakeAccount(handlers: Handlers = {}) {
  let stored = aUser()
  return fakeBackend({
    'users.profile': () => ({ user: stored }),
    'users.updateProfile': ({ language = stored.language }) => ({ user: (stored = aUser({ language })) }),
    ...handlers,
  })
}

describe('switching the language', () => {
  it('stores it once in the account of the signed-in user, without a toast', async () => {
    const { inputsOf, requests } = fakeAccount()
    signIn()
    renderWithProviders(parts)
    await choose('ar')
    await waitFor(() => expect(currentUser()?.language).toBe('ar'))
    await choose('fr')
    await waitFor(() => expect(currentUser()?.language).toBe('fr'))
    expect(inputsOf('users.updateProfile')).toEqual([{ language: 'ar' }, { language: 'fr' }])
    expect(
      requests
        .filter(({ headers }) => headers.has('idempotency-key'))
        .map(({ headers }) => headers.get('accept-language')),
    ).toEqual(['ar', 'fr'])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('keeps it on the page without a toast if storing it fails', async () => {
    const { inputsOf } = fakeAccount({
      'users.updateProfile': () => {
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    signIn()
    renderWithProviders(parts)
    await choose('ar')
    await waitFor(() => expect(inputsOf('users.updateProfile')).toHaveLength(1))
    await waitFor(() => expect(document.documentElement.dir).toBe('rtl'))
    expect(currentUser()?.language).toBe('en')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('sends no request for a visitor', async () => {
    const { requests } = fakeAccount()
    renderWithProviders(parts)
    await choose('fr')
    expect(requests).toEqual([])
  })
})
