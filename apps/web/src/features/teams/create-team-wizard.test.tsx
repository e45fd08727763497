import { aSignIn, aTeam, publicSettings, ROLES } from '@community/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { listen } from '../../lib/events.ts'
import { clearSession, storeSession } from '../../lib/session.ts'
import { useSignUpDraft } from '../../lib/sign-up-draft.ts'
import { CreateTeamWizard } from './create-team-wizard.tsx'

function open(handlers: Handlers = {}) {
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'roles.list': () => ({ roles: ROLES }),
    ...handlers,
  })
  const onClose = vi.fn<() => void>()
  const view = renderWithProviders(<CreateTeamWizard onClose={onClose} />)
  return { ...backend, ...view, onClose }
}

const next = () => userEvent.click(screen.getByRole('button', { name: 'Next' }))
const create = () => userEvent.click(screen.getByRole('button', { name: 'Create Team' }))

async function fillCreatorStep() {
  await fill(screen.getByLabelText('Full Name'), 'Sara El Amrani')
  await fill(screen.getByLabelText('Email'), 'sara@example.ma')
  await fill(screen.getByLabelText('Phone'), '06 12 34 56 78')
  await userEvent.selectOptions(screen.getByLabelText('Experience'), 'Advanced')
  await next()
}

async function fillTeamStep(name = 'Atlas Lions') {
  await fill(await screen.findByLabelText('Team name'), name)
  await fill(screen.getByLabelText('Description'), 'We build small things.')
  await userEvent.selectOptions(screen.getByLabelText('Team experience level'), 'Expert')
  await next()
}

const profile = { phone: '0612345678', experience: 'Advanced' } as const

describe('the steps of the wizard', () => {
  it('are validated before the next, and focus the first invalid field', async () => {
    open()
    await next()
    expect(await screen.findByText('Please enter your full name')).toBeDefined()
    expect(screen.getByText('Please enter your email')).toBeDefined()
    expect(screen.getByText('Please enter your phone number')).toBeDefined()
    expect(screen.getByText('Please select your experience level')).toBeDefined()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Full Name')))
    expect(screen.getByText('Your info', { selector: 'li *' }).closest('li')?.getAttribute('aria-current')).toBe('step')
  })

  it('validate an invalid field again while it is corrected', async () => {
    open()
    await next()
    await userEvent.type(screen.getByLabelText('Full Name'), 'Sara')
    await waitFor(() => expect(screen.queryByText('Please enter your full name')).toBeNull())
  })

  it('ask for name, description and level, count characters, and keep all values on the way back', async () => {
    signIn(profile)
    open()
    await next()
    const name = await screen.findByLabelText<HTMLInputElement>('Team name')
    await userEvent.type(name, 'ab')
    await userEvent.type(screen.getByLabelText('Description'), 'short')
    expect(screen.getByText('5 of 1,000 characters')).toBeDefined()
    await next()
    expect(await screen.findByText('Team name must be at least 3 characters')).toBeDefined()
    expect(screen.getByText('Description must be at least 10 characters long')).toBeDefined()
    expect(screen.getByText('Please select team experience level')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Previous' }))
    expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('0612345678')
    await next()
    expect((await screen.findByLabelText<HTMLInputElement>('Team name')).value).toBe('ab')
  })

  it('take a name of 40 emoji, and say that a longer one is too long', async () => {
    signIn(profile)
    open()
    await next()
    const name = await screen.findByLabelText<HTMLInputElement>('Team name')
    await userEvent.click(name)
    await userEvent.paste('🦁'.repeat(41))
    await next()
    expect(await screen.findByText('Team name cannot exceed 40 characters')).toBeDefined()
    await userEvent.clear(name)
    await userEvent.paste('🦁'.repeat(40))
    await waitFor(() => expect(screen.queryByText('Team name cannot exceed 40 characters')).toBeNull())
    expect(name.value).toBe('🦁'.repeat(40))
  })

  it('offer 2 to 10 members, 5 recommended', async () => {
    signIn(profile)
    open()
    await next()
    const size = await screen.findByLabelText<HTMLSelectElement>('Maximum members')
    expect([...size.options].map((option) => option.value)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10'])
    expect([...size.options].find((option) => option.value === '5')?.textContent).toBe('5 (recommended)')
  })

  it('require a role, and can clear all roles', async () => {
    signIn(profile)
    const { inputsOf } = open()
    await next()
    await fillTeamStep()
    await create()
    expect(await screen.findByText('Please select at least one role')).toBeDefined()
    await userEvent.click(screen.getByRole('checkbox', { name: 'Frontend Developer' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'UX Designer' }))
    expect(screen.getByText('2 roles selected')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Clear All' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Clear All' }))
    expect(document.activeElement?.getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText('No role selected')).toBeDefined()
    expect(inputsOf('teams.create')).toEqual([])
  }, 15_000)
})

