import type { Dashboard as DashboardData, Submission, Team } from '@community/contract'
import { aChallenge, aMember, aPagination, aSubmission, aTeam, aUser, inDays, publicSettings } from '@community/testing'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { pageOf } from '../../../test/pages.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { Dialogs } from '../../app/dialogs.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { emit, listen } from '../../lib/events.ts'
import { Dashboard } from './index.tsx'

const me = aUser()
const chef = aMember(9, { userId: me.id, name: me.name, isChef: true })
const lina = aMember(2, { name: 'Lina' })
const omar = aMember(1, { name: 'Omar' })
const lions = (members = [chef, lina, omar], overrides: Partial<Team> = {}) =>
  aTeam(1, 'Atlas Lions', { members, ...overrides })
const guests = aTeam(2, 'Code Fassi', {
  members: [aMember(3, { isChef: true }), { ...chef, id: 'guest', isChef: false }],
  points: 10,
})
const SUMS = { points: 0, submissions: 0 }
const rejected = aSubmission(2, { status: 'rejected', feedback: 'Please add the source.', evaluatedAt: inDays(-1) })

function dashboardData(
  teams: Team[],
  submissions: Submission[] = [],
  overrides: Partial<DashboardData> = {},
): { dashboard: DashboardData } {
  const stats = { teams: teams.length, points: 1250, challengesCompleted: 3, submissions: submissions.length }
  const states = { pending: 2, approved: 4, rejected: 1 }
  return { dashboard: { user: me, stats: { ...stats, ...states }, teams, submissions, ...overrides } }
}

function fakeDashboard(teams: Team[], submissions: Submission[] = [], handlers: Handlers = {}) {
  return fakeBackend({
    'system.settings': () => publicSettings(),
    'users.dashboard': () => dashboardData(teams, submissions),
    'users.teams': () => ({ teams, pagination: aPagination(teams.length) }),
    'challenges.active': () => ({ challenges: [], pagination: aPagination(0), sums: SUMS }),
    'challenges.get': () => ({ challenge: aChallenge(1) }),
    'teams.submissions': () => ({ submissions, pagination: aPagination(submissions.length) }),
    ...handlers,
  })
}

/** Opens a member's dashboard with the page's dialogs and waits for its data. */
async function open(teams: Team[], submissions: Submission[] = [], handlers: Handlers = {}) {
  signIn()
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {
    document.body.inert = false
  })
  const backend = fakeDashboard(teams, submissions, handlers)
  renderWithProviders(
    <>
      <Dashboard />
      <Dialogs />
    </>,
  )
  await screen.findByText('Challenges completed')
  return { ...backend, reload }
}
const showMembers = () => userEvent.click(screen.getByRole('tab', { name: /^Members/ }))
const press = (name: string | RegExp, place: HTMLElement = document.body) =>
  userEvent.click(within(place).getByRole('button', { name }))

