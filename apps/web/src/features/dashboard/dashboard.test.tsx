import type { Submission } from '@community/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answers, fakeBackend } from '../../../test/fake-backend.ts'
import { pageOf } from '../../../test/pages.ts'
import { member, settings, signIn, team } from '../../../test/people.ts'
import { renderPart } from '../../../test/render-part.tsx'
import { challenge, inDays, submission, whole } from '../../../test/work.ts'
import { emit, listen } from '../../lib/events.ts'
import { clearSession } from '../../lib/session.ts'
import { Dashboard } from './index.tsx'

afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

function open(answers: Answers = {}) {
  const backend = fakeBackend({
    'system.settings': () => settings(),
    'users.teams': () => ({ teams: [] }),
    'challenges.active': () => ({ challenges: [], pagination: whole(0) }),
    'challenges.myTeamApplications': () => ({ applications: [], pagination: whole(0) }),
    ...answers,
  })
  renderPart(<Dashboard />)
  return backend
}

describe('the dashboard', () => {
  it('asks a visitor to sign in', async () => {
    const asked = vi.fn<() => void>()
    const stop = listen('openAuthModal', asked)
    const { made } = open()
    expect(screen.getByText('Please Sign In')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(asked).toHaveBeenCalledOnce()
    expect(made).toEqual([])
    stop()
  })

  it('says what to do without teams and applications', async () => {
    signIn()
    open()
    expect(screen.getByText('sara@example.ma')).toBeDefined()
    expect(await screen.findByText('No Teams Yet')).toBeDefined()
    expect(await screen.findByText('No applications yet')).toBeDefined()
  })

  it('shows the member’s teams, with their part in each', async () => {
    const { id } = signIn()
    const mine = team(1, 'Atlas Lions', { ownerId: id, members: [member(1, { userId: id, isChef: true })] })
    const opened = vi.fn<(detail: { teamId: string }) => void>()
    const stop = listen('openTeam', opened)
    open({ 'users.teams': () => ({ teams: [mine] }) })
    const card = (await screen.findByRole('heading', { name: 'Atlas Lions' })).closest('li') as HTMLElement
    expect(within(card).getByText('Chef')).toBeDefined()
    expect(within(card).getByText('1/5 members')).toBeDefined()
    await userEvent.click(within(card).getByRole('button', { name: 'Atlas Lions' }))
    expect(opened).toHaveBeenCalledExactlyOnceWith({ teamId: mine.id })
    stop()
  })

  it('shows what became of each application, and hides what a newer one outdid', async () => {
    signIn()
    open({
      'challenges.myTeamApplications': () => ({
        applications: [
          submission(3, {
            status: 'approved',
            score: 92,
            points: 184,
            feedback: 'Clear and fast.',
            evaluatedAt: inDays(0),
          }),
          submission(2, { status: 'rejected', feedback: 'Please add the source.', evaluatedAt: inDays(-1) }),
        ],
        pagination: whole(2),
      }),
    })
    expect(await screen.findByText('Clear and fast.')).toBeDefined()
    expect(screen.getByText('92/100')).toBeDefined()
    expect(screen.getByRole('img', { name: 'Grade A' })).toBeDefined()
    expect(screen.getByText('184 points earned')).toBeDefined()
    expect(screen.queryByText('Please add the source.')).toBeNull()
  })

  it('goes on with older applications by cursor, of the one list that the figure counts too', async () => {
    signIn()
    const sent = Array.from({ length: 21 }, (_, index) =>
      submission(index, { status: 'approved', score: 80, points: 1 }),
    )
    const { inputsOf } = open({
      'challenges.myTeamApplications': (input) => {
        const { rows, pagination } = pageOf(sent, input, ({ id }) => id)
        return { applications: rows, pagination }
      },
    })
    expect(await screen.findByText('20 of 21 applications loaded')).toBeDefined()
    expect(screen.getByText('Applications', { selector: 'dt' }).parentElement?.textContent).toContain('21')
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('21 of 21 applications loaded')).toBeDefined()
    expect(inputsOf('challenges.myTeamApplications')).toHaveLength(2)
  })

  it('is loaded anew when an application was made', async () => {
    signIn()
    const { inputsOf } = open()
    await screen.findByText('No applications yet')
    emit('submissionCreated', { teamId: 't', challengeId: 'c' })
    await waitFor(() => expect(inputsOf('challenges.myTeamApplications')).toHaveLength(2))
  })

  it('tells of a near deadline first', async () => {
    const { id } = signIn()
    open({
      'users.teams': () => ({
        teams: [team(1, 'Atlas', { ownerId: id, members: [member(1, { userId: id, isChef: true })] })],
      }),
      'challenges.active': () => ({ challenges: [challenge(1, { deadline: inDays(1.5) })], pagination: whole(1) }),
    })
    expect(await screen.findByRole('heading', { name: 'Needs your attention' })).toBeDefined()
    expect(screen.getByText('2 days left, and no team of yours has applied')).toBeDefined()
  })

  it('asks for the form in which a rejected one goes in again', async () => {
    const { id } = signIn()
    const sent = submission(2, {
      status: 'rejected',
      feedback: 'Please add the source.',
      evaluatedAt: inDays(-9),
      submittedBy: { id, name: 'Sara' },
    })
    const asked = vi.fn<(detail: { application: Submission; isChef: boolean }) => void>()
    const stop = listen('openReapply', asked)
    open({ 'challenges.myTeamApplications': () => ({ applications: [sent], pagination: whole(1) }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Re-apply' }))
    expect(asked).toHaveBeenCalledExactlyOnceWith({ application: sent, isChef: false })
    stop()
  })

  it('offers that to the chef and the submitter alone', async () => {
    signIn()
    open({
      'challenges.myTeamApplications': () => ({
        applications: [submission(2, { status: 'rejected', evaluatedAt: inDays(-9) })],
        pagination: whole(1),
      }),
    })
    await screen.findByText('Atlas Lions')
    expect(screen.queryByRole('button', { name: 'Re-apply' })).toBeNull()
  })
})
