import { Profile, type Team, type User, Warning } from '@community/contract'
import { aPagination, aTeam, exampleOf } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  anAccount,
  fillPrompt,
  enterPassword,
  assertAdminPassword,
  openAdmin,
  expectRefetch,
  expectText,
  answerQuestion,
  openTab,
} from '../../../../test/admin-steps.tsx'
import { type Handlers, appError } from '../../../../test/fake-backend.ts'
import { fill } from '../../../../test/fill.ts'
import { signIn } from '../../../../test/sign-in.ts'

// Each test goes through several dialogs.
vi.setConfig({ testTimeout: 20_000 })

const me = anAccount(0, { name: 'Lalla Admin', role: 'admin' })
const sara = anAccount(1, { name: 'Sara', warnings: 2 })
const omar = anAccount(2, { name: 'Omar', isBanned: true, banReason: 'Spam' })
const nadia = anAccount(3, { name: 'Nadia', role: 'admin' })
const people: User[] = [me, sara, omar, nadia]

beforeEach(() => {
  signIn({ id: me.id, role: 'admin' })
})
const warning = { ...exampleOf(Warning), reason: 'Rude words' }

function teams(): Team[] {
  return [aTeam(1, 'Atlas Lions', { ownerId: sara.id }), aTeam(2, 'Code Fassi')]
}

async function open(handlers: Handlers = {}) {
  const backend = openAdmin({
    'users.list': ({ status }) => {
      const users = people.filter((user) => !status || user.isBanned === (status === 'banned'))
      return { users, pagination: aPagination(users.length) }
    },
    'users.get': ({ id }) => ({
      user: {
        visibility: 'full',
        ...exampleOf(Profile),
        ...(people.find((user) => user.id === id) ?? sara),
        teams: [],
        works: [],
      },
    }),
    'users.teams': () => ({ teams: teams(), pagination: aPagination(teams().length) }),
    'admin.warnings': () => ({ warnings: [warning], pagination: aPagination(1) }),
    ...handlers,
  })
  await openTab('Users')
  await screen.findByText(sara.email)
  return backend
}

const rowOf = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }))
const choose = async (name: string, action: string) => {
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}
const openDetails = async (name: string) => {
  await userEvent.click(rowOf(name).getByRole('button', { name: 'View Details' }))
  return within(await screen.findByRole('dialog', { name }))
}
const menuItems = async (name: string) => {
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
  await userEvent.keyboard('{Escape}')
  return items
}

