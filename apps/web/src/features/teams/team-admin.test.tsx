import { type Account, Warning } from '@community/contract'
import { aMember, aTeam, aUser, exampleOf, ROLES } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill, pressTwice } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { TeamDialog } from './team-dialog.tsx'

const chef = aMember(1, { name: 'Omar', isChef: true })
const lina = aMember(2, { name: 'Lina' })
const amine = aMember(3, { name: 'Amine' })
const team = aTeam(1, 'Atlas Lions', { members: [chef, lina, amine] })
const { id } = team
const account = (overrides: Partial<Account>): Account => ({
  visibility: 'full',
  ...aUser(),
  teams: [],
  works: [],
  ...overrides,
})

/** Lina has one warning, Amine two. */
const accounts: NonNullable<Handlers['users.get']> = ({ id: userId }) => ({
  user: account({ id: userId, warnings: [chef, lina, amine].findIndex((member) => member.userId === userId) }),
})

function open({ manage = false, ...handlers }: Handlers & { manage?: boolean } = {}) {
  signIn({ role: 'admin', name: 'Lalla Admin' })
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  const backend = fakeBackend({ 'teams.get': () => ({ team }), 'users.get': accounts, ...handlers })
  renderWithProviders(<TeamDialog teamId={id} manage={manage} onClose={() => {}} />)
  return { ...backend, reload }
}
const clickButton = (name: string, container: HTMLElement = document.body) =>
  userEvent.click(within(container).getByRole('button', { name }))
const storedToasts = () => sessionStorage.getItem('toasts') ?? ''
const cardOf = (name: string) =>
  within(screen.getByRole('list', { name: `Contact ${name}` }).closest<HTMLElement>('article') ?? document.body)

describe('the details for administrators', () => {
  it('shows the chef, 3 of 11 members and contact links, but no actions', async () => {
    open()
    expect(await screen.findByRole('heading', { name: 'Team chef' })).toBeDefined()
    expect(screen.getByText('3/11')).toBeDefined()
    expect(cardOf('Omar').getByText('Chef')).toBeDefined()
    expect(cardOf('Lina').getAllByRole('link').length).toBeGreaterThan(2)
    expect(screen.getByText('Administrators cannot join teams')).toBeDefined()
    expect(screen.queryByRole('button', { name: /Remove Member|Give Warning|Ban User|Join|Leave/ })).toBeNull()
  })

  it('mark warned members', async () => {
    open()
    expect(await screen.findByText('Yellow Card 1')).toBeDefined()
    expect(cardOf('Lina').getByText('Yellow Card 1')).toBeDefined()
    expect(cardOf('Amine').getByText('Yellow Card 2')).toBeDefined()
    expect(cardOf('Omar').queryByText(/Yellow|BANNED/)).toBeNull()
  })

  it('lead to the member actions and back', async () => {
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Manage members' }))
    expect(screen.getByRole('button', { name: 'Ban User Lina' })).toBeDefined()
    await clickButton('Back')
    expect(screen.queryByRole('button', { name: 'Ban User Lina' })).toBeNull()
  })

  it('show inline and in a toast that warnings could not be loaded, and try again', async () => {
    let isUnavailable = true
    open({
      'users.get': (input) => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return accounts(input)
      },
    })
    expect(await screen.findByText('Admin Data')).toBeDefined()
    expect(screen.getAllByText('Could not load user data for admin features').length).toBeGreaterThanOrEqual(2)
    isUnavailable = false
    await clickButton('Try Again')
    expect(await screen.findByText('Yellow Card 2')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Try Again' })).toBeNull()
  })

  it('show a network error differently', async () => {
    open({ 'users.get': () => Promise.reject(new TypeError('gone')) })
    const message = 'Failed to load user data. Some admin features may not be available.'
    expect(await screen.findByText(message, {}, { timeout: 8000 })).toBeDefined()
  }, 15_000)
})