describe('the dashboard', () => {
  it('asks a visitor to sign in, without sending a request', async () => {
    const onAuthModal = vi.fn<() => void>()
    const stop = listen('openAuthModal', onAuthModal)
    const { requests } = fakeDashboard([])
    renderWithProviders(<Dashboard />)
    expect(screen.getByText('Please Sign In')).toBeDefined()
    await press('Sign In')
    expect(onAuthModal).toHaveBeenCalledOnce()
    expect(requests).toEqual([])
    stop()
  })

  it('shows the user and the statistics of their teams', async () => {
    const user = aUser({ warnings: 2, bio: 'I draw maps.', experience: 'Advanced' })
    await open([lions()], [], { 'users.dashboard': () => dashboardData([lions()], [], { user }) })
    for (const text of ['sara@example.ma', '2 warnings', 'I draw maps.', '1,250', 'Pending: 2', 'Approved: 4'])
      expect(screen.getAllByText((_, element) => element?.textContent === text).length).toBeGreaterThan(0)
  })

  it('shows a user without a team what to do', async () => {
    await open([])
    expect(screen.getByText('No Teams Yet')).toBeDefined()
    expect(screen.getByText('Join a team or create your own.')).toBeDefined()
    expect(screen.queryByText('Team submissions')).toBeNull()
  })

  it('does not tell an administrator to join a team', async () => {
    signIn({ role: 'admin' })
    fakeDashboard([])
    renderWithProviders(<Dashboard />)
    expect(await screen.findByText('Administrators cannot join teams.')).toBeDefined()
    expect(screen.queryByText('Join a team or create your own.')).toBeNull()
  })

  it('shows inline and in a toast that it could not be loaded, and tries again', async () => {
    signIn()
    let isUnavailable = true
    fakeDashboard([lions()], [], {
      'users.dashboard': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', '')
        return dashboardData([lions()])
      },
    })
    renderWithProviders(<Dashboard />)
    const errorState = (await screen.findAllByRole('alert')).find((element) => within(element).queryByText('Try Again'))
    expect(errorState?.textContent).toContain('Failed to load dashboard data')
    expect(sessionStorage.getItem('toasts')).toContain('Failed to load dashboard data')
    isUnavailable = false
    await press('Try Again')
    expect(await screen.findByRole('heading', { name: 'Atlas Lions' })).toBeDefined()
  })

  it('reloads when a submission was created', async () => {
    const { inputsOf } = await open([lions()])
    await screen.findByText('No submissions yet')
    emit('submissionCreated', { teamId: lions().id, challengeId: 'c' })
    await waitFor(() => expect(inputsOf('users.dashboard')).toHaveLength(2))
    await waitFor(() => expect(inputsOf('teams.submissions')).toHaveLength(2))
  })
})

describe('what needs attention', () => {
  it('shows verdicts even if the deadlines could not be loaded, which it reports, and tries again', async () => {
    let isUnavailable = true
    await open([lions()], [rejected], {
      'challenges.active': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'Come back later')
        return { challenges: [], pagination: aPagination(0), sums: SUMS }
      },
    })
    const attention = await screen.findByRole('region', { name: 'Needs your attention' })
    expect(within(attention).getByText(/’s submission was rejected$/)).toBeDefined()
    expect(within(attention).getByRole('alert').textContent).toContain('Failed to load challengesCome back later')
    isUnavailable = false
    await press('Try Again', attention)
    const reloaded = await screen.findByRole('region', { name: 'Needs your attention' })
    expect(within(reloaded).getByText(/’s submission was rejected$/)).toBeDefined()
    expect(within(reloaded).queryByRole('alert')).toBeNull()
  })

  it('shows a near deadline, and a new verdict with its feedback until it is read', async () => {
    await open([lions()], [rejected], {
      'challenges.active': () => ({
        challenges: [aChallenge(5, { deadline: inDays(1.5) })],
        pagination: aPagination(1),
        sums: SUMS,
      }),
    })
    const attention = await screen.findByRole('region', { name: 'Needs your attention' })
    expect(within(attention).getByText('None of your teams has applied yet.')).toBeDefined()
    expect(within(attention).getByText('2 days left')).toBeDefined()
    expect(within(attention).getByText('Please add the source.')).toBeDefined()
    await press(/^Mark as read/, attention)
    expect(within(attention).queryByText('Please add the source.')).toBeNull()
    expect(document.activeElement?.textContent).toBe('Needs your attention')
    expect(localStorage.getItem('readVerdicts')).toContain(rejected.id)
  })

  it('shows five items, and all of them on request', async () => {
    const challenges = Array.from({ length: 7 }, (_, index) => aChallenge(index, { deadline: inDays(1) }))
    await open([lions()], [], { 'challenges.active': () => ({ challenges, pagination: aPagination(7), sums: SUMS }) })
    const attention = await screen.findByRole('region', { name: 'Needs your attention' })
    expect(within(attention).getAllByRole('listitem')).toHaveLength(5)
    await press('Show all 7', attention)
    expect(within(attention).getAllByRole('listitem')).toHaveLength(7)
  })

  it('leads from a verdict to the submissions of its team', async () => {
    const work = { ...rejected, teamId: { id: guests.id, _id: guests.id, name: guests.name } }
    const { inputsOf } = await open([lions(), guests], [work])
    await showMembers()
    await press(/^See the submission/, await screen.findByRole('region', { name: 'Needs your attention' }))
    await waitFor(() =>
      expect(inputsOf('teams.submissions')).toContainEqual(expect.objectContaining({ id: guests.id })),
    )
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Team submissions'))
  })
})

