import type { LeaderboardRow, Standing } from '@community/contract'
import { aPagination, aStanding, publicSettings } from '@community/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { activateLanguage } from '../../lib/i18n.ts'
import { LeaderboardSection } from './index.tsx'

/** Reports every observed element as visible at once, which renders lazy content. */
class ImmediateIntersectionObserver {
  readonly #callback: (entries: { isIntersecting: boolean }[]) => void
  constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
    this.#callback = callback
  }
  observe() {
    this.#callback([{ isIntersecting: true }])
  }
  disconnect() {}
}

const board = Array.from({ length: 30 }, (_, index) => aStanding(index + 1, `Team ${index + 1}`, 3000 - index * 100))

const aLeaderboard = (leaderboard: LeaderboardRow[]) => ({
  leaderboard,
  pagination: aPagination(leaderboard.length, 1, 100),
})

const ownStanding = (row: LeaderboardRow | undefined, rank: number, tied = false): Standing => {
  if (!row) throw new Error('No such row')
  const teamAbove = board.findLast(({ points }) => points > row.points) ?? null
  return { ...row, rank, tied, teamsWithPoints: 7000, teamAbove }
}

function open(handlers: Handlers = {}) {
  const backend = fakeBackend({ 'teams.leaderboard': () => aLeaderboard(board), ...handlers })
  renderWithProviders(<LeaderboardSection />)
  return backend
}

