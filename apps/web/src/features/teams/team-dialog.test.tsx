import { QueryObserver } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Profile, Team } from '@community/contract'
import { aMember, aTeam, aUser, ROLES } from '@community/testing'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill, pressTwice } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { Dialogs } from '../../app/dialogs.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { queryClient } from '../../lib/query-client.ts'
import { endSession } from '../../lib/session.ts'
import { TeamDialog } from './team-dialog.tsx'

function open(team: Team, user: Partial<Profile> = {}, handlers: Handlers = {}) {
  signIn(user)
  const backend = fakeBackend({ 'teams.get': () => ({ team }), ...handlers })
  renderWithProviders(<TeamDialog teamId={team.id} onClose={() => {}} />)
  return backend
}
const me = aUser()
const mine = (overrides: Partial<Team['members'][number]> = {}) =>
  aMember(9, { userId: me.id, name: me.name, ...overrides })

/** Opens a team that can be joined. `join` fills in the form and sends it, until the dialog shows the new member. */
function openJoinable(team: Team) {
  let current = team
  const backend = open(
    team,
    { phone: '0612345678', experience: 'Advanced' },
    {
      'teams.get': () => ({ team: current }),
      'teams.join': () => {
        current = { ...team, members: [...team.members, mine()] }
        return { team: current }
      },
    },
  )
  const join = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Join This Team' }))
    await userEvent.selectOptions(screen.getByLabelText('Role'), ROLES[0]?.id ?? '')
    await userEvent.click(screen.getByRole('button', { name: 'Join Team' }))
    expect(await screen.findByRole('button', { name: 'Leave Team' })).toBeDefined()
  }
  return { ...backend, join }
}

describe('the team dialog', () => {
  it('shows members with their contact details, and links that open in a new tab', async () => {
    open(aTeam(1, 'Atlas Lions'))
    const contacts = await screen.findByRole('list', { name: 'Contact Member 1' })
    const links = within(contacts).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'mailto:member1@example.ma',
      'tel:0612345678',
      'https://wa.me/212612345678',
      'https://github.com/someone',
    ])
    expect(links.at(-1)?.getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
    expect(links.at(-1)?.getAttribute('target')).toBe('_blank')
    expect(screen.getByText('4/11')).toBeDefined()
  })

  it('shows the account of a member who joined with another name or email address', async () => {
    const impostor = aMember(1, { name: 'Sara El Amrani', accountName: 'Mallory', isAccountEmail: false })
    open(aTeam(1, 'Atlas Lions', { members: [impostor, aMember(2)] }))
    const card = within((await screen.findByText('Sara El Amrani')).closest('article') as HTMLElement)
    expect(card.getByText('Mallory').parentElement?.textContent).toBe('Account name: Mallory')
    expect(card.getByText('Contact email differs from the account email')).toBeDefined()
    expect(screen.getAllByText(/^Account name/)).toHaveLength(1)
  })

  it('does not let an email address add a second recipient', async () => {
    const email = 'prof?bcc=spy%40evil.example&x=@a.example'
    open(aTeam(1, 'Atlas Lions', { members: [aMember(1, { email })] }))
    const link = await screen.findByRole('link', { name: email })
    expect(link.getAttribute('href')).toBe('mailto:prof%3Fbcc%3Dspy%2540evil.example%26x%3D@a.example')
  })

  it('renders no link that is not a web address', async () => {
    open(aTeam(1, 'Atlas Lions', { members: [aMember(1, { github: 'javascript:alert(1)', phone: null })] }))
    const contacts = await screen.findByRole('list', { name: 'Contact Member 1' })
    expect(within(contacts).getAllByRole('link')).toHaveLength(1)
  })

  it('shows why the user cannot join', async () => {
    open(aTeam(1, 'Atlas Lions', { maxMembers: 4 }))
    expect(await screen.findByText('This team is full (4/4 members)')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Join This Team' })).toBeNull()
  })

  it('shows that the team is inactive', async () => {
    open(aTeam(1, 'Atlas Lions', { isActive: false }))
    expect((await screen.findAllByText('This team is not active')).length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: 'Join This Team' })).toBeNull()
  })

  it('shows that loading failed, and tries again', async () => {
    let isUnavailable = true
    const team = aTeam(1, 'Atlas Lions')
    open(
      team,
      {},
      {
        'teams.get': () => {
          if (isUnavailable) throw appError('TEAM_MISSING', 'Team not found')
          return { team }
        },
      },
    )
    expect(await screen.findByText('Team not found')).toBeDefined()
    isUnavailable = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('button', { name: 'Join This Team' })).toBeDefined()
  })
})