describe('the teams', () => {
  it('shows a single team without a picker', async () => {
    await open([lions()])
    const team = within(screen.getByRole('region', { name: 'Atlas Lions' }))
    expect(screen.queryByRole('heading', { name: 'My teams' })).toBeNull()
    // Both give the team's own size; only the team dialog gives the largest of any team.
    expect(team.getByText(`3/${lions().maxMembers} members`)).toBeDefined()
    expect(team.getByText(`3/${lions().maxMembers}`)).toBeDefined()
  })

  it('shows a picker for several teams, and restores team and tab after a reload', async () => {
    await open([lions(), guests])
    const cards = screen.getByRole('region', { name: 'My teams' })
    expect(screen.getByRole('region', { name: 'Atlas Lions' })).toBeDefined()
    expect(within(cards).getByRole('button', { name: 'Atlas Lions' }).getAttribute('aria-pressed')).toBe('true')
    await press('Code Fassi', cards)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Code Fassi'))
    await showMembers()
    const shown = () => within(screen.getByRole('region', { name: 'Code Fassi' })).getByText('Member 3')
    expect(shown()).toBeDefined()
    cleanup()
    await open([lions(), guests])
    expect(shown()).toBeDefined()
  })

  it('shows six of many teams, more on request, and any team by its name', async () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      aTeam(index + 10, `Team ${String(index).padStart(2, '0')}`, { members: [chef, lina] }),
    )
    await open(many, [], {
      'users.dashboard': () => {
        const answer = dashboardData(many)
        return { dashboard: { ...answer.dashboard, stats: { ...answer.dashboard.stats, teams: 30 } } }
      },
    })
    const cards = () => within(screen.getByRole('list', { name: 'My teams' })).getAllByRole('listitem')
    expect(cards()).toHaveLength(6)
    expect(screen.getByText('6 of 30 teams shown')).toBeDefined()
    await press('Show more')
    expect(cards()).toHaveLength(18)
    await userEvent.selectOptions(screen.getByLabelText('Choose a team'), 'Team 25')
    expect(screen.getByRole('region', { name: 'Team 25' })).toBeDefined()
    expect(cards()).toHaveLength(26)
  })

  it.each(['teamCreated', 'submissionCreated'])('reload on %s without a detail', async (name) => {
    const { inputsOf } = await open([lions(), guests])
    await press('Code Fassi', screen.getByRole('region', { name: 'My teams' }))
    const onError = vi.fn()
    window.addEventListener('error', onError)
    for (const event of [new CustomEvent(name), new CustomEvent(name, { detail: {} })]) window.dispatchEvent(event)
    await waitFor(() => expect(inputsOf('users.dashboard').length).toBeGreaterThan(1))
    window.removeEventListener('error', onError)
    expect(onError).not.toHaveBeenCalled()
    expect(sessionStorage.getItem('dashboardTeam')).toBe(guests.id)
  })

  it('shows a new team', async () => {
    const teams = [lions()]
    await open(teams)
    teams.push(guests)
    emit('teamCreated', { teamId: guests.id })
    expect(await screen.findByRole('region', { name: 'Code Fassi' })).toBeDefined()
  })
})

