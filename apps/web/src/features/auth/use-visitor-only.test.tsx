import { publicSettings } from '@community/testing'
import { act } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeBackend } from '../../../test/fake-backend.ts'
import { signIn } from '../../../test/sign-in.ts'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { AuthModal } from './index.tsx'
import { SignInPrompt } from './sign-in-prompt.tsx'

/** Changes the storage and sends the event, as another tab would. */
function signInInOtherTab(): void {
  signIn()
  window.dispatchEvent(new StorageEvent('storage', { key: 'currentUser' }))
}

describe('after a sign-in in another tab', () => {
  const intent = { name: 'createTeam' } as const

  it.each([
    ['the sign-in', (onClose: () => void) => <AuthModal mode="login" intent={intent} onClose={onClose} />],
    ['the sign-in prompt', (onClose: () => void) => <SignInPrompt intent={intent} onClose={onClose} />],
  ])('%s closes and continues', (_name, dialog) => {
    fakeBackend({ 'system.settings': () => publicSettings() })
    const onClose = vi.fn<() => void>()
    renderWithProviders(dialog(onClose))
    expect(onClose).not.toHaveBeenCalled()
    const opened = trackOpenedDialogs()
    act(signInInOtherTab)
    expect(onClose).toHaveBeenCalled()
    expect(opened).toEqual([intent])
  })
})

it('a password reset of a signed-in user stays open', () => {
  fakeBackend({ 'system.settings': () => publicSettings() })
  signIn()
  const onClose = vi.fn<() => void>()
  renderWithProviders(<AuthModal mode="forgot" email="sara@example.ma" onClose={onClose} />)
  act(signInInOtherTab)
  expect(onClose).not.toHaveBeenCalled()
})
