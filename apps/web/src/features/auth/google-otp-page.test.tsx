import { aSignIn } from '@community/testing'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { currentUser } from '../../lib/session.ts'
import { takeSignInReturn } from '../../lib/sign-in-intent.ts'
import { storeSignInReturn } from '../../lib/sign-in-return.ts'
import { GoogleOtpPage } from './google-otp-page.tsx'

const replace = vi.fn<(url: string | URL) => void>()

beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation(replace)
})
afterEach(() => {
  replace.mockReset()
})

function openPage(query: string, handlers: Handlers = {}) {
  history.replaceState(null, '', `/auth/google-otp${query}`)
  const backend = fakeBackend(handlers)
  renderWithProviders(<GoogleOtpPage />)
  return backend
}

const advance = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds)
  })

describe('the code page of the external sign-in', () => {
  it('redirects home without an email address in the URL', () => {
    openPage('')
    expect(replace).toHaveBeenCalledExactlyOnceWith('/')
  })

  it('shows the email address and the time left, and offers to start over only when it is up', () => {
    vi.useFakeTimers()
    openPage('?email=sara%40example.ma&name=Sara')
    expect(screen.getByText('sara@example.ma')).toBeDefined()
    expect(screen.getByRole('timer').textContent).toBe('Expires in 5:00')
    advance(53_000)
    expect(screen.getByRole('timer').textContent).toBe('Expires in 4:07')
    expect(screen.queryByRole('link', { name: 'Resend Code' })).toBeNull()
    advance(186_000)
    expect(screen.queryByText('The code expires in one minute')).toBeNull()
    advance(1000)
    expect(screen.getByRole('status').textContent).toBe('The code expires in one minute')
    advance(59_000)
    expect(screen.getByRole('timer').textContent).toBe('Expires in 0:01')
    expect(screen.queryByRole('link', { name: 'Resend Code' })).toBeNull()
    advance(1000)
    expect(screen.getByRole('timer').textContent).toBe('Code Expired')
    expect(screen.getByRole('status').textContent).toBe('Code Expired')
    expect(screen.getByRole('link', { name: 'Resend Code' }).getAttribute('href')).toBe('/auth/google?language=en')
    expect(screen.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/#sign-in')
  })

  it.each([
    ['reload', '4:00'],
    ['back_forward', '4:00'],
    ['navigate', '5:00'],
  ] as const)('shows after the load by %s that the code expires in %s', (type, time) => {
    vi.useFakeTimers()
    openPage('?email=sara%40example.ma')
    advance(60_000)
    cleanup()
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as PerformanceNavigationTiming])
    openPage('?email=sara%40example.ma')
    expect(screen.getByRole('timer').textContent).toBe(`Expires in ${time}`)
  })

  it.each([
    ['expiresIn=83', '1:23'],
    ['expiresIn=99999', '5:00'],
    ['expiresIn=x', '5:00'],
  ])('counts down from what is left of a code that was mailed before: %s', (query, time) => {
    vi.useFakeTimers()
    openPage(`?email=sara%40example.ma&${query}`)
    expect(screen.getByRole('timer').textContent).toBe(`Expires in ${time}`)
  })

  it('returns to where the sign-in began after another attempt too', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    storeSignInReturn({ name: 'createTeam' })
    openPage('?email=sara%40example.ma')
    advance(14 * 60_000)
    const resend = screen.getByRole('link', { name: 'Resend Code' })
    resend.addEventListener('click', (event) => event.preventDefault())
    await userEvent.click(resend)
    advance(14 * 60_000)
    expect(takeSignInReturn()).toMatchObject({ intent: { name: 'createTeam' } })
  })

  it('shortens a name and an email address that are too long', () => {
    openPage(`?email=${'e'.repeat(300)}&name=${'n'.repeat(300)}`)
    expect(screen.getByText(`Welcome, ${'n'.repeat(100)}`)).toBeDefined()
    expect(screen.getByText('e'.repeat(254))).toBeDefined()
  })

  it('does not send fewer than six digits', async () => {
    const { requests } = openPage('?email=sara%40example.ma')
    await userEvent.type(screen.getByLabelText('Verification Code'), '12345')
    await userEvent.click(screen.getByRole('button', { name: 'Verify Code' }))
    expect(screen.getByText('Please enter a 6-digit verification code')).toBeDefined()
    expect(requests).toEqual([])
  })

  it('signs the user in and redirects home with a welcome', async () => {
    const { inputsOf } = openPage('?email=sara%40example.ma', { 'auth.verifyGoogleOtp': () => aSignIn() })
    await userEvent.type(screen.getByLabelText('Verification Code'), '123456')
    await userEvent.click(screen.getByRole('button', { name: 'Verify Code' }))
    await waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith('/'))
    expect(inputsOf('auth.verifyGoogleOtp')).toEqual([{ email: 'sara@example.ma', otp: '123456' }])
    expect(currentUser()?.email).toBe('sara@example.ma')
    expect(sessionStorage.getItem('toasts')).toContain('Welcome!')
    // From a link to the provider too, the page takes administrators to their area.
    expect(takeSignInReturn()).toMatchObject({ hash: '' })
  })

  it('clears an expired code and says to sign in with the provider again', async () => {
    openPage('?email=sara%40example.ma', {
      'auth.verifyGoogleOtp': () => {
        throw appError('CODE_EXPIRED', 'x', { expired: true })
      },
    })
    const input = screen.getByLabelText<HTMLInputElement>('Verification Code')
    await userEvent.type(input, '123456')
    await userEvent.click(screen.getByRole('button', { name: 'Verify Code' }))
    expect(
      (
        await screen.findAllByText(
          'Your verification code has expired. Please try signing in with the external provider again.',
        )
      ).length,
    ).toBeGreaterThanOrEqual(2)
    expect(input.value).toBe('')
  })
})
