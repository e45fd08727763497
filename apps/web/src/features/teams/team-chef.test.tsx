import type { Team } from '@community/contract'
import { aMember, aTeam, aUser, ROLES } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill, pressTwice } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { TeamDialog } from './team-dialog.tsx'

const me = aUser()
const chef = aMember(9, { userId: me.id, name: me.name, isChef: true })
const lina = aMember(2, { name: 'Lina' })
const omar = aMember(1, { name: 'Omar' })
const teamOf = (members = [chef, lina, omar], overrides: Partial<Team> = {}) =>
  aTeam(1, 'Atlas Lions', { members, ...overrides })
const { id } = teamOf()

/** Opens the chef's own team, with `reload` and `onClose` mocked. */
async function open(handlers: Handlers = {}, team = teamOf()) {
  signIn()
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  const onClose = vi.fn<() => void>()
  const backend = fakeBackend({
    'teams.get': () => ({ team }),
    'roles.list': () => ({ roles: ROLES }),
    ...handlers,
  })
  renderWithProviders(<TeamDialog teamId={team.id} onClose={onClose} />)
  await screen.findByRole('heading', { name: 'Manage team' })
  return { ...backend, reload, onClose }
}
const press = (name: string, place: HTMLElement = document.body) =>
  userEvent.click(within(place).getByRole('button', { name }))
const storedToasts = () => sessionStorage.getItem('toasts') ?? ''
const failWith = (code: string, message: string, path?: string) => () => {
  throw appError(code, message, path ? { errors: [{ msg: message, path }] } : {})
}

describe('a member who is not the chef', () => {
  it('sees no chef actions', async () => {
    signIn()
    const team = aTeam(1, 'Atlas Lions', { members: [aMember(1, { isChef: true }), { ...chef, isChef: false }] })
    fakeBackend({ 'teams.get': () => ({ team }) })
    renderWithProviders(<TeamDialog teamId={team.id} onClose={() => {}} />)
    expect(await screen.findByRole('button', { name: 'Leave Team' })).toBeDefined()
    for (const name of ['Rename', 'Edit', 'Deactivate', 'Delete', 'Transfer Ownership', 'Invite Members'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Remove Member/ })).toBeNull()
  })
})

describe('Rename', () => {
  const rename = async (name: string) => {
    await press('Rename')
    const dialog = await screen.findByRole('dialog', { name: 'Rename Team' })
    await fill(within(dialog).getByLabelText('Team name'), name)
    await press('Rename', dialog)
    return dialog
  }

  it('sends the trimmed name once, shows a toast, and reloads', async () => {
    const { inputsOf, reload } = await open({ 'teams.update': () => ({ team: teamOf() }) })
    await press('Rename')
    const dialog = await screen.findByRole('dialog', { name: 'Rename Team' })
    expect(within(dialog).getByLabelText<HTMLInputElement>('Team name').value).toBe('Atlas Lions')
    await fill(within(dialog).getByLabelText('Team name'), '  Code Fassi ')
    pressTwice(within(dialog).getByRole('button', { name: 'Rename' }))
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf('teams.update')).toEqual([{ id, name: 'Code Fassi' }])
    expect(storedToasts()).toContain('Team Renamed')
  })

  it.each(['', '   ', ' Atlas Lions '])('ignores “%s”', async (name) => {
    const { inputsOf, reload } = await open()
    await rename(name)
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Rename Team' })).toBeNull())
    expect(inputsOf('teams.update')).toEqual([])
    expect(reload).not.toHaveBeenCalled()
    expect(storedToasts()).not.toContain('Team Renamed')
  })

  it('checks the length before sending', async () => {
    const { inputsOf } = await open()
    const dialog = await rename('ab')
    expect(await within(dialog).findByText('Team name must be at least 3 characters')).toBeDefined()
    await fill(within(dialog).getByLabelText('Team name'), 'x'.repeat(41))
    await press('Rename', dialog)
    expect(await within(dialog).findByText('Maximum 40 characters allowed')).toBeDefined()
    expect(inputsOf('teams.update')).toEqual([])
  })

  it('shows at the field and in a toast that the name is taken, and keeps it', async () => {
    const message = 'A team with this name already exists'
    const { reload } = await open({ 'teams.update': failWith('DUPLICATE_NAME', message, 'name') })
    const dialog = await rename('Code Fassi')
    expect((await within(dialog).findAllByText(message)).length).toBeGreaterThan(0)
    expect(within(dialog).getByLabelText<HTMLInputElement>('Team name').value).toBe('Code Fassi')
    expect(storedToasts()).toContain(message)
    expect(reload).not.toHaveBeenCalled()
  })

  it('has a fallback for a failure without a message', async () => {
    await open({ 'teams.update': failWith('INTERNAL', '') })
    await rename('Code Fassi')
    await waitFor(() => expect(storedToasts()).toContain('Failed to rename team'))
  })
})

