import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answers, fakeBackend, refusal } from '../../../test/fake-backend.ts'
import { signIn, team } from '../../../test/people.ts'
import { renderPart } from '../../../test/render-part.tsx'
import { standing } from '../../../test/work.ts'
import { clearSession } from '../../lib/session.ts'
import { LeaderboardSection } from './index.tsx'

afterEach(() => {
  clearSession()
  vi.unstubAllGlobals()
})

const board = Array.from({ length: 30 }, (_, index) => standing(index + 1, `Team ${index + 1}`, 3000 - index * 100))

function open(answers: Answers = {}) {
  const backend = fakeBackend({ 'teams.leaderboard': () => ({ leaderboard: board }), ...answers })
  renderPart(<LeaderboardSection />)
  return backend
}

describe('the leaderboard', () => {
  it('reads the podium in the order of ranks', async () => {
    open()
    const podium = await screen.findByRole('list', { name: 'The first three' })
    expect(
      within(podium)
        .getAllByRole('listitem')
        .map((place) => place.querySelector('bdi')?.textContent),
    ).toEqual(['Team 1', 'Team 2', 'Team 3'])
  })

  it('is a table, cut after twenty until one asks for all', async () => {
    open()
    const table = within(await screen.findByRole('table', { name: 'Teams by points' }))
    expect(table.getAllByRole('row')).toHaveLength(21)
    await userEvent.click(screen.getByRole('button', { name: 'Show all 30 teams' }))
    expect(table.getAllByRole('row')).toHaveLength(31)
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
  })

  it('marks the reader’s team, wherever it stands, and tells what is missing', async () => {
    signIn()
    const [mine] = board.slice(-1)
    open({ 'users.teams': () => ({ teams: [team(1, 'Team 30', { id: mine?.id ?? '' })] }) })
    const mark = await screen.findByText('You')
    const row = mark.closest('tr')
    expect(row?.textContent).toContain('Team 30')
    expect(row?.textContent).toContain('100 points behind Team 29')
  })

  it('keeps the rest of a row behind a disclosure', async () => {
    open()
    const more = await screen.findByRole('button', { name: 'More about Team 1' })
    const part = document.getElementById(more.getAttribute('aria-controls') ?? '')
    expect(part?.hidden).toBe(true)
    await userEvent.click(more)
    expect(part?.hidden).toBe(false)
    expect(part?.textContent).toContain('2 challenges completed')
    expect(part?.textContent).toContain('1,500 points per challenge')
  })

  it('names nobody on the podium who has no points', async () => {
    open({ 'teams.leaderboard': () => ({ leaderboard: [standing(1, 'New', 0, { challengesCompleted: 0 })] }) })
    expect(await screen.findByRole('table')).toBeDefined()
    expect(screen.queryByRole('list', { name: 'The first three' })).toBeNull()
    expect(screen.queryByText('Highlights')).toBeNull()
  })

  it('says when no team is on it', async () => {
    open({ 'teams.leaderboard': () => ({ leaderboard: [] }) })
    expect(await screen.findByText('No teams on the leaderboard yet')).toBeDefined()
  })

  it('stays empty without a word when the backend is away', async () => {
    const { made } = open({
      'teams.leaderboard': () => {
        throw refusal('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await waitFor(() => expect(screen.queryByText('Loading...')).toBeNull())
    expect(made).toHaveLength(1)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.queryByText('No teams on the leaderboard yet')).toBeNull()
  })
})
