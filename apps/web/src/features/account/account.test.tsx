import { SignIn } from '@community/contract'
import { aMember, aPagination, aTeam, aUser, exampleOf } from '@community/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { usernameForPasswordManager } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { Dialogs } from '../../app/dialogs.tsx'
import { SessionKeeper } from '../../app/session-keeper.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { listen } from '../../lib/events.ts'
import { currentUser, storeUser } from '../../lib/session.ts'
import { AccountDialog } from './index.tsx'

function open(handlers: Handlers = {}, overrides: Parameters<typeof signIn>[0] = {}) {
  const user = signIn(overrides)
  const backend = fakeBackend({
    'users.profile': () => ({ user: currentUser() ?? user }),
    'users.teams': () => ({ teams: [], pagination: aPagination(0) }),
    ...handlers,
  })
  const onClose = vi.fn<() => void>()
  const { unmount } = renderWithProviders(
    <>
      <SessionKeeper />
      <AccountDialog onClose={onClose} />
    </>,
  )
  return { ...backend, onClose, user, unmount }
}

const openTab = (tab: string) => userEvent.click(screen.getByRole('tab', { name: tab }))

describe('account: profile', () => {
  it('shows the stored values and saves changes', async () => {
    const { inputsOf } = open(
      { 'users.updateProfile': (input) => ({ user: aUser({ name: input.name ?? '', phone: '0612345678' }) }) },
      { github: 'https://github.com/sara' },
    )
    const name = screen.getByLabelText<HTMLInputElement>('Full Name')
    expect(screen.getByLabelText<HTMLInputElement>('Email').readOnly).toBe(true)
    await userEvent.clear(name)
    await userEvent.type(name, 'Sara Amrani')
    await userEvent.type(screen.getByLabelText('Phone'), '06 12 34 56 78')
    await userEvent.clear(screen.getByLabelText('GitHub'))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText('Profile updated')).length).toBeGreaterThan(0)
    expect(inputsOf('users.updateProfile'), 'Only what changed').toEqual([
      { name: 'Sara Amrani', phone: '0612345678', github: '' },
    ])
    expect(currentUser()?.name).toBe('Sara Amrani')
  })

  it('keeps what is typed while it saves, and shows the rest as saved', async () => {
    let finishSaving = () => {}
    const { inputsOf } = open({
      'users.updateProfile': async (input) => {
        await new Promise<void>((resolve) => (finishSaving = resolve))
        return { user: aUser({ name: 'Sara Amrani', phone: '0612345678', bio: input.bio ?? 'Written elsewhere.' }) }
      },
    })
    const phone = screen.getByLabelText<HTMLInputElement>('Phone')
    const name = screen.getByLabelText<HTMLInputElement>('Full Name')
    await userEvent.type(phone, '06 12 34 56 78')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(inputsOf('users.updateProfile')).toEqual([{ phone: '0612345678' }]))
    await userEvent.type(name, ' Idrissi')
    finishSaving()
    await waitFor(() => expect(phone.value).toBe('0612345678'))
    expect(name.value).toBe('Sara El Amrani Idrissi')
    expect(screen.getByLabelText<HTMLTextAreaElement>('About you').value).toBe('Written elsewhere.')

    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() => expect(inputsOf('users.updateProfile')).toHaveLength(2))
    expect(inputsOf('users.updateProfile')[1]).toEqual({ name: 'Sara El Amrani Idrissi' })
  })

  it('keeps what is typed while links to other tabs are followed', async () => {
    signIn()
    fakeBackend({})
    renderWithProviders(<Dialogs />)
    act(() => openDialog({ name: 'account' }))
    await userEvent.type(await screen.findByLabelText('Full Name'), ' Idrissi')
    for (const _link of [1, 2]) {
      act(() => openDialog({ name: 'account', tab: 'devices' }))
      expect(screen.getByRole('tab', { name: 'Devices' }).getAttribute('aria-selected')).toBe('true')
      await openTab('Profile')
    }
    expect(screen.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Sara El Amrani Idrissi')
    expect(screen.queryByText('We kept your draft.')).toBeNull()
  })

  it('keeps a draft when the page is hidden, as before a reload, and none of what has been saved', async () => {
    const { unmount } = open({ 'users.updateProfile': () => ({ user: aUser({ name: 'Sara El Amrani Idrissi' }) }) })
    const hidePage = () => document.dispatchEvent(new Event('visibilitychange'))
    await userEvent.type(screen.getByLabelText('Full Name'), ' Idrissi')
    hidePage()
    const reopened = renderWithProviders(<AccountDialog onClose={vi.fn<() => void>()} />)
    expect(screen.getAllByLabelText<HTMLInputElement>('Full Name').at(-1)?.value).toBe('Sara El Amrani Idrissi')
    expect(screen.getByText('We kept your draft.')).toBeDefined()
    unmount()
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByText('We kept your draft.')).toBeNull())
    hidePage()
    reopened.unmount()
    renderWithProviders(<AccountDialog onClose={vi.fn<() => void>()} />)
    expect(screen.queryByText('We kept your draft.')).toBeNull()
  })

  it('saves a restored draft', async () => {
    const { inputsOf, unmount } = open({ 'users.updateProfile': () => ({ user: aUser() }) })
    await userEvent.type(screen.getByLabelText('Full Name'), ' Idrissi')
    unmount()
    renderWithProviders(<AccountDialog onClose={vi.fn<() => void>()} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() => expect(inputsOf('users.updateProfile')).toEqual([{ name: 'Sara El Amrani Idrissi' }]))
  })

  it('clears the level of experience', async () => {
    const { inputsOf } = open(
      { 'users.updateProfile': () => ({ user: aUser({ experience: null }) }) },
      { experience: 'Expert' },
    )
    await userEvent.selectOptions(screen.getByLabelText('Experience'), 'Choose your level')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(currentUser()?.experience).toBeNull())
    expect(inputsOf('users.updateProfile')).toEqual([{ experience: '' }])
  })

  it('closes when another user signs in in another tab', async () => {
    const { onClose } = open()
    await userEvent.type(screen.getByLabelText('Full Name'), ' Idrissi')
    act(() => void signIn({ id: 'omar', name: 'Omar' }))
    expect(onClose).toHaveBeenCalled()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('shows the account’s language, and switches the page only when another one is chosen here', async () => {
    let storedUser = aUser({ language: 'fr' })
    const { inputsOf } = open(
      {
        'users.profile': () => ({ user: storedUser }),
        'users.updateProfile': ({ language = storedUser.language }) => ({ user: (storedUser = aUser({ language })) }),
      },
      storedUser,
    )
    const field = screen.getByLabelText<HTMLSelectElement>('Language')
    expect(field.value).toBe('fr')
    await userEvent.type(screen.getByLabelText('Full Name'), ' Amrani')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText('Profile updated')).length).toBeGreaterThan(0)
    expect(document.documentElement.lang).toBe('en')

    // A change by the header's switch, saved while the form is open.
    act(() => storeUser(aUser({ language: 'en' })))
    await waitFor(() => expect(field.value).toBe('en'))
    await userEvent.selectOptions(field, 'ar')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(document.documentElement.lang).toBe('ar'))
    expect(inputsOf('users.updateProfile')).toEqual([{ name: 'Sara El Amrani Amrani' }, { language: 'ar' }])
  })

  it('keeps values edited after saving while the page still refetches its data', async () => {
    let callCount = 0
    const { inputsOf } = open({
      'users.profile': () => (callCount++ === 0 ? { user: aUser() } : new Promise(() => undefined)),
      'users.updateProfile': ({ language = 'en' }) => ({ user: aUser({ language }) }),
    })
    await waitFor(() => expect(inputsOf('users.profile')).toHaveLength(1))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findAllByText('Profile updated')).length).toBeGreaterThan(0)
    await userEvent.selectOptions(screen.getByLabelText('Language'), 'fr')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(document.documentElement.lang).toBe('fr'))
    expect(inputsOf('users.updateProfile')).toEqual([{}, { language: 'fr' }])
  })

  it('counts the characters of the bio', () => {
    open({}, { bio: 'Casablanca.' })
    expect(screen.getByText('11 of 1,000 characters')).toBeDefined()
  })

  it('shows an invalid value at its field without sending a request', async () => {
    const { inputsOf } = open()
    await userEvent.clear(screen.getByLabelText('Full Name'))
    await userEvent.type(screen.getByLabelText('Phone'), '0412345678')
    await userEvent.type(screen.getByLabelText('Portfolio'), 'javascript:alert(1)')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Name must be at least 2 characters')).toBeDefined()
    expect(screen.getByText('Phone number must be in format 0612345678 or +212612345678')).toBeDefined()
    expect(screen.getByText('Please enter a valid link (http or https)')).toBeDefined()
    expect(inputsOf('users.updateProfile')).toEqual([])
  })

  it('keeps what was typed while another tab is selected', async () => {
    open()
    await userEvent.type(screen.getByLabelText('Full Name'), ' Amrani')
    await openTab('Security')
    expect(screen.queryByRole('textbox', { name: 'Full Name' })).toBeNull()
    await openTab('Profile')
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Full Name' }).value).toBe('Sara El Amrani Amrani')
  })

  it('accepts only pictures', async () => {
    open()
    const file = new File(['%PDF-'], 'me.pdf', { type: 'application/pdf' })
    await userEvent.upload(screen.getByLabelText('Profile picture'), file, { applyAccept: false })
    expect(await screen.findByText('Please choose a JPEG, PNG or GIF picture')).toBeDefined()
  })

  it('removes the picture', async () => {
    const { inputsOf } = open(
      { 'users.updateProfile': () => ({ user: aUser() }) },
      { avatarUrl: 'https://x.example/a' },
    )
    await userEvent.click(screen.getByRole('button', { name: 'Remove picture' }))
    await waitFor(() => expect(currentUser()?.avatarUrl).toBeNull())
    expect(inputsOf('users.updateProfile')).toEqual([{ avatarUrl: null }])
    expect(screen.getByRole('button', { name: 'Add a picture' })).toBeDefined()
  })
})