describe('the leaderboard', () => {
  it('has the podium in the order of ranks', async () => {
    open()
    const podium = await screen.findByRole('list', { name: 'Top three teams' })
    expect(
      within(podium)
        .getAllByRole('listitem')
        .map((place) => place.querySelector('bdi')?.textContent),
    ).toEqual(['Team 1', 'Team 2', 'Team 3'])
  })

  it('is a table, cut after twenty rows until the user asks for all', async () => {
    open()
    const table = within(await screen.findByRole('table', { name: 'Teams by points' }))
    expect(table.getAllByRole('row')).toHaveLength(21)
    await userEvent.click(screen.getByRole('button', { name: 'Show all 30 teams' }))
    expect(table.getAllByRole('row')).toHaveLength(31)
    expect(screen.queryByRole('button', { name: /^Show all/ })).toBeNull()
    // The button is gone, so the first new row has the focus.
    expect(document.activeElement).toBe(table.getByRole('row', { name: /Team 21\b/ }))
  })

  it('gives tied teams their shared ranks, on the podium too', async () => {
    const rows = [500, 500, 300, 300, 100].map((points, index) => aStanding(index + 1, `Team ${index + 1}`, points))
    open({ 'teams.leaderboard': () => aLeaderboard(rows) })
    const table = within(await screen.findByRole('table', { name: 'Teams by points' }))
    expect(table.getAllByRole('row').map((row) => row.querySelector('td')?.textContent)).toEqual([
      undefined,
      '1',
      '2',
      '3',
      '4',
      '5',
    ])
    const podium = within(screen.getByRole('list', { name: 'Top three teams' }))
    expect(podium.getAllByText(/^\d$/).map((rank) => rank.textContent)).toEqual(['1', '2', '3'])
    expect(screen.getByText('Ties go to the team that got there first.')).toBeDefined()
  })

  it('does not mention ties if there are none', async () => {
    open()
    expect(await screen.findByRole('table', { name: 'Teams by points' })).toBeDefined()
    expect(screen.queryByText(/^Ties go/)).toBeNull()
  })

  it.each(['member', 'admin'] as const)(
    'marks the team of the user (%s) among the first, and jumps to it',
    async (role) => {
      signIn({ role })
      open({ 'teams.standings': () => ({ standings: [ownStanding(board[4], 5)] }) })
      await userEvent.click(await screen.findByRole('button', { name: 'Jump to my team' }))
      const row = screen.getByRole('row', { name: /Team 5\b/ })
      expect(document.activeElement).toBe(row)
      expect(within(row).getByText('You')).toBeDefined()
      expect(row.textContent).toContain('100 points behind Team 4')
      expect(screen.getAllByRole('row')).toHaveLength(21)
    },
  )

  it('pins the user’s team while its row is not shown, and shows the row to jump to it', async () => {
    signIn()
    open({ 'teams.standings': () => ({ standings: [ownStanding(board[28], 29)] }) })
    const pinned = (await screen.findByText('You')).closest('tr')
    expect(pinned?.className).toContain('sticky')
    expect(pinned?.querySelector('td')?.textContent).toBe('29')
    await userEvent.click(screen.getByRole('button', { name: 'Jump to my team' }))
    expect(screen.getAllByRole('row')).toHaveLength(31)
    expect(document.activeElement).toBe(screen.getByRole('row', { name: /Team 29/ }))
    expect(document.activeElement?.className).not.toContain('sticky')
  })

  it('pins the user’s best team beyond the board, with its rank among all teams', async () => {
    signIn()
    const [beyond, last] = [aStanding(900, 'Zagora Zero', 40), aStanding(901, 'Zagora Nil', 0)]
    const teamAbove = aStanding(899, 'Zagora Ones', 45)
    const standings = [{ ...ownStanding(beyond, 1234, true), teamAbove }, ownStanding(last, 5000, true)]
    open({ 'teams.standings': () => ({ standings }) })
    const rows = (await screen.findAllByText('You')).map((mark) => mark.closest('tr'))
    expect(rows.map((row) => row?.querySelector('td')?.textContent)).toEqual(['1,234', '5,000'])
    expect(rows.map((row) => row?.className.includes('sticky'))).toEqual([true, false])
    expect(rows[0]?.textContent).toContain('5 points behind Zagora Ones')
    await userEvent.click(screen.getByRole('button', { name: 'Jump to my team' }))
    expect(document.activeElement).toBe(rows[0])
    expect(screen.getByText('Teams with points').nextElementSibling?.textContent).toBe('7,000')
  })

  it('shows visitors nothing of their own, and sends no request for it', async () => {
    const { inputsOf } = open()
    await screen.findByRole('table', { name: 'Teams by points' })
    expect(screen.queryByRole('button', { name: 'Jump to my team' })).toBeNull()
    expect(inputsOf('teams.standings')).toEqual([])
  })

  it('continues by cursor after the loaded teams, and shows how many its statistics cover', async () => {
    const all = Array.from({ length: 130 }, (_, index) => aStanding(index + 1, `Team ${index + 1}`, 500))
    const { inputsOf } = open({
      'teams.leaderboard': ({ cursor }) => ({
        leaderboard: cursor ? all.slice(100) : all.slice(0, 100),
        pagination: { ...aPagination(130, 1, 100), nextCursor: cursor ? null : 'page-2' },
      }),
    })
    // By text and selector: among a hundred rows, a search by role takes seconds.
    const rows = () => document.querySelectorAll('table tr')
    const showMore = async () => userEvent.click(await screen.findByText('Show more'))
    expect(await screen.findAllByText('Top 100 teams')).toHaveLength(3)
    await showMore()
    expect(rows()).toHaveLength(101)
    expect(document.activeElement).toBe(rows()[21])
    expect(document.activeElement?.textContent).toContain('Team 21')
    expect(screen.getByText('100 of 130 teams shown')).toBeDefined()
    await showMore()
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Team 101'))
    expect(document.activeElement).toBe(rows()[101])
    expect(rows()).toHaveLength(131)
    expect(inputsOf('teams.leaderboard')).toMatchObject([{ limit: 100 }, { limit: 100, cursor: 'page-2' }])
    expect(screen.queryByText(/^Show/)).toBeNull()
    expect(screen.queryByText(/^Top \d/)).toBeNull()
  })

  it('mentions no ties of teams without points, not even own ones further down', async () => {
    signIn()
    const rows = [aStanding(1, 'Team 1', 500), aStanding(2, 'New', 0), aStanding(3, 'Newer', 0)]
    const own = aStanding(900, 'Zagora Nil', 0)
    open({
      'teams.leaderboard': () => aLeaderboard(rows),
      'teams.standings': () => ({ standings: [ownStanding(own, 900, true)] }),
    })
    expect(await screen.findByText('You')).toBeDefined()
    expect(screen.queryByText(/^Ties go/)).toBeNull()
  })

  it('hides details of a row behind a button', async () => {
    open()
    const more = await screen.findByRole('button', { name: 'More about Team 1' })
    const part = document.getElementById(more.getAttribute('aria-controls') ?? '')
    expect(part?.hidden).toBe(true)
    await userEvent.click(more)
    expect(part?.hidden).toBe(false)
    expect(part?.textContent).toContain('2 challenges completed')
    expect(part?.textContent).toContain('1,500 points per challenge')
  })

  it('shows no team without points on the podium', async () => {
    open({ 'teams.leaderboard': () => aLeaderboard([aStanding(1, 'New', 0, { challengesCompleted: 0 })]) })
    expect(await screen.findByRole('table')).toBeDefined()
    expect(screen.queryByRole('list', { name: 'Top three teams' })).toBeNull()
    expect(screen.queryByText('Highlights')).toBeNull()
  })

  it('shows when there is no team', async () => {
    open({ 'teams.leaderboard': () => aLeaderboard([]) })
    expect(await screen.findByText('No teams on the leaderboard yet')).toBeDefined()
    expect(screen.getByText('No Teams Yet')).toBeDefined()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('stays empty without a message when the backend is unavailable', async () => {
    const { requests } = open({
      'teams.leaderboard': () => {
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await waitFor(() => expect(screen.queryByText('Loading...')).toBeNull())
    expect(requests).toHaveLength(1)
    expect(screen.queryByRole('alert')).toBeNull()
    for (const text of ['No teams on the leaderboard yet', 'No Teams Yet', 'Highlights'])
      expect(screen.queryByText(text)).toBeNull()
    expect(screen.getAllByText('–')).toHaveLength(4)
  })

  it('does not return to the skeleton while it tries again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let failures = 0
    open({
      'teams.leaderboard': () => {
        failures++
        if (failures > 1) return new Promise<never>(() => {})
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await waitFor(() => expect(screen.getAllByText('–')).toHaveLength(4))
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(failures).toBe(2)
    expect(screen.queryByText('Loading...')).toBeNull()
  })

  it('shows a server error, and tries again on request', async () => {
    let isRateLimited = true
    open({
      'teams.leaderboard': () => {
        if (isRateLimited) throw appError('TOO_MANY_REQUESTS', '')
        return aLeaderboard(board)
      },
    })
    expect((await screen.findAllByText('Leaderboard Error')).length).toBeGreaterThan(0)
    expect((await screen.findAllByText('Failed to load leaderboard data.')).length).toBeGreaterThan(0)
    isRateLimited = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('table', { name: 'Teams by points' })).toBeDefined()
  })

  it('loads by itself when the backend is available again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let isUnavailable = true
    open({
      'teams.leaderboard': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return aLeaderboard(board)
      },
    })
    await waitFor(() => expect(screen.getAllByText('–')).toHaveLength(4))
    isUnavailable = false
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(await screen.findByRole('table', { name: 'Teams by points' })).toBeDefined()
  })
})

const history = (row: LeaderboardRow | undefined, ...points: [day: string, points: number][]) => ({
  id: row?.id ?? '',
  _id: row?.id ?? '',
  name: row?.name ?? '',
  points: points.map(([day, total]) => ({ day, points: total })),
})

describe('points over time', () => {
  const lines = [history(board[0], ['2026-10-20', 1000], ['2026-10-30', 3000]), history(board[24], ['2026-10-25', 600])]
  const openChart = (handlers: Handlers = {}) => {
    vi.stubGlobal('IntersectionObserver', ImmediateIntersectionObserver)
    return open({
      'system.settings': () => publicSettings(),
      'teams.pointsHistory': () => ({ history: lines }),
      ...handlers,
    })
  }

  it('loads the first five teams and the user’s own, and describes the chart in text', async () => {
    signIn()
    const { inputsOf } = openChart({ 'teams.standings': () => ({ standings: [ownStanding(board[24], 25)] }) })
    const chart = await screen.findByRole('img', { name: /^Points over time/ })
    await waitFor(() =>
      expect(chart.getAttribute('aria-label')).toBe(
        'Points over time from 19 Oct 2026 to 1 Nov 2026. Now: Team 1 3,000, Team 25 600',
      ),
    )
    const ids = [0, 1, 2, 3, 4, 24].map((index) => board[index]?.id)
    expect(inputsOf('teams.pointsHistory').at(-1)).toEqual({ ids })
    expect(screen.getByText('The top five teams and yours.')).toBeDefined()
  })

  it('shows the points of a day with a slider', async () => {
    openChart()
    const slider = await screen.findByRole('slider', { name: 'Day' })
    await waitFor(() => expect(slider.getAttribute('aria-valuetext')).toBe('1 Nov 2026: Team 1 3,000, Team 25 600'))
    fireEvent.change(slider, { target: { value: '2' } })
    expect(slider.getAttribute('aria-valuetext')).toBe('21 Oct 2026: Team 1 1,000, Team 25 0')
    expect(screen.getByText('21 Oct 2026')).toBeDefined()
  })

  it('has all figures in a table', async () => {
    openChart()
    const table = within(await screen.findByRole('table', { name: /^Points at the end/, hidden: true }))
    const cells = table
      .getAllByRole('row', { hidden: true })
      .map((row) => [...row.children].map((cell) => cell.textContent))
    expect(table.getByText('Team 1').tagName).toBe('BDI')
    expect(cells).toEqual([
      ['Day', 'Team 1', 'Team 25'],
      ['20 Oct 2026', '1,000', '0'],
      ['25 Oct 2026', '1,000', '600'],
      ['30 Oct 2026', '3,000', '600'],
    ])
  })

  it('runs from left to right in Arabic too', async () => {
    const startOf = () =>
      /^M(\d+)/.exec(document.querySelector('svg[role=img] path.stroke-primary')?.getAttribute('d') ?? '')
    openChart()
    await screen.findByRole('slider')
    expect(Number(startOf()?.[1])).toBeLessThan(100)
    await act(() => activateLanguage('ar'))
    expect(Number(startOf()?.[1])).toBeLessThan(100)
    expect(document.querySelector('svg[role=img]')?.closest('[dir]')?.getAttribute('dir')).toBe('ltr')
  })

  it('shows when nobody has points yet, and sends no request', async () => {
    const { inputsOf } = openChart({ 'teams.leaderboard': () => aLeaderboard([aStanding(1, 'New', 0)]) })
    expect(await screen.findByText('No points yet. The chart starts with the first approved work.')).toBeDefined()
    expect(inputsOf('teams.pointsHistory')).toEqual([])
  })

  it('is hidden without a message when the backend is unavailable', async () => {
    const { inputsOf } = openChart({
      'teams.pointsHistory': () => {
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await waitFor(() => expect(inputsOf('teams.pointsHistory')).toHaveLength(1))
    await waitFor(() => expect(screen.queryByText('Points over time')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
