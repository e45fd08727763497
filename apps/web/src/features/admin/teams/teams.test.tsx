import { aMember, aPagination, aTeam } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  anAccount,
  ADMIN_PASSWORD,
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
import { trackOpenedDialogs } from '../../../../test/track-opened-dialogs.ts'
import { signIn } from '../../../../test/sign-in.ts'

vi.setConfig({ testTimeout: 20_000 })

const me = anAccount(0)
const lions = aTeam(1, 'Atlas Lions', {
  members: [aMember(1, { isChef: true }), aMember(2), aMember(3, { userId: me.id })],
})
const empty = aTeam(2, 'Code Fassi', { isActive: false, members: [], description: '', points: 0 })

beforeEach(() => {
  signIn({ id: me.id, role: 'admin' })
})
async function open(handlers: Handlers = {}) {
  const backend = openAdmin({
    'teams.list': () => ({ teams: [lions, empty], pagination: aPagination(2) }),
    ...handlers,
  })
  await openTab('Teams')
  await screen.findByRole('article', { name: 'Atlas Lions' })
  return backend
}

const panel = (name: string) => within(screen.getByRole('article', { name }))
const choose = async (name: string, action: string) => {
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

describe('the list of teams', () => {
  it('shows each team with its members', async () => {
    const { inputsOf } = await open()
    expect(inputsOf('teams.list')).toEqual([{ page: 1, limit: 100, sort: 'name', order: 'asc', includeInactive: true }])
    const lionsPanel = panel('Atlas Lions')
    for (const text of [
      'Active',
      '3 members',
      '1,240 points',
      'Created 1 Nov 2026',
      'We build small, useful things.',
    ]) {
      expect(lionsPanel.getByText(text)).toBeDefined()
    }
    await userEvent.click(lionsPanel.getByText('Members'))
    expect(lionsPanel.getByText('member1@example.ma')).toBeDefined()
    expect(lionsPanel.getAllByText('Chef')).toHaveLength(1)
    expect(lionsPanel.getAllByRole('button', { name: 'Remove' })).toHaveLength(2)
    expect(panel('Code Fassi').getByText('Inactive')).toBeDefined()
    expect(panel('Code Fassi').getByText('No description available')).toBeDefined()
  })

  it('searches and sorts on the server', async () => {
    const { inputsOf } = await open()
    await fill(screen.getByRole('searchbox', { name: 'Search teams' }), 'lions')
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Most points')
    await waitFor(() =>
      expect(inputsOf('teams.list').at(-1)).toMatchObject({ search: 'lions', sort: 'points', order: 'desc' }),
    )
  })
})

describe('actions on a team', () => {
  it('opens the details, and the view that removes, warns and bans members', async () => {
    const opened = trackOpenedDialogs()
    await open()
    await choose('Atlas Lions', 'Open Team')
    await choose('Atlas Lions', 'Manage members')
    expect(opened).toEqual([
      { name: 'team', teamId: lions.id },
      { name: 'team', teamId: lions.id, manage: true },
    ])
  })

  it('renames with the password, and rejects an unchanged or invalid name', async () => {
    const { requests, inputsOf } = await open({
      'admin.renameTeam': ({ password }) => {
        assertAdminPassword(password)
        return { team: lions }
      },
    })
    await choose('Atlas Lions', 'Rename Team')
    await fillPrompt('Rename Team', 'Team name', ' Atlas Lions ')
    expect(screen.queryByRole('dialog')).toBeNull()
    await choose('Atlas Lions', 'Rename Team')
    await fillPrompt('Rename Team', 'Team name', 'Al')
    await expectText('Team name must be at least 3 characters')
    await fillPrompt('Rename Team', 'Team name', 'Rif Lions')
    await enterPassword('Confirm with your password', 'Rename Team')
    await expectText('Team renamed to Rif Lions')
    expect(inputsOf('admin.renameTeam')).toEqual([{ id: lions.id, name: 'Rif Lions', password: ADMIN_PASSWORD }])
    await expectRefetch(requests, 'admin.renameTeam', 'teams.list')
  })

  it('shows why a name was rejected', async () => {
    await open({
      'admin.renameTeam': () => {
        throw appError('DUPLICATE_NAME', 'A team with this name already exists')
      },
    })
    await choose('Atlas Lions', 'Rename Team')
    await fillPrompt('Rename Team', 'Team name', 'Code Fassi')
    await enterPassword('Confirm with your password', 'Rename Team')
    await expectText('A team with this name already exists')
  })

  it('deletes with the password', async () => {
    const { inputsOf } = await open({ 'admin.deleteTeam': () => ({}) })
    await choose('Atlas Lions', 'Delete Team')
    await enterPassword('Delete Team')
    await expectText('Team deleted successfully')
    expect(inputsOf('admin.deleteTeam')).toEqual([{ id: lions.id, password: ADMIN_PASSWORD }])
  })

  it('removes a member, and names the successor of a chef', async () => {
    const { inputsOf } = await open({ 'admin.removeTeamMember': () => ({ team: lions }) })
    await userEvent.click(panel('Atlas Lions').getByText('Members'))
    await userEvent.click(panel('Atlas Lions').getAllByRole('button', { name: 'Remove' })[0] ?? document.body)
    await expectText('Member 1 will no longer be a member of Atlas Lions. Member 2 will be the new chef.')
    await enterPassword('Remove Member', 'Remove')
    await expectText('Member 1 removed from Atlas Lions')
    expect(inputsOf('admin.removeTeamMember')).toEqual([
      { id: lions.id, userId: aMember(1).userId, password: ADMIN_PASSWORD },
    ])
  })

  it('deactivates and activates after a confirmation, without a password', async () => {
    const { inputsOf } = await open({
      'admin.deactivateTeam': () => ({ team: lions }),
      'admin.activateTeam': () => {
        throw appError('TEAM_EMPTY', 'A team without members cannot be active')
      },
    })
    await choose('Atlas Lions', 'Deactivate Team')
    await answerQuestion('Deactivate')
    await expectText('Team deactivated successfully')
    expect(inputsOf('admin.deactivateTeam')).toEqual([{ id: lions.id }])
    await choose('Code Fassi', 'Activate Team')
    await answerQuestion('Activate')
    await expectText('A team without members cannot be active')
    await answerQuestion('Cancel')
  })

  it('cleans up, and shows the count', async () => {
    await open({ 'admin.cleanupTeams': () => ({ deactivated: 0, deleted: 2 }) })
    await userEvent.click(screen.getByRole('button', { name: 'Clean up teams' }))
    await answerQuestion('Clean up')
    await expectText('Teams cleaned up: 2 deleted')
  })
})