describe('account: failures', () => {
  const failUnavailable = () => {
    throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
  }

  it('a failed save of the profile names the profile', async () => {
    open({ 'users.updateProfile': failUnavailable })
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Profile update failed')).toBeDefined()
    expect(screen.getAllByText('The service is unavailable right now. Please try again.').length).toBeGreaterThan(1)
  })

  it('a failed change of the password names the password', async () => {
    open({ 'auth.changePassword': failUnavailable })
    await openTab('Security')
    await userEvent.type(screen.getByLabelText('Current Password'), 'Zellige2026')
    await userEvent.type(screen.getByLabelText('New Password'), 'Zellige2027')
    await userEvent.type(screen.getByLabelText('Confirm New Password'), 'Zellige2027')
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
    expect(await screen.findByText('Password change failed')).toBeDefined()
    expect(currentUser()).not.toBeNull()
  })

  it('a failed upload of the picture shows a message', async () => {
    class StuckRequest extends EventTarget {
      upload = new EventTarget()
      open() {}
      send() {}
      setRequestHeader() {}
      abort() {}
    }
    vi.stubGlobal('XMLHttpRequest', StuckRequest)
    open()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    const file = new File(['picture'], 'me.png', { type: 'image/png' })
    fireEvent.change(screen.getByLabelText('Profile picture'), { target: { files: [file] } })
    await vi.advanceTimersByTimeAsync(10_100)
    await vi.runOnlyPendingTimersAsync()
    vi.useRealTimers()
    expect(await screen.findByText('Upload timeout - please check your connection and try again')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Add a picture' }).getAttribute('aria-busy')).toBeNull()
  })
})

describe('account: security', () => {
  it('turns codes at sign-in on without asking for the password', async () => {
    const { inputsOf } = open({ 'users.updateProfile': () => ({ user: aUser({ signInOtp: true }) }) })
    await openTab('Security')
    await userEvent.click(screen.getByRole('switch'))
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(true))
    expect(inputsOf('users.updateProfile')).toEqual([{ signInOtp: true }])
  })

  it('shows codes that the site requires as on, and cannot turn them off', async () => {
    open({}, { signInOtp: false, signInOtpRequired: true })
    await openTab('Security')
    const { checked, disabled } = screen.getByRole<HTMLInputElement>('switch')
    expect({ checked, disabled }).toEqual({ checked: true, disabled: true })
    expect(screen.getByText(/This site requires it\./)).toBeDefined()
  })

  it('asks for the password before turning codes off; a wrong password or Cancel keeps them on', async () => {
    const message = 'The current password is incorrect.'
    const { inputsOf } = open(
      {
        'users.updateProfile': ({ currentPassword }) => {
          if (currentPassword === 'Zellige2026') return { user: aUser({ signInOtp: false }) }
          throw appError('WRONG_CURRENT_PASSWORD', message, { errors: [{ msg: message, path: 'currentPassword' }] })
        },
      },
      { signInOtp: true },
    )
    await openTab('Security')
    await userEvent.click(screen.getByRole('switch'))
    const question = await screen.findByRole('dialog', { name: 'Turn off the code at sign-in?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(inputsOf('users.updateProfile')).toEqual([])
    expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(true)

    await userEvent.click(screen.getByRole('switch'))
    await userEvent.type(await screen.findByLabelText('Your password'), 'Wrong2026')
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByText(message)).toBeDefined()
    expect(screen.getByRole<HTMLInputElement>('switch', { hidden: true }).checked).toBe(true)
    await userEvent.clear(screen.getByLabelText('Your password'))
    await userEvent.type(screen.getByLabelText('Your password'), 'Zellige2026')
    await userEvent.click(screen.getByRole('button', { name: 'Turn off' }))
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(false))
    expect(inputsOf('users.updateProfile')).toEqual([
      { signInOtp: false, currentPassword: 'Wrong2026' },
      { signInOtp: false, currentPassword: 'Zellige2026' },
    ])
  })

  it('turns codes off without a password if the account has none', async () => {
    const { inputsOf } = open(
      { 'users.updateProfile': () => ({ user: aUser({ signInOtp: false, hasPassword: false }) }) },
      { signInOtp: true, hasPassword: false },
    )
    await openTab('Security')
    await userEvent.click(screen.getByRole('switch'))
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(false))
    expect(inputsOf('users.updateProfile')).toEqual([{ signInOtp: false }])
  })

  const changePassword = async (current: string, next: string, confirmation = next) => {
    await openTab('Security')
    expect(usernameForPasswordManager(screen.getByLabelText('Current Password'))).toBe(currentUser()?.email)
    await userEvent.type(screen.getByLabelText('Current Password'), current)
    await userEvent.type(screen.getByLabelText('New Password'), next)
    await userEvent.type(screen.getByLabelText('Confirm New Password'), confirmation)
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  }

  it('changes the password and asks to sign in again', async () => {
    const onAuthModal = vi.fn<() => void>()
    const stop = listen('openAuthModal', onAuthModal)
    const { inputsOf, onClose } = open({ 'auth.changePassword': () => ({}) })
    await changePassword('Zellige2026', 'Zellige2027')
    expect((await screen.findAllByText('Password changed. Please sign in again.')).length).toBeGreaterThan(0)
    expect(inputsOf('auth.changePassword')).toEqual([
      { currentPassword: 'Zellige2026', newPassword: 'Zellige2027', revokeTokens: false },
    ])
    expect(currentUser()).toBeNull()
    expect(onClose).toHaveBeenCalled()
    expect(onAuthModal).toHaveBeenCalledOnce()
    stop()
  })

  it('shows a wrong current password at its field', async () => {
    const message = 'The current password is incorrect.'
    open({
      'auth.changePassword': () => {
        throw appError('WRONG_CURRENT_PASSWORD', message, { errors: [{ msg: message, path: 'currentPassword' }] })
      },
    })
    await changePassword('Wrong2026', 'Zellige2027')
    await waitFor(() => expect(screen.getByLabelText('Current Password').getAttribute('aria-invalid')).toBe('true'))
    expect(currentUser()).not.toBeNull()
  })

  it.each([
    ['member', /^At least 6 characters/],
    ['admin', /^At least 8 characters/],
  ] as const)('shows a %s the password rules before anything is typed', async (role, rules) => {
    open({}, { role })
    await openTab('Security')
    const described = screen.getByLabelText('New Password').getAttribute('aria-describedby') ?? ''
    expect(document.getElementById(described)?.textContent).toMatch(rules)
  })

  it('does not send two different passwords', async () => {
    const { inputsOf } = open()
    await changePassword('Zellige2026', 'Zellige2027', 'Zellige2028')
    expect(await screen.findByText('Passwords do not match')).toBeDefined()
    expect(inputsOf('auth.changePassword')).toEqual([])
  })

  it('lets a user without a password set one', async () => {
    const onAuthModal = vi.fn<(detail: { mode: string }) => void>()
    const stop = listen('openAuthModal', onAuthModal)
    open({}, { hasPassword: false })
    await openTab('Security')
    await userEvent.click(screen.getByRole('button', { name: 'Set a password' }))
    expect(onAuthModal).toHaveBeenCalledExactlyOnceWith({ mode: 'forgot', email: 'sara@example.ma' })
    expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull()
    stop()
  })
})

