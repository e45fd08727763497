import type { Dashboard, Submission, Team } from '@community/contract'
import {
  aChallenge,
  aMember,
  aPagination,
  aStanding,
  aSubmission,
  aTeam,
  aUser,
  inDays,
  publicSettings,
} from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { adminStats } from '../../../test/admin-steps.tsx'
import { appError, fakeBackend, type Handlers } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { queryClient } from '../../lib/query-client.ts'
import { readListValues } from '../../lib/list-values.ts'
import { tabStore } from '../../lib/storage.ts'
import { NextSteps } from './next-steps.tsx'

const me = aUser()
const lions = (overrides: Partial<Team> = {}) =>
  aTeam(1, 'Atlas Lions', { members: [aMember(9, { userId: me.id, isChef: true })], ...overrides })
const near = aChallenge(1, { title: 'Bus times', deadline: inDays(1) })
const far = aChallenge(2, { title: 'Old town', deadline: inDays(20) })

function open(teams: Team[], submissions: Submission[] = [], handlers: Handlers = {}) {
  const stats = { teams: teams.length, points: 0, challengesCompleted: 0, submissions: 0, approved: 0, rejected: 0 }
  const dashboard: Dashboard = { user: me, stats: { ...stats, pending: 2 }, teams, submissions }
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'users.dashboard': () => ({ dashboard }),
    'challenges.active': () => ({
      challenges: [far, near],
      pagination: aPagination(2),
      sums: { points: 0, submissions: 0 },
    }),
    'teams.standings': () => ({
      standings: [{ ...aStanding(3, 'Atlas Lions', 90), tied: false, teamsWithPoints: 40, teamAbove: null }],
    }),
    ...handlers,
  })
  renderWithProviders(<NextSteps user={signIn()} />)
  return backend
}
const rows = async () => {
  await screen.findAllByRole('listitem')
  return within(screen.getByRole('region', { name: 'What’s next' })).getAllByRole('listitem')
}

const names = async () => (await rows()).map((row) => row.querySelector('a, button')?.textContent)

describe('without a team', () => {
  it('shows three ways: join a team, create one, look at challenges with the next deadline', async () => {
    open([])
    const opened = trackOpenedDialogs()
    expect(await screen.findByText(/^2 are open. The next deadline is/)).toBeDefined()
    expect(await names()).toEqual(['Join a team', 'Create a team', 'Browse challenges'])
    await userEvent.click(screen.getByRole('button', { name: 'Create a team' }))
    expect(opened).toEqual([{ name: 'createTeam' }])
    await userEvent.click(screen.getByRole('button', { name: 'Join a team' }))
    expect(window.location.hash).toBe('#teams')
    await userEvent.click(screen.getByRole('button', { name: 'Browse challenges' }))
    expect(window.location.hash).toBe('#challenges')
  })

  it('does not offer to create a team while that is off', async () => {
    open([], [], { 'system.settings': () => publicSettings({ teamCreationEnabled: false }) })
    expect(await rows()).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Create a team' })).toBeNull())
    expect(await names()).toEqual(['Join a team', 'Browse challenges', 'Community Works'])
  })
})