describe.each([
  {
    button: 'Deactivate',
    title: 'Deactivate Team',
    call: 'teams.update',
    input: { id, isActive: false },
    done: 'Team Deactivated',
    fallback: 'Failed to deactivate team',
    answer: { team: teamOf() },
    reloads: true,
  },
  {
    button: 'Delete',
    title: 'Delete Team',
    call: 'teams.remove',
    input: { id },
    done: 'Team Deleted',
    fallback: 'Failed to delete team',
    answer: null,
    reloads: false,
  },
] as const)('$button', ({ button, title, call, input, done, fallback, answer, reloads }) => {
  const openDialog = async () => {
    await press(button)
    return screen.findByRole('alertdialog', { name: title })
  }

  it('asks for a confirmation, and does nothing when it is cancelled', async () => {
    const { inputsOf } = await open()
    const question = await openDialog()
    if (button === 'Delete') expect(within(question).getByText(/This cannot be undone/)).toBeDefined()
    await press('Cancel', question)
    expect(inputsOf(call)).toEqual([])
  })

  it('runs once and shows a toast', async () => {
    const { inputsOf, reload, onClose } = await open({ [call]: () => answer })
    pressTwice(within(await openDialog()).getByRole('button', { name: button }))
    await waitFor(() => expect(reloads ? reload : onClose).toHaveBeenCalledOnce())
    expect(inputsOf(call)).toEqual([input])
    expect(storedToasts()).toContain(done)
    expect(reloads ? onClose : reload).not.toHaveBeenCalled()
  })

  it('shows the error, and stays open', async () => {
    const { reload, onClose } = await open({ [call]: failWith('CHEF_ONLY', 'Only the team chef can do this') })
    const question = await openDialog()
    await press(button, question)
    expect((await within(question).findAllByText('Only the team chef can do this')).length).toBeGreaterThan(0)
    expect(storedToasts()).toContain('"title":"Error"')
    expect(reload).not.toHaveBeenCalled()
    expect(onClose).not.toHaveBeenCalled()
  })

  it('has a fallback for a failure without a message', async () => {
    await open({ [call]: failWith('INTERNAL', '') })
    await press(button, await openDialog())
    await waitFor(() => expect(storedToasts()).toContain(fallback))
  })
})

it('offers no deactivation of an inactive team, and no transfer without other members', async () => {
  await open({}, teamOf([chef], { isActive: false }))
  expect(screen.queryByRole('button', { name: 'Deactivate' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Transfer Ownership' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Delete' })).toBeDefined()
})