describe('the member actions for administrators', () => {
  it('offer three actions for each member, only removal for banned ones, none for oneself', async () => {
    const admin = aUser({ role: 'admin' })
    const own = aMember(7, { userId: admin.id, name: admin.name })
    open({
      manage: true,
      'teams.get': () => ({ team: aTeam(1, 'Atlas Lions', { members: [chef, lina, own] }) }),
      'users.get': ({ id: userId }) => ({ user: account({ id: userId, isBanned: userId === lina.userId }) }),
    })
    expect(await screen.findByText('BANNED')).toBeDefined()
    const labels = (name: string) =>
      cardOf(name)
        .queryAllByRole('button')
        .map((button) => button.textContent)
    expect(labels('Omar')).toEqual(['Remove Member Omar', 'Give Warning Omar', 'Ban User Omar'])
    expect(labels('Lina')).toEqual(['Remove Member Lina'])
    expect(labels(admin.name)).toEqual([])
    expect(cardOf(admin.name).getByText('You cannot perform admin actions on your own account')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull()
  })

  it('are not shown to others', async () => {
    fakeBackend({ 'teams.get': () => ({ team }) })
    signIn()
    renderWithProviders(<TeamDialog teamId={id} manage onClose={() => {}} />)
    expect(await screen.findByRole('button', { name: 'Join This Team' })).toBeDefined()
    expect(screen.queryByRole('button', { name: /Ban User/ })).toBeNull()
  })

  it('requires a reason of at most 500 characters', async () => {
    const { inputsOf } = open({ manage: true })
    await userEvent.click(await screen.findByRole('button', { name: 'Give Warning Lina' }))
    const dialog = await screen.findByRole('dialog', { name: 'Give Warning' })
    await clickButton('Continue', dialog)
    expect(await within(dialog).findByText('This field is required')).toBeDefined()
    await fill(within(dialog).getByLabelText('Reason'), 'x'.repeat(501))
    await clickButton('Continue', dialog)
    expect(await within(dialog).findByText('Maximum 500 characters allowed')).toBeDefined()
    expect(inputsOf('admin.warn')).toEqual([])
  })

  it('names the successor of a removed chef', async () => {
    open({ manage: true })
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Member Omar' }))
    expect(await screen.findByText(/Lina will be the new chef/)).toBeDefined()
  })
})

describe('the team of an administrator who is its chef', () => {
  const me = aUser({ role: 'admin', name: 'Lalla Admin' })
  const ownMembership = aMember(7, { userId: me.id, name: me.name, isChef: true })
  const own = aTeam(1, 'Atlas Lions', { members: [ownMembership, lina, amine] })
  const openOwn = (handlers: Handlers = {}, manage = true) =>
    open({ manage, 'teams.get': () => ({ team: own }), 'roles.list': () => ({ roles: ROLES }), ...handlers })
  const passwordDialog = async () => {
    await screen.findByLabelText('Your password')
    return screen.getAllByRole('dialog').at(-1) ?? document.body
  }
  /** Enters the password in the dialog that asks for it. */
  const submitPasswordTwice = async (password: string, button: string) => {
    const dialog = await passwordDialog()
    await fill(within(dialog).getByLabelText('Your password'), password)
    pressTwice(within(dialog).getByRole('button', { name: button }))
    return dialog
  }
  const password = 'Majorelle-2026'

  it('can be left from the details, and managed from the member actions', async () => {
    openOwn({}, false)
    expect(await screen.findByRole('button', { name: 'Leave as Chef' })).toBeDefined()
    expect(screen.queryByRole('heading', { name: 'Manage team' })).toBeNull()
    await clickButton('Manage members')
    for (const name of ['Rename', 'Edit', 'Transfer Ownership', 'Deactivate', 'Delete'])
      expect(screen.getByRole('button', { name })).toBeDefined()
  })

  it('cannot be managed if somebody else is its chef', async () => {
    open({ manage: true })
    expect(await screen.findByRole('button', { name: 'Ban User Lina' })).toBeDefined()
    expect(screen.queryByRole('heading', { name: 'Manage team' })).toBeNull()
  })

  it.each([
    {
      button: 'Deactivate',
      procedure: 'teams.update',
      input: { id, isActive: false, password },
      successTitle: 'Team Deactivated',
    },
    { button: 'Delete', procedure: 'teams.remove', input: { id, password }, successTitle: 'Team Deleted' },
  ] as const)(
    '$button asks for the password in its confirmation',
    async ({ button, procedure, input, successTitle }) => {
      const { inputsOf } = openOwn({ 'teams.update': () => ({ team: own }), 'teams.remove': () => ({}) })
      await screen.findByRole('heading', { name: 'Manage team' })
      await clickButton(button)
      await clickButton('Cancel', await passwordDialog())
      expect(inputsOf(procedure)).toEqual([])
      await clickButton(button)
      await submitPasswordTwice(password, button)
      await waitFor(() => expect(storedToasts()).toContain(successTitle))
      expect(inputsOf(procedure)).toEqual([input])
    },
  )

  it('Rename shows a wrong password once and can be retried; a rejected name returns to its field', async () => {
    const message = 'A team with this name already exists'
    const { inputsOf, reload } = openOwn({
      'teams.update': (input) => {
        if (input.password !== password)
          throw appError('WRONG_PASSWORD', 'The password you entered is incorrect.', { invalid: true })
        if (input.name === 'Code Fassi') throw appError('DUPLICATE_NAME', message)
        return { team: own }
      },
    })
    await screen.findByRole('heading', { name: 'Manage team' })
    await clickButton('Rename')
    const form = await screen.findByRole('dialog', { name: 'Rename Team' })
    const rename = async (name: string) => {
      await fill(within(form).getByLabelText('Team name'), name)
      await clickButton('Rename', form)
    }
    await rename('Code Fassi')
    const dialog = await submitPasswordTwice('not it', 'Rename')
    expect((await within(dialog).findAllByText('The password you entered is incorrect.')).length).toBeGreaterThan(0)
    expect(storedToasts().match(/The password you entered is incorrect/g)).toHaveLength(1)
    await submitPasswordTwice(password, 'Rename')
    expect((await within(form).findAllByText(message)).length).toBeGreaterThan(0)
    expect(screen.queryByLabelText('Your password')).toBeNull()
    await rename('Zellige')
    await submitPasswordTwice(password, 'Rename')
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf('teams.update').at(-1)).toEqual({ id, name: 'Zellige', password })
  })

  it('Edit and Transfer Ownership keep their form if the password is cancelled', async () => {
    const { inputsOf } = openOwn({
      'teams.update': () => ({ team: own }),
      'teams.transferOwnership': () => ({ team: own }),
    })
    await screen.findByRole('heading', { name: 'Manage team' })
    const cancelThenEnterPassword = async (title: string, button: string) => {
      const form = screen.getByRole('dialog', { name: title })
      await clickButton(button, form)
      await clickButton('Cancel', await passwordDialog())
      await waitFor(() => expect(screen.queryByLabelText('Your password')).toBeNull())
      await clickButton(button, form)
      await submitPasswordTwice(password, button)
      await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
    }
    await clickButton('Edit')
    await screen.findByRole('dialog', { name: 'Edit Atlas Lions' })
    await cancelThenEnterPassword('Edit Atlas Lions', 'Save')
    await clickButton('Transfer Ownership')
    await userEvent.click(await screen.findByRole('radio', { name: 'Lina' }))
    await cancelThenEnterPassword('Transfer Ownership', 'Transfer')
    expect(inputsOf('teams.update')).toEqual([expect.objectContaining({ id, password })])
    expect(inputsOf('teams.transferOwnership')).toEqual([{ id, newOwnerId: lina.userId, password }])
  })
})