describe('account: deletion', () => {
  it('names the consequences for each team, asks for the password, and keeps the account if it is wrong', async () => {
    const me = '00000000-0000-4000-8000-000000000001'
    const mine = aMember(1, { userId: me, isChef: true, name: 'Sara' })
    open({
      'users.teams': () => ({
        pagination: aPagination(1),
        teams: [
          aTeam(1, 'Atlas', {
            ownerId: me,
            members: [mine, aMember(3, { name: 'Omar' }), aMember(2, { name: 'Lina' })],
          }),
          aTeam(2, 'Alone', { ownerId: me, members: [mine] }),
          aTeam(3, 'Others', { members: [aMember(5, { isChef: true }), { ...mine, isChef: false }] }),
        ],
      }),
      'users.remove': () => {
        throw appError('WRONG_PASSWORD', 'The password you entered is incorrect.')
      },
    })
    await openTab('Security')
    expect(await screen.findByText('Atlas: you leave the team and Lina becomes chef')).toBeDefined()
    expect(screen.getByText('Alone: will have no members and become inactive')).toBeDefined()
    expect(screen.getByText('Others: you leave the team')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Delete account' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' })
    await userEvent.type(within(dialog).getByLabelText('Your password'), 'Wrong2026')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete account' }))
    expect((await within(dialog).findAllByText('The password you entered is incorrect.')).length).toBeGreaterThan(0)
    expect(currentUser()).not.toBeNull()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  })

  it('is not offered to administrators', async () => {
    open({}, { role: 'admin' })
    await openTab('Security')
    expect(screen.queryByRole('heading', { name: 'Delete account' })).toBeNull()
  })
})

