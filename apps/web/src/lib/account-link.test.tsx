import { act } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeBackend } from '../../test/fake-backend.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { signIn } from '../../test/sign-in.ts'
import { useOpenDialog } from './dialogs.ts'

function openPage(hash: string) {
  fakeBackend({})
  history.replaceState(null, '', `/${hash}`)
  renderWithProviders(null)
}

describe('a link to the account settings', () => {
  it.each(['notifications', 'devices'])('opens the tab %s and leaves the address', (tab) => {
    signIn()
    openPage(`#account-${tab}`)
    expect(useOpenDialog.getState()).toEqual({ name: 'account', tab })
    expect(window.location.hash).toBe('')
  })

  it('is followed while the page is open', () => {
    signIn()
    openPage('#teams')
    expect(useOpenDialog.getState()).toBeNull()
    act(() => {
      window.location.hash = '#account-devices'
      window.dispatchEvent(new HashChangeEvent('hashchange'))
    })
    expect(useOpenDialog.getState()).toEqual({ name: 'account', tab: 'devices' })
  })

  it('asks visitors to sign in first', () => {
    openPage('#account-devices')
    expect(useOpenDialog.getState()).toEqual({
      name: 'auth',
      mode: 'login',
      intent: { name: 'account', tab: 'devices' },
    })
  })
})