describe('the team’s submissions', () => {
  it('show feedback, score, grade and points, without superseded rejections', async () => {
    const judged = { score: 92, points: 184, feedback: 'Clear and fast.', evaluatedAt: inDays(-20) }
    const approved = aSubmission(3, { status: 'approved', ...judged })
    await open([lions()], [approved, { ...rejected, evaluatedAt: inDays(-30) }])
    expect(await screen.findByText('Clear and fast.')).toBeDefined()
    expect(screen.getByText('92/100')).toBeDefined()
    expect(screen.getByRole('img', { name: 'Grade A' })).toBeDefined()
    expect(screen.getByText('184 points earned')).toBeDefined()
    expect(screen.queryByText('Please add the source.')).toBeNull()
  })

  it('leave out a rejection after which an older submission was resubmitted, however many are between them', async () => {
    const between = Array.from({ length: 30 }, (_, index) =>
      aSubmission(100 + index, { status: 'approved', score: 80, createdAt: inDays(-60) }),
    )
    const older = aSubmission(3, { status: 'pending', createdAt: inDays(-90), resubmittedAt: inDays(-0.5) })
    const sent = [rejected, ...between, older]
    await open([lions()], [], {
      'teams.submissions': ({ limit = 10 }) => ({
        submissions: sent.slice(0, limit),
        pagination: aPagination(sent.length),
      }),
    })
    expect((await screen.findAllByText('80/100')).length).toBeGreaterThan(0)
    expect(screen.queryByText('Please add the source.')).toBeNull()
  })

  it('load more by cursor', async () => {
    const sent = Array.from({ length: 45 }, (_, index) => aSubmission(index, { status: 'approved', score: 80 }))
    const { inputsOf } = await open([lions()], [], {
      'teams.submissions': (input) => {
        const { rows, pagination } = pageOf(sent, { ...input, limit: 20 }, ({ id }) => id)
        return { submissions: rows, pagination }
      },
    })
    expect(await screen.findByText('20 of 45 submissions loaded')).toBeDefined()
    await press('Show more')
    expect(await screen.findByText('40 of 45 submissions loaded')).toBeDefined()
    expect(inputsOf('teams.submissions')).toHaveLength(2)
  })

  it('show that they could not be loaded', async () => {
    await open([lions()], [], {
      'teams.submissions': () => {
        throw appError('UNAVAILABLE', 'Come back later')
      },
    })
    expect(await screen.findByText('The team’s submissions could not be loaded')).toBeDefined()
    expect(screen.getByText('Come back later')).toBeDefined()
  })

  it('can be submitted again by the chef and by the submitter', async () => {
    const opened = trackOpenedDialogs()
    signIn()
    const own = { ...rejected, teamId: { id: lions().id, _id: lions().id, name: 'Atlas Lions' } }
    fakeDashboard([lions()], [own])
    renderWithProviders(<Dashboard />)
    await userEvent.click(await screen.findByRole('button', { name: 'Re-apply' }))
    expect(opened).toEqual([{ name: 'reapply', application: own, isChef: true }])
  })

  it.each<[string, Handlers, string]>([
    [
      'expired',
      { 'challenges.get': () => ({ challenge: aChallenge(1, { deadline: inDays(-1) }) }) },
      'The deadline of this challenge has passed',
    ],
    [
      'inactive',
      {
        'challenges.get': () => {
          throw appError('CHALLENGE_MISSING', 'Challenge not found')
        },
      },
      'This challenge is not active',
    ],
    [
      'for an inactive team',
      { 'users.teams': () => ({ teams: [{ ...guests, isActive: false }], pagination: aPagination(1) }) },
      'This team is not active',
    ],
  ])('cannot be submitted again if the challenge is %s, and show the reason', async (_what, handlers, reason) => {
    const own = {
      ...rejected,
      teamId: { ...rejected.teamId, id: guests.id },
      submittedBy: { id: me.id, name: me.name },
    }
    await open([guests], [own], handlers)
    expect(await screen.findByText(reason)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Re-apply' })).toBeNull()
  })

  it('can be submitted again if the challenge cannot be loaded, leaving the decision to the server', async () => {
    const own = { ...rejected, submittedBy: { id: me.id, name: me.name } }
    await open([guests], [own], {
      'challenges.get': () => {
        throw appError('TOO_MANY', 'Too many requests')
      },
    })
    expect(await screen.findByRole('button', { name: 'Re-apply' })).toBeDefined()
  })

  it('cannot be submitted again by other members', async () => {
    const others = { ...rejected, teamId: { id: guests.id, _id: guests.id, name: guests.name } }
    await open([guests], [others])
    await screen.findAllByText('Please add the source.')
    expect(screen.queryByRole('button', { name: 'Re-apply' })).toBeNull()
  })
})

describe('actions on a team', () => {
  it('lets a member leave, and nothing else', async () => {
    const { inputsOf, reload } = await open([guests], [], { 'teams.leave': () => ({}) })
    await showMembers()
    for (const name of ['Manage team', 'Transfer Ownership', 'Invite Members', /^Remove Member/])
      expect(screen.queryByRole('button', { name })).toBeNull()
    await press('Leave Team')
    await press('Leave Team', await screen.findByRole('alertdialog', { name: 'Leave Team' }))
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf('teams.leave')).toEqual([{ id: guests.id }])
    expect(sessionStorage.getItem('toasts')).toContain('You have successfully left the team.')
  })

  it('lets a member leave after a confirmation was opened twice and cancelled', async () => {
    await open([guests])
    const [ownMember] = guests.members
    if (!ownMember) throw new Error('The team has no members')
    for (let nth = 0; nth < 2; nth++) {
      act(() => openDialog({ name: 'teamAction', team: guests, action: 'leave', member: ownMember }))
      await screen.findByRole('alertdialog')
    }
    await press('Cancel', screen.getByRole('alertdialog'))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    act(() => openDialog({ name: 'teamAction', team: guests, action: 'leave', member: ownMember }))
    expect(await screen.findByRole('alertdialog')).toBeDefined()
  })

  it('shows the specification’s text for a failure without a message', async () => {
    await open([guests], [], {
      'teams.leave': () => {
        throw appError('UNAVAILABLE', '')
      },
    })
    await press('Leave Team')
    await press('Leave Team', await screen.findByRole('alertdialog'))
    await waitFor(() => expect(sessionStorage.getItem('toasts')).toContain('Failed to leave team.'))
  })

  it('lets the chef leave, and names the oldest member as successor', async () => {
    const { reload } = await open([lions()], [], { 'teams.leave': () => ({}) })
    await press('Leave as Chef')
    const question = await screen.findByRole('alertdialog', { name: 'Leave as Chef' })
    expect(question.textContent).toContain('Omar')
    await press('Leave as Chef', question)
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(sessionStorage.getItem('toasts')).toContain(
      'You have left the team. The oldest remaining member is now the new team chef.',
    )
  })

  it('lets the chef transfer the team, which shows at once', async () => {
    let teams = [lions()]
    const { inputsOf } = await open([], [], {
      'users.dashboard': () => dashboardData(teams),
      'teams.transferOwnership': () => {
        const next = [{ ...lina, isChef: true }, { ...chef, isChef: false }, omar]
        teams = [lions(next)]
        return { team: lions(next) }
      },
    })
    await press('Transfer Ownership')
    const choice = await screen.findByRole('dialog', { name: 'Transfer Ownership' })
    await userEvent.click(within(choice).getByRole('radio', { name: 'Lina' }))
    await press('Transfer', choice)
    expect(await screen.findByRole('button', { name: 'Leave Team' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Transfer Ownership' })).toBeNull()
    expect(inputsOf('teams.transferOwnership')).toEqual([{ id: lions().id, newOwnerId: lina.userId }])
  })

  it('lets the chef invite members while there are free seats', async () => {
    await open([lions()])
    await press('Invite Members')
    const share = within(await screen.findByRole('dialog', { name: 'Share' }))
    expect(share.getByRole<HTMLInputElement>('textbox', { name: 'Link' }).value).toContain(`/#team-${lions().id}`)
  })

  it('does not let a chef without other members remove anybody', async () => {
    const [alone] = lions().members
    await open([{ ...lions(), members: alone ? [alone] : [], memberCount: 1 }])
    await showMembers()
    expect(await screen.findByRole('button', { name: 'Leave as Chef' })).toBeDefined()
    expect(screen.queryByRole('button', { name: /^Remove Member/ })).toBeNull()
  })

  it('lets the chef remove a member', async () => {
    const { inputsOf, reload } = await open([lions()], [], { 'teams.removeMember': () => ({ team: lions() }) })
    await showMembers()
    await press('Remove Member Omar')
    await press('Remove Member', await screen.findByRole('alertdialog', { name: 'Remove Member' }))
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf('teams.removeMember')).toEqual([{ id: lions().id, userId: omar.userId }])
  })

  it('lets the chef leave after choosing a successor, by default the oldest member', async () => {
    const { inputsOf, reload } = await open([lions()], [], { 'teams.removeMember': () => ({ team: lions() }) })
    await showMembers()
    await press(`Remove Member ${me.name}`)
    const choice = await screen.findByRole('dialog', { name: 'Choose the new chef' })
    const oldest = within(choice).getByRole<HTMLInputElement>('radio', {
      name: 'Automatic: the member who joined first',
    })
    expect(oldest.checked).toBe(true)
    await press('Remove Member', choice)
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(inputsOf('teams.removeMember')).toEqual([{ id: lions().id, userId: me.id, autoAssign: true }])
  })

  it('asks a chef who is an administrator for the password to transfer or to remove a member', async () => {
    const { inputsOf, reload } = await open([lions()], [rejected], {
      'teams.transferOwnership': () => ({ team: lions() }),
      'teams.removeMember': () => ({ team: lions() }),
    })
    act(() => void signIn({ role: 'admin' }))
    expect(await screen.findByRole('region', { name: 'Needs your attention' })).toBeDefined()
    const givePassword = async (title: string, button: string) => {
      const password = await screen.findByLabelText('Your password')
      await fill(password, 'Majorelle-2026')
      await press(button, screen.getAllByRole('dialog', { name: title }).at(-1))
    }
    await press('Transfer Ownership')
    const choice = await screen.findByRole('dialog', { name: 'Transfer Ownership' })
    await userEvent.click(within(choice).getByRole('radio', { name: 'Lina' }))
    await press('Transfer', choice)
    await givePassword('Transfer Ownership', 'Transfer')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await showMembers()
    await press('Remove Member Omar')
    await givePassword('Remove Member', 'Remove Member')
    await waitFor(() => expect(reload).toHaveBeenCalledOnce())
    await press(`Remove Member ${me.name}`)
    await press('Remove Member', await screen.findByRole('dialog', { name: 'Choose the new chef' }))
    await givePassword('Choose the new chef', 'Remove Member')
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(2))
    const id = lions().id
    const password = 'Majorelle-2026'
    expect(inputsOf('teams.transferOwnership')).toEqual([{ id, newOwnerId: lina.userId, password }])
    expect(inputsOf('teams.removeMember')).toEqual([
      { id, userId: omar.userId, password },
      { id, userId: me.id, password, autoAssign: true },
    ])
  })

  it('asks again after a cancelled confirmation', async () => {
    await open([lions()])
    for (const _again of [1, 2]) {
      await press('Leave as Chef')
      const question = await screen.findByRole('alertdialog')
      await press('Cancel', question)
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    }
  })
})