describe('Transfer Ownership', () => {
  const openDialog = async () => {
    await press('Transfer Ownership')
    return screen.findByRole('dialog', { name: 'Transfer Ownership' })
  }

  it('shows a member’s account name if it differs from the name given on joining', async () => {
    const impostor = aMember(3, { name: 'Lina', accountName: 'Mallory', isAccountEmail: false })
    await open({}, teamOf([chef, lina, impostor]))
    const dialog = await openDialog()
    expect(within(dialog).getByText('Mallory')).toBeDefined()
    expect(within(dialog).getAllByText('Contact email differs from the account email')).toHaveLength(1)
  })

  it('requires a choice among the other members, and shows the new chef', async () => {
    let current = teamOf()
    const after = teamOf([{ ...lina, isChef: true }, { ...chef, isChef: false }, omar], { ownerId: lina.userId })
    const { inputsOf } = await open({
      'teams.get': () => ({ team: current }),
      'teams.transferOwnership': () => {
        current = after
        return { team: after }
      },
    })
    const dialog = await openDialog()
    expect(within(dialog).getAllByRole('radio')).toHaveLength(2)
    await press('Transfer', dialog)
    expect(within(dialog).getByRole('group', { name: 'New chef', description: 'Please choose a member' })).toBeDefined()
    expect(document.activeElement).toBe(within(dialog).getAllByRole('radio')[0])
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Lina' }))
    pressTwice(within(dialog).getByRole('button', { name: 'Transfer' }))
    expect(await screen.findByRole('button', { name: 'Leave Team' })).toBeDefined()
    expect(inputsOf('teams.transferOwnership')).toEqual([{ id, newOwnerId: lina.userId }])
    expect(storedToasts()).toContain('Lina is the new chef of Atlas Lions.')
    expect(screen.queryByRole('heading', { name: 'Manage team' })).toBeNull()
  })

  it('shows that the member has already left', async () => {
    const message = 'New owner not found in team members'
    await open({ 'teams.transferOwnership': failWith('NEW_OWNER_MISSING', message, 'newOwnerId') })
    const dialog = await openDialog()
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Omar' }))
    await press('Transfer', dialog)
    expect((await within(dialog).findAllByText(message)).length).toBeGreaterThan(0)
    expect(storedToasts()).toContain(message)
  })
})

describe('Invite Members', () => {
  it('shares the link to the team', async () => {
    await open()
    await press('Invite Members')
    const share = within(await screen.findByRole('dialog', { name: 'Share' }))
    expect(share.getByRole<HTMLInputElement>('textbox', { name: 'Link' }).value).toContain(`/#team-${id}`)
  })

  it.each([
    ['is full', { maxMembers: 3 }],
    ['is inactive', { isActive: false }],
  ])('is a plain Share if the team %s', async (_case, overrides) => {
    await open({}, { ...teamOf(), ...overrides })
    expect(screen.getByRole('button', { name: 'Share Atlas Lions' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Invite Members' })).toBeNull()
  })
})

describe('Remove Member', () => {
  it('asks for a confirmation, removes, shows a toast, and reloads', async () => {
    const { inputsOf, reload } = await open({ 'teams.removeMember': () => ({ team: teamOf([chef, omar]) }) })
    await press('Remove Member Lina')
    const question = await screen.findByRole('alertdialog', { name: 'Remove Member' })
    expect(within(question).getByText('Lina will no longer be a member of Atlas Lions.')).toBeDefined()
    await press('Remove Member', question)
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf('teams.removeMember')).toEqual([{ id, userId: lina.userId }])
    expect(storedToasts()).toContain('Member Removed')
  })

  it('shows the error', async () => {
    const message = 'This person is not a member of the team'
    const { reload } = await open({ 'teams.removeMember': failWith('MEMBER_MISSING', message) })
    await press('Remove Member Lina')
    const question = await screen.findByRole('alertdialog')
    await press('Remove Member', question)
    expect((await within(question).findAllByText(message)).length).toBeGreaterThan(0)
    expect(storedToasts()).toContain(message)
    expect(reload).not.toHaveBeenCalled()
  })

  it('lets a chef with several others choose a successor, by default the oldest member', async () => {
    const { inputsOf, reload } = await open({ 'teams.removeMember': () => ({ team: teamOf([omar, lina]) }) })
    const choose = async () => {
      await press(`Remove Member ${me.name}`)
      return screen.findByRole('dialog', { name: 'Choose the new chef' })
    }
    const first = await choose()
    const automatic = within(first).getByRole<HTMLInputElement>('radio', {
      name: 'Automatic: the member who joined first',
    })
    expect(automatic.checked).toBe(true)
    expect(automatic.closest('label')?.textContent).toContain('Omar')
    await press('Remove Member', first)
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    const second = await choose()
    await userEvent.click(within(second).getByRole('radio', { name: 'Lina' }))
    await press('Remove Member', second)
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
    expect(inputsOf('teams.removeMember')).toEqual([
      { id, userId: me.id, autoAssign: true },
      { id, userId: me.id, newOwnerId: lina.userId },
    ])
    expect(storedToasts()).toContain('Member Removed')
  })

  it('makes the only other member chef, without a choice', async () => {
    const { inputsOf, reload } = await open(
      { 'teams.removeMember': () => ({ team: teamOf([lina]) }) },
      teamOf([chef, lina]),
    )
    await press(`Remove Member ${me.name}`)
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText(/Lina will be the new chef/)).toBeDefined()
    await press('Remove Member', question)
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf('teams.removeMember')).toEqual([{ id, userId: me.id }])
  })

  it('is not offered to a chef without other members, whom the server would not remove', async () => {
    await open({}, teamOf([chef]))
    expect(screen.queryByRole('button', { name: /^Remove Member/ })).toBeNull()
  })
})