describe('the list of users', () => {
  it('shows role, status, and warnings if there are any', async () => {
    await open()
    expect(rowOf('Sara').getByText('Member')).toBeDefined()
    expect(rowOf('Sara').getByText('Active')).toBeDefined()
    expect(rowOf('Sara').getByText('2 warnings')).toBeDefined()
    expect(rowOf('Omar').getByText('Banned')).toBeDefined()
    expect(rowOf('Omar').queryByText(/warning/)).toBeNull()
    expect(rowOf('Nadia').getByText('Admin')).toBeDefined()
  })

  it('searches, filters and sorts on the server, starting at the first page', async () => {
    const { inputsOf } = await open()
    expect(inputsOf('users.list')).toEqual([{ page: 1, limit: 100, sort: 'createdAt', order: 'desc' }])
    await fill(screen.getByRole('searchbox', { name: 'Search users' }), 'sara')
    await userEvent.selectOptions(screen.getByLabelText('Role'), 'Member')
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Active')
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Most warnings')
    await waitFor(() =>
      expect(inputsOf('users.list').at(-1)).toEqual({
        page: 1,
        limit: 100,
        sort: 'warnings',
        order: 'desc',
        search: 'sara',
        role: 'member',
        status: 'active',
      }),
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Name' }))
    await waitFor(() => expect(inputsOf('users.list').at(-1)).toMatchObject({ sort: 'name', order: 'asc' }))
  })

  it('shows numbered pages, each from its first row', async () => {
    const { inputsOf } = await open({
      'users.list': ({ page = 1 }) => ({ users: [sara], pagination: { ...aPagination(250), page, totalPages: 3 } }),
    })
    const scrollIntoView = vi.spyOn(Element.prototype, 'scrollIntoView')
    await userEvent.click(await screen.findByRole('button', { name: 'Next' }))
    expect(document.activeElement?.contains(screen.getByRole('table'))).toBe(true)
    expect(scrollIntoView.mock.contexts).toEqual([document.activeElement])
    expect(await screen.findByText('Page 2 of 3')).toBeDefined()
    expect(inputsOf('users.list').at(-1)).toMatchObject({ page: 2 })
  })

  it('offers the actions that apply to a user, and none on the administrator’s own account', async () => {
    await open()
    const conditional = ['Give Warning', 'Ban User', 'Unban User', 'Make Admin', 'Make Member']
    const offeredTo = async (name: string) => {
      const items = await menuItems(name)
      expect(items).toEqual(expect.arrayContaining(['Remove from Teams', 'Delete User']))
      return items.filter((item) => conditional.includes(item))
    }
    expect(await offeredTo('Sara')).toEqual(['Give Warning', 'Ban User', 'Make Admin'])
    expect(await offeredTo('Omar')).toEqual(['Unban User'])
    expect(await offeredTo('Nadia')).toEqual(['Give Warning', 'Ban User', 'Make Member'])
    expect(screen.queryByRole('button', { name: 'Actions for Lalla Admin' })).toBeNull()
    const dialog = await openDetails('Lalla Admin')
    expect(dialog.getByText('You cannot perform admin actions on your own account')).toBeDefined()
    expect(dialog.queryByRole('heading', { name: 'Actions' })).toBeNull()
    expect(await dialog.findByText('Atlas Lions')).toBeDefined()
    expect(dialog.queryByRole('button', { name: 'Remove' })).toBeNull()
    expect(dialog.queryByRole('button', { name: 'Remove warning' })).toBeNull()
  })
})

describe('moderating a user', () => {
  it('warns with a reason and the password, and reloads the lists half a second later, but not the statistics', async () => {
    const { requests, inputsOf } = await open({
      'admin.warn': ({ password }) => {
        assertAdminPassword(password)
        return { warning, user: sara }
      },
    })
    const statsRequests = inputsOf('admin.stats').length
    await choose('Sara', 'Give Warning')
    const prompt = within(await screen.findByRole('dialog', { name: 'Give Warning' }))
    await userEvent.click(prompt.getByRole('button', { name: 'Continue' }))
    expect(await prompt.findByText('This field is required')).toBeDefined()
    await fill(prompt.getByLabelText('Reason'), 'x'.repeat(501))
    await userEvent.click(prompt.getByRole('button', { name: 'Continue' }))
    expect(await prompt.findByText('Maximum 500 characters allowed')).toBeDefined()
    await fillPrompt('Give Warning', 'Reason', ' Rude words ')
    await enterPassword('Give Warning', 'Give Warning', 'Wrong-2026')
    await expectText('Invalid Password')
    await enterPassword('Give Warning')
    await expectText('Warning given successfully')
    expect(inputsOf('admin.warn').at(-1)).toMatchObject({ userId: sara.id, reason: 'Rude words' })
    await expectRefetch(requests, 'admin.warn', 'users.list')
    expect(inputsOf('admin.stats')).toHaveLength(statsRequests)
  })

  it('does nothing when the reason or the password is cancelled', async () => {
    const { inputsOf } = await open()
    await choose('Sara', 'Ban User')
    const prompt = within(await screen.findByRole('dialog', { name: 'Ban User' }))
    await userEvent.click(prompt.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await choose('Sara', 'Ban User')
    await fillPrompt('Ban User', 'Reason', 'Spam')
    await waitFor(() => expect(screen.getByLabelText('Your password')).toBeDefined())
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(inputsOf('admin.ban')).toEqual([])
  })

  it('bans and unbans', async () => {
    const { inputsOf } = await open({
      'admin.ban': () => ({ user: sara }),
      'admin.unban': () => ({ user: omar }),
    })
    await choose('Sara', 'Ban User')
    await fillPrompt('Ban User', 'Reason', 'Spam')
    await enterPassword('Ban User')
    await expectText('User banned successfully')
    expect(inputsOf('admin.ban')).toEqual([{ userId: sara.id, reason: 'Spam', password: 'Majorelle-2026' }])
    await choose('Omar', 'Unban User')
    await enterPassword('Unban User')
    await expectText('User unbanned successfully')
    expect(inputsOf('admin.unban')).toEqual([{ userId: omar.id, password: 'Majorelle-2026' }])
  })

  it('shows the server’s error in a toast', async () => {
    await open({
      'admin.ban': () => {
        throw appError('ALREADY_BANNED', 'This user is already banned')
      },
    })
    await choose('Sara', 'Ban User')
    await fillPrompt('Ban User', 'Reason', 'Spam')
    await enterPassword('Ban User')
    await expectText('This user is already banned')
    await expectText('Error')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it.each(['INTERNAL', 'UNAVAILABLE', 'TOO_MANY_REQUESTS'])(
    'keeps the reason and the password for a retry after %s',
    async (code) => {
      let isFailing = true
      const { inputsOf } = await open({
        'admin.ban': () => {
          if (isFailing) throw appError(code, 'Something went wrong. Please try again.')
          return { user: sara }
        },
      })
      await choose('Sara', 'Ban User')
      await fillPrompt('Ban User', 'Reason', 'Spam')
      await enterPassword('Ban User')
      expect(await screen.findAllByText('Something went wrong. Please try again.')).toHaveLength(2)
      await expectText('Error')
      isFailing = false
      await userEvent.click(screen.getByRole('button', { name: 'Ban User' }))
      await expectText('User banned successfully')
      expect(inputsOf('admin.ban').at(-1)).toEqual({ userId: sara.id, reason: 'Spam', password: 'Majorelle-2026' })
    },
  )

  it('changes the role and deletes the account', async () => {
    const { inputsOf } = await open({
      'admin.setRole': () => ({ user: nadia }),
      'admin.deleteUser': () => ({}),
    })
    await choose('Nadia', 'Make Member')
    await enterPassword('Make Member')
    await expectText('Role changed')
    expect(inputsOf('admin.setRole')).toEqual([{ id: nadia.id, role: 'member', password: 'Majorelle-2026' }])
    const dialog = await openDetails('Sara')
    await userEvent.click(dialog.getByRole('button', { name: 'Delete User' }))
    await enterPassword('Delete User')
    await expectText('User deleted successfully')
    expect(inputsOf('admin.deleteUser')).toEqual([{ id: sara.id, password: 'Majorelle-2026' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('shows status, warnings and teams, and takes a warning back after a confirmation', async () => {
    const { requests, inputsOf } = await open({ 'admin.takeWarningBack': () => ({ user: sara }) })
    const dialog = await openDetails('Omar')
    expect(dialog.getByText('Spam')).toBeDefined()
    expect(await dialog.findByText('Rude words')).toBeDefined()
    expect(await dialog.findByText('Code Fassi')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Remove warning' }))
    await answerQuestion('Remove warning')
    await expectText('Warning removed')
    expect(inputsOf('admin.takeWarningBack')).toEqual([{ id: warning.id }])
    await expectRefetch(requests, 'admin.takeWarningBack', 'admin.warnings')
  })

  it.each(['users.get', 'users.teams', 'admin.warnings'] as const)(
    'shows that %s could not be loaded',
    async (path) => {
      await open({
        [path]: () => {
          throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        },
      })
      expect(screen.queryByText('Data Error')).toBeNull()
      await openDetails('Sara')
      await expectText('Data Error')
    },
  )
})

describe('removing a user from teams', () => {
  const pickTeams = async (names: string[]) => {
    await choose('Sara', 'Remove from Teams')
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove from Teams' }))
    for (const name of names) await userEvent.click(await dialog.findByLabelText(new RegExp(name)))
    await userEvent.click(dialog.getByRole('button', { name: /^Remove from/ }))
  }

  it('counts the successful removals', async () => {
    const { inputsOf } = await open({
      'admin.removeTeamMember': ({ id, password }) => {
        assertAdminPassword(password)
        if (id === aTeam(2, '').id) throw appError('MEMBER_MISSING', 'This person is not a member of the team')
        return { team: aTeam(1, 'Atlas Lions') }
      },
    })
    await pickTeams(['Atlas Lions', 'Code Fassi'])
    await enterPassword('Confirm with your password', 'Remove', 'Wrong-2026')
    await expectText('Invalid Password')
    await enterPassword('Confirm with your password', 'Remove')
    await expectText('Sara removed from 1 of 2 teams')
    await expectText('Failed to remove user from teams')
    expect(inputsOf('admin.removeTeamMember').slice(1)).toEqual(
      [1, 2].map((number) => ({ id: aTeam(number, '').id, userId: sara.id, password: 'Majorelle-2026' })),
    )
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('shows when none succeeded, and reloads the outdated list', async () => {
    const { requests } = await open({
      'admin.removeTeamMember': () => {
        throw appError('MEMBER_MISSING', 'This person is not a member of the team')
      },
    })
    await pickTeams(['Atlas Lions', 'Code Fassi'])
    await enterPassword('Confirm with your password', 'Remove')
    await expectText('Failed to remove user from any teams')
    await expectRefetch(requests, 'admin.removeTeamMember', 'users.teams')
    expect(screen.getByRole('dialog', { name: 'Remove from Teams' })).toBeDefined()
  })

  it('removes from one team in the details', async () => {
    await open({ 'admin.removeTeamMember': () => ({ team: aTeam(1, 'Atlas Lions') }) })
    const dialog = await openDetails('Sara')
    await userEvent.click(await dialog.findByRole('button', { name: 'Remove', description: 'Atlas Lions' }))
    await enterPassword('Confirm with your password', 'Remove')
    await expectText('Sara removed from Atlas Lions')
  })

  it('shows inline and in a toast that the teams could not be loaded', async () => {
    await open({
      'users.teams': () => {
        throw appError('UNAVAILABLE', '')
      },
    })
    await choose('Sara', 'Remove from Teams')
    await waitFor(() => expect(screen.getAllByText('Failed to fetch user teams').length).toBeGreaterThan(1))
  })
})