const MODERATION_ACTIONS = [
  {
    action: 'Remove Member',
    procedure: 'admin.removeTeamMember',
    input: { id, userId: lina.userId, password: 'Majorelle-2026' },
    successTitle: 'Member Removed',
    fallback: 'Failed to remove member from team',
  },
  {
    action: 'Give Warning',
    procedure: 'admin.warn',
    input: { userId: lina.userId, reason: 'Rude words', password: 'Majorelle-2026' },
    successTitle: 'Warning Given',
    fallback: 'Failed to give warning',
  },
  {
    action: 'Ban User',
    procedure: 'admin.ban',
    input: { userId: lina.userId, reason: 'Rude words', password: 'Majorelle-2026' },
    successTitle: 'User Banned',
    fallback: 'Failed to ban user',
  },
] as const

describe.each(MODERATION_ACTIONS)('$action', ({ action, procedure, input, successTitle, fallback }) => {
  const withReason = 'reason' in input
  const handlers = {
    'admin.removeTeamMember': () => ({ team }),
    'admin.warn': () => ({
      user: aUser(),
      warning: exampleOf(Warning),
    }),
    'admin.ban': () => ({ user: aUser() }),
  }

  /** The first step: enters the reason, or confirms. */
  async function startAction(handlers: Handlers = {}) {
    const backend = open({ manage: true, ...handlers })
    await userEvent.click(await screen.findByRole('button', { name: `${action} Lina` }))
    const first = await screen.findByRole(withReason ? 'dialog' : 'alertdialog', { name: action })
    return { ...backend, first }
  }
  async function continueToPassword(first: HTMLElement) {
    if (withReason) await fill(within(first).getByLabelText('Reason'), '  Rude words ')
    await clickButton(withReason ? 'Continue' : action, first)
    return screen.findByRole('dialog', { name: action })
  }
  async function submitPasswordTwice(dialog: HTMLElement, password: string) {
    await fill(within(dialog).getByLabelText('Your password'), password)
    pressTwice(within(dialog).getByRole('button', { name: action }))
  }

  it('runs once with the input and the password, shows a toast, and reloads the page', async () => {
    const { inputsOf, reload, first } = await startAction({ [procedure]: handlers[procedure] })
    const dialog = await continueToPassword(first)
    expect(inputsOf(procedure)).toEqual([])
    await submitPasswordTwice(dialog, 'Majorelle-2026')
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf(procedure)).toEqual([input])
    expect(storedToasts()).toContain(successTitle)
  })

  it('does nothing when either dialog is cancelled', async () => {
    const { inputsOf, reload, first } = await startAction()
    await clickButton('Cancel', first)
    expect(screen.queryByLabelText('Your password')).toBeNull()
    await clickButton(`${action} Lina`)
    const again = await screen.findByRole(withReason ? 'dialog' : 'alertdialog', { name: action })
    await clickButton('Cancel', await continueToPassword(again))
    expect(inputsOf(procedure)).toEqual([])
    expect(reload).not.toHaveBeenCalled()
    expect(storedToasts()).not.toContain('title')
  })

  it('shows a wrong password in the dialog', async () => {
    const message = 'The password you entered is incorrect.'
    const { reload, first } = await startAction({
      [procedure]: () => {
        throw appError('WRONG_PASSWORD', message, { invalid: true })
      },
    })
    const dialog = await continueToPassword(first)
    await submitPasswordTwice(dialog, 'Wrong-2026')
    expect((await within(dialog).findAllByText(message)).length).toBeGreaterThan(0)
    expect(storedToasts()).toContain('Invalid Password')
    expect(storedToasts()).not.toContain('"title":"Error"')
    expect(reload).not.toHaveBeenCalled()
  })

  it('shows the server’s error, or else its own message', async () => {
    let message = 'Team not found'
    const { reload, first } = await startAction({
      [procedure]: () => {
        throw appError('INTERNAL', message)
      },
    })
    const dialog = await continueToPassword(first)
    await submitPasswordTwice(dialog, 'Majorelle-2026')
    await waitFor(() => expect(storedToasts()).toContain('Team not found'))
    message = ''
    await submitPasswordTwice(dialog, 'Majorelle-2026')
    await waitFor(() => expect(storedToasts()).toContain(fallback))
    expect(reload).not.toHaveBeenCalled()
  })
})