describe('Edit', () => {
  const openDialog = async () => {
    await press('Edit')
    return screen.findByRole('dialog', { name: 'Edit Atlas Lions' })
  }

  it('starts with the team’s values, offers no size below its members, saves, and shows the change', async () => {
    let current = teamOf()
    const { inputsOf, reload } = await open({
      'teams.get': () => ({ team: current }),
      'teams.update': ({ description }) => {
        current = teamOf(undefined, { description: description ?? '' })
        return { team: current }
      },
    })
    const dialog = await openDialog()
    const size = within(dialog).getByLabelText<HTMLSelectElement>('Maximum members')
    expect([...size.options].map((option) => Number(option.value))).toEqual([3, 4, 5, 6, 7, 8, 9, 10])
    await userEvent.selectOptions(size, '4')
    await fill(within(dialog).getByLabelText('Description'), 'We build quiet things.')
    await userEvent.selectOptions(within(dialog).getByLabelText('Team experience level'), 'Expert')
    await userEvent.click(within(dialog).getByRole('checkbox', { name: 'UX Designer' }))
    pressTwice(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('We build quiet things.', { selector: 'p' })).toBeDefined()
    expect(inputsOf('teams.update')).toMatchObject([
      {
        id,
        description: 'We build quiet things.',
        experience: 'Expert',
        maxMembers: 4,
        rolesNeeded: [{ id: ROLES[0]?.id, name: 'Frontend Developer', emoji: '🎨' }],
      },
    ])
    expect(storedToasts()).toContain('Team Updated')
    expect(reload).not.toHaveBeenCalled()
  })

  it('keeps a size that the wizard does not offer', async () => {
    await open({}, teamOf(undefined, { maxMembers: 11 }))
    const size = within(await openDialog()).getByLabelText<HTMLSelectElement>('Maximum members')
    expect(size.options[size.options.length - 1]?.value).toBe('11')
  })

  it('validates before sending', async () => {
    const { inputsOf } = await open()
    const dialog = await openDialog()
    await fill(within(dialog).getByLabelText('Description'), 'short')
    await press('Clear All', dialog)
    await press('Save', dialog)
    expect(await within(dialog).findByText('Description must be at least 10 characters long')).toBeDefined()
    expect(within(dialog).getByText('Please select at least one role')).toBeDefined()
    expect(inputsOf('teams.update')).toEqual([])
  })

  it('shows an error once: at its field, or above the form', async () => {
    const message = 'The team has more members than that'
    let respond = failWith('TEAM_SMALLER_THAN_MEMBERS', message, 'maxMembers')
    await open({ 'teams.update': () => respond() })
    const dialog = await openDialog()
    await userEvent.selectOptions(within(dialog).getByLabelText('Maximum members'), '4')
    await press('Save', dialog)
    await waitFor(() =>
      expect(within(dialog).getByLabelText('Maximum members').getAttribute('aria-invalid')).toBe('true'),
    )
    expect(screen.getAllByText(message)).toHaveLength(1)
    respond = failWith('CHEF_ONLY', 'Only the team chef can do this')
    await press('Save', dialog)
    expect(await screen.findAllByText('Only the team chef can do this')).toHaveLength(1)
    expect(storedToasts()).toBe('')
  })
})