/** Opens the wizard and creates a team: the banner follows. */
async function createAtlasLions() {
  signIn(profile)
  const opened = open({ 'teams.create': () => ({ team: aTeam(1, 'Atlas Lions') }) })
  await next()
  await fillTeamStep()
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Frontend Developer' }))
  await create()
  return opened
}

describe('creating the team', () => {
  it('keeps the banner while the new team is shared', async () => {
    const { onClose } = await createAtlasLions()
    await userEvent.click(await screen.findByRole('button', { name: 'Invite Members' }, { timeout: 3000 }))
    const share = within(await screen.findByRole('dialog', { name: 'Share' }))
    expect(share.getByRole<HTMLInputElement>('textbox', { name: 'Link' }).value).toBe(
      `http://localhost:3000/#team-${aTeam(1, 'Atlas Lions').id}`,
    )
    // Nothing closes in the time of the banner.
    await expect(waitFor(() => expect(onClose).toHaveBeenCalled(), { timeout: 2500 })).rejects.toThrow()
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  }, 15_000)

  it('keeps the banner while its button has the focus', async () => {
    const { onClose } = await createAtlasLions()
    const share = await screen.findByRole('button', { name: 'Invite Members' }, { timeout: 3000 })
    share.focus()
    // Nothing closes in the time of the banner.
    await expect(waitFor(() => expect(onClose).toHaveBeenCalled(), { timeout: 2500 })).rejects.toThrow()
    share.blur()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce(), { timeout: 4000 })
  }, 15_000)

  it('sends the team once, shows the banner, then closes with a toast', async () => {
    signIn(profile)
    const created: unknown[] = []
    const stop = listen('teamCreated', (detail) => created.push(detail?.teamId))
    const times = { press: 0, request: 0, close: 0 }
    const { requests, inputsOf, onClose } = open({
      'teams.create': () => {
        times.request = performance.now()
        return { team: aTeam(1, 'Atlas Lions') }
      },
    })
    onClose.mockImplementation(() => void (times.close = performance.now()))
    await next()
    await fillTeamStep()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Frontend Developer' }))
    times.press = performance.now()
    await create()
    // During the specification's pause the button is busy and nothing is sent.
    expect(await screen.findByText('Creating team...')).toBeDefined()
    expect(inputsOf('teams.create')).toEqual([])
    expect(
      await screen.findByText('Atlas Lions is ready for its members.', { selector: 'output *' }, { timeout: 3000 }),
    ).toBeDefined()
    expect(sessionStorage.getItem('teamDraft')).toBeNull()
    expect(created).toEqual([])
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce(), { timeout: 4000 })
    stop()
    // One second before and two after; timers may fire slightly early.
    expect(times.request - times.press).toBeGreaterThan(990)
    expect(times.close - times.request).toBeGreaterThan(1990)
    expect(created).toEqual([aTeam(1, 'Atlas Lions').id])
    const call = requests.find(({ path }) => path === 'teams.create')
    expect(call?.headers.get('idempotency-key')).toBeTruthy()
    expect(call?.input).toMatchObject({
      name: 'Atlas Lions',
      maxMembers: 5,
      userInfo: { firstName: 'Sara', lastName: 'El Amrani', personalExperience: 'Advanced' },
    })
  }, 15_000)

  it('shows a server error at its field, in its step', async () => {
    signIn(profile)
    open({
      'teams.create': () => {
        const message = 'A team with this name already exists'
        throw appError('DUPLICATE_NAME', message, { errors: [{ msg: message, path: 'name' }] })
      },
    })
    await next()
    await fillTeamStep()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Frontend Developer' }))
    await create()
    const name = await screen.findByLabelText('Team name', {}, { timeout: 3000 })
    await waitFor(() => expect(document.activeElement).toBe(name))
    expect(name.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('Team Creation Failed')).toBeDefined()
  }, 15_000)

  it('asks a visitor to sign in, and restores the form afterwards', async () => {
    const opened = trackOpenedDialogs()
    const { inputsOf, rerender } = open()
    await fillCreatorStep()
    await fillTeamStep()
    await userEvent.click(await screen.findByRole('checkbox', { name: 'UX Designer' }))
    await create()
    const intent = { name: 'createTeam' }
    await waitFor(() => expect(opened).toEqual([expect.objectContaining({ name: 'signInPrompt', intent })]))
    expect(inputsOf('teams.create')).toEqual([])
    expect(useSignUpDraft.getState()).toEqual({ name: 'Sara El Amrani', email: 'sara@example.ma' })
    rerender(null)
    storeSession(aSignIn())
    rerender(<CreateTeamWizard onClose={() => {}} />)
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'UX Designer' })).checked).toBe(true)
    expect(screen.getByText('We kept your draft.')).toBeDefined()
  }, 15_000)
})