describe('joining', () => {
  it('asks only for what the profile lacks, and lists missing fields', async () => {
    const { inputsOf } = open(aTeam(1, 'Atlas Lions'))
    await userEvent.click(await screen.findByRole('button', { name: 'Join This Team' }))
    expect(screen.getByLabelText<HTMLInputElement>('Full Name').value).toBe('Sara El Amrani')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('sara@example.ma')
    await userEvent.click(screen.getByRole('button', { name: 'Join Team' }))
    const message = 'Please fill in all required fields: Phone, Experience, Role'
    expect((await screen.findAllByText(message)).length).toBeGreaterThanOrEqual(2)
    await fill(screen.getByLabelText('Phone'), '0612345678')
    expect(screen.getByText('Please fill in all required fields: Experience, Role')).toBeDefined()
    expect(inputsOf('teams.join')).toEqual([])
  })

  it('sends the form, shows the new member and a toast', async () => {
    const team = aTeam(1, 'Atlas Lions')
    const { inputsOf, join } = openJoinable(team)
    await join()
    expect(screen.getByText('Success!')).toBeDefined()
    expect(inputsOf('teams.join')).toEqual([
      {
        id: team.id,
        name: 'Sara El Amrani',
        email: 'sara@example.ma',
        contact: 'sara@example.ma',
        phone: '0612345678',
        experience: 'Advanced',
        role: { id: ROLES[0]?.id, name: 'Frontend Developer', emoji: '🎨' },
        bio: '',
      },
    ])
  })

  it('does not wait for the other sections of the page', async () => {
    const { join } = openJoinable(aTeam(1, 'Atlas Lions'))
    let reads = 0
    const works = new QueryObserver(queryClient, {
      queryKey: [['submissions', 'approved']],
      queryFn: () => (reads++ === 0 ? { submissions: [] } : new Promise<never>(() => {})),
    })
    const unsubscribe = works.subscribe(() => {})
    await join()
    await waitFor(() => expect(reads).toBe(2))
    unsubscribe()
  })

  it('shows that the team is full by now, and keeps the values', async () => {
    const { inputsOf } = open(
      aTeam(1, 'Atlas Lions'),
      { phone: '0612345678', experience: 'Advanced' },
      {
        'teams.join': () => {
          throw appError('TEAM_FULL', 'This team is full (5/5 members)')
        },
      },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Join This Team' }))
    await userEvent.selectOptions(screen.getByLabelText('Role'), ROLES[0]?.id ?? '')
    pressTwice(screen.getByRole('button', { name: 'Join Team' }))
    expect(await screen.findByText('Team Full')).toBeDefined()
    expect(inputsOf('teams.join')).toHaveLength(1)
    expect(screen.getAllByText('This team is full (5/5 members)')).toHaveLength(2)
    expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('0612345678')
  })

  it('keeps the form when the user goes back, and opens with the team’s details', async () => {
    const team = aTeam(1, 'Atlas Lions')
    fakeBackend({ 'teams.get': () => ({ team }) })
    signIn({ experience: 'Advanced' })
    renderWithProviders(<Dialogs />)
    const openForm = async () => userEvent.click(await screen.findByRole('button', { name: 'Join This Team' }))
    const phone = () => screen.getByLabelText<HTMLInputElement>('Phone')
    act(() => openDialog({ name: 'team', teamId: team.id }))
    await openForm()
    await fill(phone(), '0612345678')
    await userEvent.click(screen.getByRole('button', { name: 'Back' }))
    await openForm()
    expect(phone().value).toBe('0612345678')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

    act(() => openDialog({ name: 'team', teamId: team.id }))
    await openForm()
    expect(phone().value).toBe('0612345678')
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
    expect(phone().value).toBe('')
  })

  it('restores the form after the session has ended and the same user has signed in again', async () => {
    const team = aTeam(1, 'Atlas Lions')
    fakeBackend({
      'teams.get': () => ({ team }),
      'teams.join': () => {
        endSession()
        throw appError('NOT_SIGNED_IN', 'Please sign in')
      },
    })
    signIn({ experience: 'Advanced' })
    renderWithProviders(<Dialogs />)
    act(() => openDialog({ name: 'team', teamId: team.id }))
    await userEvent.click(await screen.findByRole('button', { name: 'Join This Team' }))
    await fill(screen.getByLabelText('Phone'), '0612345678')
    await userEvent.selectOptions(screen.getByLabelText('Role'), ROLES[0]?.id ?? '')
    await userEvent.click(screen.getByRole('button', { name: 'Join Team' }))
    await screen.findByRole('dialog', { name: 'Authentication Required' })

    // Somebody else signs in meanwhile.
    act(() => void signIn({ id: 'somebody-else' }))
    act(() => openDialog({ name: 'team', teamId: team.id }))
    await userEvent.click(await screen.findByRole('button', { name: 'Join This Team' }))
    expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('')
    await userEvent.keyboard('{Escape}')

    act(() => void signIn({ experience: 'Expert' }))
    act(() => openDialog({ name: 'team', teamId: team.id }))
    expect((await screen.findByLabelText<HTMLInputElement>('Phone')).value).toBe('0612345678')
    expect(screen.getByLabelText<HTMLSelectElement>('Role').value).toBe(ROLES[0]?.id)
    expect(screen.getByLabelText<HTMLSelectElement>('Experience').value).toBe('Expert')
  })

  it('shows a server error at its field', async () => {
    open(
      aTeam(1, 'Atlas Lions'),
      { phone: '0612345678', experience: 'Advanced' },
      {
        'teams.join': () => {
          const message = 'Please select a valid role'
          throw appError('ROLE_NOT_NEEDED', message, { errors: [{ msg: message, path: 'role' }] })
        },
      },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Join This Team' }))
    await userEvent.selectOptions(screen.getByLabelText('Role'), ROLES[0]?.id ?? '')
    await userEvent.click(screen.getByRole('button', { name: 'Join Team' }))
    await waitFor(() => expect(screen.getByLabelText('Role').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByText('Join Team Failed')).toBeDefined()
  })
})

describe('leaving', () => {
  it('asks for a confirmation that names a chef’s successor, and reloads the page', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    const members = [mine({ isChef: true }), aMember(3), aMember(2)]
    const { inputsOf } = open(aTeam(1, 'Atlas Lions', { members }), {}, { 'teams.leave': () => ({}) })
    await userEvent.click(await screen.findByRole('button', { name: 'Leave as Chef' }))
    const question = await screen.findByRole('alertdialog', { name: 'Leave as Chef' })
    expect(within(question).getByText(/The oldest remaining member, Member 2, will be the new chef/)).toBeDefined()
    expect(inputsOf('teams.leave')).toEqual([])
    await userEvent.click(within(question).getByRole('button', { name: 'Leave as Chef' }))
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf('teams.leave')).toEqual([{ id: aTeam(1, 'Atlas Lions').id }])
    expect(sessionStorage.getItem('toasts')).toContain('The oldest remaining member is now the new team chef.')
  })

  it('shows the error, and stays open', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    open(
      aTeam(1, 'Atlas Lions', { members: [aMember(1, { isChef: true }), mine()] }),
      {},
      {
        'teams.leave': () => {
          throw appError('NOT_A_MEMBER', 'You are not a member of this team')
        },
      },
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Leave Team' }))
    const question = await screen.findByRole('alertdialog')
    await userEvent.click(within(question).getByRole('button', { name: 'Leave Team' }))
    expect((await within(question).findAllByText('You are not a member of this team')).length).toBeGreaterThan(0)
    expect(reload).not.toHaveBeenCalled()
  })
})