describe('account: devices', () => {
  const aSession = (number: number, overrides: Partial<SignIn>): SignIn => {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
    return { ...exampleOf(SignIn), id, browser: 'Firefox', system: 'Android', country: 'MA', ...overrides }
  }

  const pageOf = (sessions: SignIn[], total = sessions.length, nextCursor: string | null = null) => ({
    sessions,
    pagination: { page: 1, limit: 20, total, totalPages: Math.ceil(total / 20), nextCursor },
  })

  it('lists the devices, marks this one, and signs out another', async () => {
    let sessions = [aSession(1, { isCurrent: true }), aSession(2, { browser: 'Chrome', system: 'Windows' })]
    const { inputsOf } = open({
      'auth.sessions': () => pageOf(sessions),
      'auth.endSession': ({ id }) => {
        sessions = sessions.filter((session) => session.id !== id)
        return {}
      },
    })
    await openTab('Devices')
    const rows = await screen.findAllByRole('listitem')
    expect(rows).toHaveLength(2)
    expect(within(rows[0] as HTMLElement).getByText('This device')).toBeDefined()
    expect(within(rows[0] as HTMLElement).queryByRole('button')).toBeNull()
    expect(rows[1]?.textContent).toContain('Morocco')
    await userEvent.click(screen.getByRole('button', { name: 'Sign out Chrome on Windows' }))
    await waitFor(() => expect(screen.queryByText('Chrome on Windows')).toBeNull())
    expect(inputsOf('auth.endSession')).toEqual([{ id: '00000000-0000-4000-8000-000000000002' }])
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull()
  })

  it('shows more devices on request, and signs one of them out', async () => {
    const all = Array.from({ length: 25 }, (_, at) =>
      aSession(at + 1, { isCurrent: at === 0, address: `10.0.0.${at + 1}` }),
    )
    const { inputsOf } = open({
      'auth.sessions': ({ cursor }) => (cursor ? pageOf(all.slice(20), 25) : pageOf(all.slice(0, 20), 25, 'next')),
      'auth.endSession': () => ({}),
    })
    await openTab('Devices')
    expect(await screen.findAllByRole('listitem')).toHaveLength(20)
    expect(screen.getByText('20 of 25 devices shown')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(25))
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    const last = screen.getAllByRole('listitem').at(-1) as HTMLElement
    await userEvent.click(within(last).getByRole('button'))
    await waitFor(() => expect(inputsOf('auth.endSession')).toEqual([{ id: all[24]?.id }]))
  })

  it('signs out all other devices', async () => {
    const { inputsOf } = open({
      'auth.sessions': () => pageOf([aSession(1, { isCurrent: true }), aSession(2, {})]),
      'auth.endSessions': () => ({ ended: 1 }),
    })
    await openTab('Devices')
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }))
    await waitFor(() => expect(inputsOf('auth.endSessions')).toEqual([{}]))
  })

  it('offers to try again when the devices cannot be loaded', async () => {
    open({
      'auth.sessions': () => {
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await openTab('Devices')
    expect(await screen.findByText('Your devices could not be loaded')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined()
  })
})