describe('without roles from the server', () => {
  it('offers the built-in roles if the server returns none', async () => {
    signIn(profile)
    open({ 'roles.list': () => ({ roles: [] }) })
    await next()
    await fillTeamStep()
    expect(await screen.findAllByRole('checkbox')).toHaveLength(29)
  }, 15_000)

  it('offers the built-in roles, and sends the server’s ids once they are loaded', async () => {
    signIn(profile)
    let isUnavailable = true
    const { inputsOf } = open({
      'roles.list': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return { roles: ROLES }
      },
      'teams.create': () => ({ team: aTeam(1, 'Atlas Lions') }),
    })
    await next()
    await fillTeamStep()
    expect(await screen.findAllByRole('checkbox')).toHaveLength(29)
    await userEvent.click(screen.getByRole('checkbox', { name: 'UX Designer' }))
    isUnavailable = false
    await create()
    await waitFor(() => expect(inputsOf('teams.create')).toHaveLength(1), { timeout: 4000 })
    expect(inputsOf('teams.create')[0]).toMatchObject({ rolesNeeded: [{ id: ROLES[1]?.id, name: 'UX Designer' }] })
  }, 15_000)
})

describe('after closing by accident', () => {
  it('opens with the draft, and starts over on request', async () => {
    signIn(profile)
    const { rerender } = open()
    await next()
    await fill(await screen.findByLabelText('Team name'), 'Atlas Lions')
    rerender(null)
    expect(screen.queryByRole('dialog')).toBeNull()
    rerender(<CreateTeamWizard onClose={() => {}} />)
    expect((await screen.findByLabelText<HTMLInputElement>('Team name')).value).toBe('Atlas Lions')
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
    expect(await screen.findByLabelText('Full Name')).toBeDefined()
    expect(sessionStorage.getItem('teamDraft')).toBeNull()
  }, 15_000)
})

describe('the draft of a user', () => {
  it('is not shown to the next user after a sign-out in another tab', async () => {
    const sara = signIn(profile)
    const { rerender } = open()
    await next()
    await fill(await screen.findByLabelText('Team name'), 'Atlas Lions')
    act(clearSession)
    rerender(null)
    signIn({ ...profile, id: 'omar', name: 'Omar' })
    rerender(<CreateTeamWizard onClose={() => {}} />)
    expect((await screen.findByLabelText<HTMLInputElement>('Full Name')).value).toBe('Omar')
    rerender(null)
    signIn(sara)
    rerender(<CreateTeamWizard onClose={() => {}} />)
    expect((await screen.findByLabelText<HTMLInputElement>('Team name')).value).toBe('Atlas Lions')
  }, 15_000)
})

describe('users who cannot create a team', () => {
  it('tells an admin why', async () => {
    signIn({ role: 'admin' })
    open()
    expect(await screen.findByText('Administrators cannot create teams')).toBeDefined()
  })

  it('tells everybody while team creation is off', async () => {
    signIn()
    open({ 'system.settings': () => publicSettings({ teamCreationEnabled: false }) })
    expect(await screen.findByText('Team creation is disabled')).toBeDefined()
  })
})