describe('with a team', () => {
  const rejected = aSubmission(1, {
    status: 'rejected',
    feedback: 'Please add the source.',
    evaluatedAt: inDays(-1),
    challengeId: { id: near.id, _id: near.id, title: near.title, points: 200 },
  })

  it('shows a rejection with its feedback, then open challenges by deadline, and leads there', async () => {
    open([lions()], [rejected])
    await screen.findByRole('link', { name: 'Old town' })
    const [verdict, ...challenges] = await rows()
    expect(challenges).toHaveLength(2)
    expect(verdict?.textContent).toMatch(/Bus times.*Rejected.*Please add the source\./)
    expect(challenges.map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual([
      `#challenge-${near.id}`,
      `#challenge-${far.id}`,
    ])
    expect(challenges[0]?.textContent).toContain('Previously rejected. You can submit again.')
    await userEvent.click(screen.getByRole('button', { name: 'Bus times' }))
    expect(window.location.hash).toBe('#dashboard')
    expect(sessionStorage.getItem('dashboardTeam')).toBe(rejected.teamId.id)
    expect(sessionStorage.getItem('dashboardTab')).toBe('submissions')
  })

  it.each([
    ['wide screen', 4],
    ['phone', 3],
  ])('shows on a %s at most %i rows', async (screenName, count) => {
    vi.spyOn(window, 'matchMedia').mockImplementation(() =>
      Object.assign(new EventTarget() as MediaQueryList, { matches: screenName === 'wide screen' }),
    )
    const challenges = [1, 2, 3, 4, 5].map((number) => aChallenge(number, { deadline: inDays(number) }))
    open([lions()], [], {
      'challenges.active': () => ({
        challenges,
        pagination: aPagination(challenges.length),
        sums: { points: 0, submissions: 0 },
      }),
    })
    await screen.findAllByRole('link')
    expect(await rows()).toHaveLength(count)
  })

  it('shows work under review and the rank, each with the way to it', async () => {
    open([lions()])
    expect(await screen.findByRole('button', { name: '2 submissions under review' })).toBeDefined()
    await userEvent.click(await screen.findByRole('button', { name: 'Rank 3 of 40' }))
    expect(window.location.hash).toBe('#leaderboard')
  })

  it('shows no rank without points: the total counts only teams with points', async () => {
    open([lions()], [], {
      'teams.standings': () => ({
        standings: [{ ...aStanding(24, 'Atlas Lions', 0), tied: true, teamsWithPoints: 23, teamAbove: null }],
      }),
    })
    await screen.findByRole('button', { name: '2 submissions under review' })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(screen.queryByRole('button', { name: /^Rank/ })).toBeNull()
  })

  it('reminds a chef of settings that are not filled in, and nobody else', async () => {
    const opened = trackOpenedDialogs()
    const others = aTeam(2, 'Code Fassi', { experience: null })
    open([lions({ experience: null, rolesNeeded: [] }), others])
    await userEvent.click(await screen.findByRole('button', { name: 'Finish setting up Atlas Lions' }))
    expect(screen.getByText('Missing: Team experience level, Roles needed')).toBeDefined()
    expect(screen.queryByText('Finish setting up Code Fassi')).toBeNull()
    expect(opened).toEqual([{ name: 'team', teamId: lions().id }])
  })

  it('keeps a row for a challenge beside verdicts and settings on a phone', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(() =>
      Object.assign(new EventTarget() as MediaQueryList, { matches: false }),
    )
    const challengeId = { ...rejected.challengeId, id: far.id }
    const verdicts = [8, 9].map((number) =>
      aSubmission(number, { status: 'approved', evaluatedAt: inDays(-1), challengeId }),
    )
    open([lions({ experience: null, rolesNeeded: [] })], verdicts)
    expect(await rows()).toHaveLength(3)
    expect(screen.getByRole('link', { name: 'Bus times' })).toBeDefined()
  })

  it('does not say that nothing waits until the challenges are known', async () => {
    let isFailing = true
    open([lions()], [], {
      'challenges.active': () => {
        if (isFailing) throw appError('FORBIDDEN', 'Not now')
        return { challenges: [], pagination: aPagination(0), sums: { points: 0, submissions: 0 } }
      },
    })
    expect(await screen.findByText('Failed to load challenges')).toBeDefined()
    expect(screen.queryByText('Nothing needs your attention.')).toBeNull()
    isFailing = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Nothing needs your attention.')).toBeDefined()
  })

  it('says when nothing waits', async () => {
    open([lions()], [], {
      'challenges.active': () => ({ challenges: [], pagination: aPagination(0), sums: { points: 0, submissions: 0 } }),
    })
    expect(await screen.findByText('Nothing needs your attention.')).toBeDefined()
    expect(await names()).toEqual(['Browse challenges', 'Community Works'])
  })

  it('fills up with suggestions when one thing waits', async () => {
    open([lions()], [], {
      'challenges.active': () => ({
        challenges: [near],
        pagination: aPagination(1),
        sums: { points: 0, submissions: 0 },
      }),
    })
    await screen.findByRole('link', { name: 'Bus times' })
    expect(await names()).toEqual(['Bus times', 'Browse challenges', 'Community Works'])
    await userEvent.click(screen.getByRole('button', { name: 'Community Works' }))
    expect(window.location.hash).toBe('#works')
  })
})

it('shows a failure, and tries again', async () => {
  let attempts = 0
  open([], [], {
    'users.dashboard': () => {
      attempts += 1
      throw appError('FORBIDDEN', 'Not now')
    },
  })
  expect(await screen.findByText('Failed to load dashboard data')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  await waitFor(() => expect(attempts).toBe(2))
})

describe('for an administrator', () => {
  it.each([
    [3, '3 submissions to review'],
    [0, 'All submissions are reviewed'],
  ])('shows what waits for evaluation: %i', async (pendingSubmissions, text) => {
    fakeBackend({
      'admin.stats': () => ({ stats: adminStats({ pendingSubmissions }) }),
      'challenges.active': () => ({ challenges: [], pagination: aPagination(0), sums: { points: 0, submissions: 0 } }),
    })
    renderWithProviders(<NextSteps user={signIn({ role: 'admin' })} />)
    await userEvent.click(await screen.findByRole('button', { name: text }))
    expect(window.location.hash).toBe('#admin')
    expect(tabStore.read('adminTab')).toBe('submissions')
    expect(readListValues('submissions')).toEqual({ status: 'pending' })
  })
})
