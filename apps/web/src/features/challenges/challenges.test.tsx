import { type Challenge, isOpen, type Submission, type Team } from '@community/contract'
import { aChallenge, aDashboard, aPagination, aSubmission, aTeam, inDays, publicSettings } from '@community/testing'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { pressInToast } from '../../../test/press-in-toast.ts'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { pageOf } from '../../../test/pages.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { listen } from '../../lib/events.ts'
import type { InfiniteRows } from '../../lib/infinite-list.ts'
import { queryClient } from '../../lib/query-client.ts'
import { onlyOpen } from './challenge-list.ts'
import { ChallengesSection } from './index.tsx'

interface Setup {
  challenges?: Challenge[]
  teams?: Team[]
  applications?: Submission[]
  handlers?: Handlers
}

function open({ challenges = [aChallenge(1)], teams = [], applications = [], handlers = {} }: Setup = {}) {
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'challenges.list': () => ({ challenges, pagination: aPagination(challenges.length) }),
    'users.dashboard': () => aDashboard({ teams }),
    'challenges.myTeamApplications': () => ({ applications, pagination: aPagination(applications.length) }),
    ...handlers,
  })
  renderWithProviders(<ChallengesSection />)
  return backend
}

const signInAndGetId = () => signIn().id
const anApplication = (to: Challenge, by: Team, overrides: Partial<Submission> = {}): Submission =>
  aSubmission(1, {
    challengeId: { id: to.id, _id: to.id, title: to.title, points: to.points },
    teamId: { id: by.id, _id: by.id, name: by.name },
    ...overrides,
  })

const noop = () => {}
/** A list of which the first page is loaded. */
const ONE_PAGE: InfiniteRows<Challenge> = {
  rows: [],
  total: 60,
  pages: 1,
  isLoading: false,
  error: null,
  isFetching: false,
  refetch: async () => {},
  isStale: false,
  isTotalCapped: false,
  hasMore: false,
  isLoadingMore: false,
  moreError: null,
  loadMore: noop,
}

const expectTile = (name: string, value: string) =>
  waitFor(() => expect(screen.getByText(name).closest('div')?.textContent).toBe(`${name}${value}`))

describe('the list of challenges', () => {
  it('keeps the figures at zero while there are no challenges', async () => {
    open({ handlers: { 'challenges.list': () => ({ challenges: [], pagination: aPagination(0) }) } })
    await expectTile('Total Challenges', '0')
  })

  it('shows the first two requirements and the number of others, the level and the points', async () => {
    open()
    const card = within((await screen.findByText('Challenge 1')).closest('li') as HTMLElement)
    expect(card.getByText('Works offline')).toBeDefined()
    expect(card.getByText('Two languages')).toBeDefined()
    expect(card.queryByText('A licence')).toBeNull()
    expect(card.getByText('+1 more')).toBeDefined()
    expect(card.getByText('Intermediate')).toBeDefined()
    expect(card.getByText('200 points')).toBeDefined()
  })

  it('counts down to deadlines by the server’s clock, and hides expired challenges in Active', async () => {
    open({
      challenges: [
        aChallenge(1, { deadline: inDays(2.5) }),
        aChallenge(2, { deadline: inDays(20 / 24) }),
        aChallenge(3, { title: 'Over', deadline: inDays(-1) }),
      ],
    })
    expect(await screen.findByText('3 days left')).toBeDefined()
    expect(screen.getByText('1 day left')).toBeDefined()
    // The card shows the exact time too.
    const exact = document.querySelectorAll(`time[datetime="${inDays(20 / 24)}"]`)
    expect([...exact].some((time) => /\d:\d\d/.test(time.textContent ?? ''))).toBe(true)
    expect(screen.queryByText('Over')).toBeNull()
    await userEvent.click(screen.getByRole('tab', { name: 'All' }))
    expect(screen.getByText('Expired')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Apply to Over' })).toBeNull()
  })

  it('shows the totals of the whole list', async () => {
    open({ challenges: [aChallenge(1), aChallenge(2, { points: 1000 }), aChallenge(3, { deadline: inDays(-1) })] })
    await expectTile('Total Challenges', '3')
    await expectTile('Active Challenges', '2')
    await expectTile('Total Points', '1,400')
  })

  it('filters on submit, shows when nothing matches, and clears the filters', async () => {
    const { inputsOf } = open({
      handlers: {
        'challenges.list': (input) => {
          const challenges = input.search ? [] : [aChallenge(1)]
          return { challenges, pagination: aPagination(challenges.length) }
        },
      },
    })
    await screen.findByText('Challenge 1')
    await fill(screen.getByRole('searchbox'), ' tram ')
    await userEvent.selectOptions(screen.getByLabelText('Category'), 'AI/ML')
    expect(inputsOf('challenges.list')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'Apply Filters' }))
    expect(await screen.findByText('No Challenges Found')).toBeDefined()
    expect(inputsOf('challenges.list').at(-1)).toEqual({
      limit: 50,
      search: 'tram',
      category: 'AI/ML',
      direction: 'forward',
    })
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(await screen.findByText('Challenge 1')).toBeDefined()
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('')
  })

  it('keeps filters that are not applied yet when the tab changes', async () => {
    const { inputsOf } = open()
    await screen.findByText('Challenge 1')
    await fill(screen.getByRole('searchbox'), 'tram')
    await userEvent.selectOptions(screen.getByLabelText('Category'), 'AI/ML')
    await userEvent.click(screen.getByRole('tab', { name: 'All' }))
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('tram')
    expect(screen.getByLabelText<HTMLSelectElement>('Category').value).toBe('AI/ML')
    expect(inputsOf('challenges.list')).toHaveLength(1)
  })

  it('announces how many a filter found once they are there', async () => {
    let respond: (() => void) | undefined
    open({
      handlers: {
        'challenges.list': async ({ search }) => {
          if (search) await new Promise<void>((resolve) => (respond = resolve))
          const challenges = search ? [aChallenge(2)] : [aChallenge(1), aChallenge(2), aChallenge(3)]
          return { challenges, pagination: aPagination(challenges.length) }
        },
      },
    })
    await screen.findByText('Challenge 1')
    await fill(screen.getByRole('searchbox'), 'tram')
    await userEvent.click(screen.getByRole('button', { name: 'Apply Filters' }))
    await waitFor(() => expect(respond).toBeDefined())
    expect(document.querySelector('ul[aria-busy=true]')).not.toBeNull()
    expect(screen.queryByText(/challenges? found/)).toBeNull()
    respond?.()
    expect(await screen.findByText('1 challenge found')).toBeDefined()
  })

  it('shows in its details what an administrator changes meanwhile, and that it was deleted', async () => {
    let challenges = [aChallenge(1)]
    let isHeld = false
    const { inputsOf } = open({
      handlers: {
        'challenges.list': () => ({ challenges, pagination: aPagination(challenges.length) }),
        'challenges.get': () => {
          if (isHeld) return new Promise(() => {})
          throw appError('CHALLENGE_MISSING', 'Challenge not found')
        },
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Challenge 1' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Challenge 1' }))
    expect(dialog.getByText('200')).toBeDefined()
    challenges = [aChallenge(1, { points: 350, deadline: inDays(-1) })]
    await act(() => queryClient.invalidateQueries())
    expect(await dialog.findByText('350')).toBeDefined()
    expect(dialog.queryByRole('button', { name: /^Apply/ })).toBeNull()
    challenges = []
    await act(() => queryClient.invalidateQueries())
    expect(await dialog.findByText('Challenge not found')).toBeDefined()
    expect(dialog.queryByRole('tab')).toBeNull()
    isHeld = true
    act(() => void queryClient.invalidateQueries())
    await waitFor(() => expect(inputsOf('challenges.get')).toHaveLength(2))
    expect(dialog.getByText('Challenge not found')).toBeDefined()
    expect(dialog.queryByRole('tab')).toBeNull()
  })

  const SERVER_NOW = new Date(inDays(0))
  /** In the server's order: open ones by nearest deadline, then expired ones, the latest first. */
  const pagedHandlers = (all: Challenge[]): Handlers => ({
    'challenges.list': (input) => {
      const { rows, pagination } = pageOf(all, { ...input, limit: 5 }, (challenge) =>
        isOpen(challenge, SERVER_NOW)
          ? `1 ${Date.parse(challenge.deadline)} ${challenge.id}`
          : `2 ${3e13 - Date.parse(challenge.deadline)} ${challenge.id}`,
      )
      return { challenges: rows, pagination }
    },
    'challenges.active': () => ({
      challenges: [],
      pagination: aPagination(6),
      sums: { points: 23_000, submissions: 512 },
    }),
  })

  it('loads more by cursor; Active stops after the open challenges, All does not', async () => {
    const open6 = Array.from({ length: 6 }, (_, index) => aChallenge(index))
    const expired5 = Array.from({ length: 5 }, (_, index) => aChallenge(100 + index, { deadline: inDays(-1) }))
    const { inputsOf } = open({ handlers: pagedHandlers([...expired5, ...open6]) })
    expect(await screen.findByText('5 of 6 challenges shown')).toBeDefined()
    await userEvent.click(screen.getByText('Show more'))
    expect(await screen.findByText('6 of 6 challenges shown')).toBeDefined()
    expect(screen.queryByText('Show more')).toBeNull()
    await expectTile('Total Challenges', '11')
    await expectTile('Active Challenges', '6')
    await expectTile('Total Points', '23,000')
    await expectTile('Submissions', '512')
    await userEvent.click(screen.getByText('All'))
    expect(await screen.findByText('10 of 11 challenges shown')).toBeDefined()
    expect(inputsOf('challenges.list')).toHaveLength(2)
    await userEvent.click(screen.getByText('Show more'))
    expect(await screen.findByText('11 of 11 challenges shown')).toBeDefined()
  })

  it('still offers more after the nearest deadline passes', () => {
    const rows = [aChallenge(1, { deadline: inDays(-0.01) }), aChallenge(2), aChallenge(3)]
    const shown = onlyOpen({ ...ONE_PAGE, rows, hasMore: true }, SERVER_NOW)
    expect(shown.rows.map(({ title }) => title)).toEqual(['Challenge 2', 'Challenge 3'])
    expect(shown).toMatchObject({ hasMore: true, total: undefined })
  })

  it.each([
    ['has expired', { deadline: inDays(-1) }],
    ['is inactive', { isActive: false }],
  ])('ends if the last loaded challenge %s', (_what, overrides) => {
    const shown = onlyOpen({ ...ONE_PAGE, rows: [aChallenge(1), aChallenge(2, overrides)], hasMore: true }, SERVER_NOW)
    expect(shown).toMatchObject({ hasMore: false, total: 1 })
  })

  it('shows inline and in a toast that it could not be loaded, and tries again', async () => {
    let isUnavailable = true
    open({
      handlers: {
        'challenges.list': () => {
          if (isUnavailable) throw appError('UNAVAILABLE', '')
          return { challenges: [aChallenge(1)], pagination: aPagination(1) }
        },
      },
    })
    await waitFor(() => expect(screen.getAllByText('Failed to load challenges').length).toBeGreaterThan(1))
    isUnavailable = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Challenge 1')).toBeDefined()
  })

  it('reserves the space of the statistics while they load', async () => {
    let respond = () => {}
    const responded = new Promise<void>((resolve) => {
      respond = resolve
    })
    open({
      handlers: {
        'challenges.list': async () => {
          await responded
          return { challenges: [aChallenge(1)], pagination: aPagination(1) }
        },
      },
    })
    await expectTile('Total Challenges', '–')
    await expectTile('Submissions', '–')
    respond()
    await expectTile('Total Challenges', '1')
  })

  it('restores filters and tab when the user returns from the dashboard', async () => {
    const { inputsOf } = open()
    await userEvent.click(screen.getByRole('tab', { name: 'All' }))
    await fill(screen.getByRole('searchbox'), 'tram')
    await userEvent.click(screen.getByRole('button', { name: 'Apply Filters' }))
    cleanup()
    renderWithProviders(<ChallengesSection />)
    expect(screen.getByRole('tab', { name: 'All' }).getAttribute('aria-selected')).toBe('true')
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('tram')
    await waitFor(() =>
      expect(inputsOf('challenges.list').filter((input) => JSON.stringify(input).includes('tram'))).toHaveLength(2),
    )
  })

  it('moves the focus to the search when "Clear filters" disappears', async () => {
    open({
      handlers: {
        'challenges.list': ({ search }) =>
          search
            ? { challenges: [], pagination: aPagination(0) }
            : { challenges: [aChallenge(1)], pagination: aPagination(1) },
      },
    })
    await fill(screen.getByRole('searchbox'), 'zzz')
    await userEvent.click(screen.getByRole('button', { name: 'Apply Filters' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    expect(await screen.findByText('Challenge 1')).toBeDefined()
  })

  it('keeps the focus in the search when it is applied by Enter', async () => {
    const { inputsOf } = open()
    await screen.findByText('Challenge 1')
    const search = screen.getByRole<HTMLInputElement>('searchbox')
    await userEvent.type(search, ' tram {Enter}')
    await waitFor(() => expect(inputsOf('challenges.list').at(-1)).toMatchObject({ search: 'tram' }))
    expect(document.activeElement).toBe(search)
    expect(search.value).toBe('tram')
  })

  it('offers creation to admins only', async () => {
    const onCreate = vi.fn<() => void>()
    const stop = listen('openCreateChallengeModal', onCreate)
    open()
    await screen.findByText('Challenge 1')
    expect(screen.queryByRole('button', { name: 'Create Challenge' })).toBeNull()
    signIn({ role: 'admin' })
    await userEvent.click(await screen.findByRole('button', { name: 'Create Challenge' }))
    expect(onCreate).toHaveBeenCalledOnce()
    expect(screen.queryByRole('button', { name: 'Apply to Challenge 1' })).toBeNull()
    stop()
  })

  it('lets an administrator who is in a team submit for it', async () => {
    const { id } = signIn({ role: 'admin' })
    open({ teams: [aTeam(1, 'Atlas Lions', { ownerId: id })] })
    await userEvent.click(await screen.findByRole('button', { name: 'Apply to Challenge 1' }))
    const form = await screen.findByRole('dialog', { name: 'Apply to Challenge' })
    expect(within(form).getByRole('radio', { name: 'Atlas Lions' })).toBeDefined()
    await userEvent.keyboard('{Escape}')
    await userEvent.click(screen.getByRole('button', { name: 'Challenge 1' }))
    expect(await screen.findByRole('button', { name: 'Submit Project' })).toBeDefined()
  })

  it('does not let an administrator without a team apply or submit', async () => {
    signIn({ role: 'admin' })
    const { inputsOf } = open()
    await userEvent.click(await screen.findByRole('button', { name: 'Challenge 1' }))
    await screen.findByRole('dialog', { name: 'Challenge 1' })
    await waitFor(() => expect(inputsOf('users.dashboard')).toHaveLength(1))
    expect(screen.queryByRole('button', { name: /^(Apply to|Submit Project)/ })).toBeNull()
  })
})

describe('a link to a challenge', () => {
  it('opens the right tab and highlights the card', async () => {
    const over = aChallenge(2, { title: 'Over', deadline: inDays(-1) })
    history.replaceState(null, '', `/#challenge-${over.id}`)
    open({ challenges: [aChallenge(1), over] })
    await waitFor(() => expect(document.getElementById(`challenge-${over.id}`)?.className).toContain('highlight'))
    expect(screen.getByRole('tab', { name: 'All' }).getAttribute('aria-selected')).toBe('true')
    expect(document.activeElement?.textContent).toBe('Over')
  })

  it('shows the details of a challenge that is not in the list', async () => {
    const far = aChallenge(9, { title: 'Far away' })
    history.replaceState(null, '', `/#challenge-${far.id}`)
    const handlers = { 'challenges.get': () => ({ challenge: far }) }
    open({ handlers })
    expect(await screen.findByRole('dialog', { name: 'Far away' })).toBeDefined()
    cleanup()
    // Rendered again with the same history entry, as after a reload or after Back from another view.
    const { inputsOf } = open({ handlers })
    await screen.findByText('Challenge 1')
    expect(inputsOf('challenges.get')).toEqual([])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('requests the challenge without waiting for the list', async () => {
    const far = aChallenge(9, { title: 'Far away' })
    history.replaceState(null, '', `/#challenge-${far.id}`)
    let sendList = noop
    const listSent = new Promise<void>((resolve) => (sendList = resolve))
    const { inputsOf } = open({
      handlers: {
        'challenges.list': async () => {
          await listSent
          return { challenges: [], pagination: aPagination(0) }
        },
        'challenges.get': () => ({ challenge: far }),
      },
    })
    await waitFor(() => expect(inputsOf('challenges.get')).toHaveLength(1))
    sendList()
    expect(await screen.findByRole('dialog', { name: 'Far away' })).toBeDefined()
    expect(inputsOf('challenges.get')).toHaveLength(1)
  })

  it.each([
    ['there is no such challenge', aChallenge(9).id, appError('CHALLENGE_MISSING', 'Challenge not found')],
    [
      'its id is cut off',
      'abc',
      appError('VALIDATION', 'Not a valid id', { errors: [{ msg: 'Not a valid id', path: 'id' }] }),
    ],
  ])('says in a toast that it leads nowhere if %s', async (_case, id, error) => {
    history.replaceState(null, '', `/#challenge-${id}`)
    open({
      handlers: {
        'challenges.get': () => {
          throw error
        },
      },
    })
    expect((await screen.findAllByText('This link no longer leads to a challenge.')).length).toBeGreaterThan(0)
  })

  it('shows no details over what the visitor asked for before signing in', async () => {
    const far = aChallenge(9, { title: 'Far away' })
    history.replaceState(null, '', `/#challenge-${far.id}`)
    openDialog({ name: 'apply', challengeId: far.id })
    const { inputsOf } = open({ handlers: { 'challenges.get': () => ({ challenge: far }) } })
    await waitFor(() => expect(inputsOf('challenges.get')).toHaveLength(1))
    // Nothing opens in the time that the details take to load.
    await expect(screen.findByRole('dialog', {}, { timeout: 500 })).rejects.toThrow()
  })
})

describe('following a link to a challenge again', () => {
  const expectHighlighted = () =>
    waitFor(() => expect(document.getElementById(`challenge-${aChallenge(1).id}`)?.className).toContain('highlight'))

  it.each([
    ['by pointer', (link: HTMLElement) => userEvent.click(link)],
    [
      'by keyboard',
      async (link: HTMLElement) => {
        link.focus()
        await userEvent.keyboard('{Enter}')
      },
    ],
  ])('highlights the card again, %s', async (_how, follow) => {
    const mine = aTeam(1, 'Atlas Lions', { ownerId: signInAndGetId() })
    open({ teams: [mine], applications: [anApplication(aChallenge(1), mine)] })
    for (const _time of ['first', 'second']) {
      await userEvent.click(await screen.findByRole('tab', { name: 'My Applications' }))
      await follow(await screen.findByRole('link', { name: 'Challenge 1' }))
      await expectHighlighted()
    }
  })

  it('opens the closed details again', async () => {
    const mine = aTeam(1, 'Atlas Lions', { ownerId: signInAndGetId() })
    const far = aChallenge(9, { title: 'Far away' })
    open({
      teams: [mine],
      applications: [anApplication(far, mine)],
      handlers: { 'challenges.get': () => ({ challenge: far }) },
    })
    await userEvent.click(await screen.findByRole('tab', { name: 'My Applications' }))
    for (const _time of ['first', 'second']) {
      await userEvent.click(await screen.findByRole('link', { name: 'Far away' }))
      await screen.findByRole('dialog', { name: 'Far away' })
      await userEvent.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
  })
})

describe('applying', () => {
  const pressApply = async () => userEvent.click(await screen.findByRole('button', { name: 'Apply to Challenge 1' }))

  it('asks a visitor to sign in', async () => {
    const opened = trackOpenedDialogs()
    open()
    await pressApply()
    const intent = { name: 'apply', challengeId: aChallenge(1).id }
    expect(opened).toEqual([{ name: 'signInPrompt', reason: 'Please sign in to apply to challenges.', intent }])
  })

  it('is only possible for chefs', async () => {
    signInAndGetId()
    open({ teams: [aTeam(1, 'Atlas Lions')] })
    await pressApply()
    expect((await screen.findAllByText('Chef Required')).length).toBeGreaterThan(0)
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Create Team' })).toBeNull()
  })

  it('offers a user without a team to create one', async () => {
    const opened = trackOpenedDialogs()
    signInAndGetId()
    open()
    await pressApply()
    const message = 'Only team chefs can apply to challenges. Create a team or become a chef to apply.'
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
    await pressInToast('Create Team')
    expect(opened).toEqual([{ name: 'createTeam' }])
  })

  it('does not offer to create a team while that is off', async () => {
    signInAndGetId()
    open({ handlers: { 'system.settings': () => publicSettings({ teamCreationEnabled: false }) } })
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    await pressApply()
    expect((await screen.findAllByText('Chef Required')).length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: 'Create Team' })).toBeNull()
  })

  it('shows a member that their team has applied', async () => {
    signInAndGetId()
    const membersTeam = aTeam(1, 'Atlas Lions')
    open({ teams: [membersTeam], applications: [anApplication(aChallenge(1), membersTeam)] })
    await pressApply()
    expect((await screen.findAllByText('One of your teams has already applied to this challenge')).length).toBe(1)
  })

  it('is not possible once every team of the chef has applied', async () => {
    const mine = aTeam(1, 'Atlas Lions', { ownerId: signInAndGetId() })
    open({ teams: [mine], applications: [anApplication(aChallenge(1), mine)] })
    const button = await screen.findByRole('button', { name: 'Already Applied' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })

  it('offers the chef’s teams except those that have applied, and sends a link', async () => {
    const userId = signInAndGetId()
    const [appliedTeam, freeTeam] = [
      aTeam(1, 'Atlas Lions', { ownerId: userId }),
      aTeam(2, 'Code Fassi', { ownerId: userId }),
    ]
    const created = vi.fn<(detail: { teamId: string; challengeId: string } | null) => void>()
    const stop = listen('submissionCreated', created)
    const { inputsOf } = open({
      teams: [appliedTeam, freeTeam, aTeam(3, 'Somebody else’s')],
      applications: [anApplication(aChallenge(1), appliedTeam)],
      handlers: { 'challenges.applyTo': () => ({ submission: aSubmission(2) }) },
    })
    await pressApply()
    const dialog = within(await screen.findByRole('dialog', { name: 'Apply to Challenge' }))
    const first = dialog.getByRole<HTMLInputElement>('radio', { name: /Atlas Lions/ })
    expect(first.disabled).toBe(true)
    expect(dialog.getByText('Already Applied')).toBeDefined()
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /Code Fassi/ }).checked).toBe(true)
    expect(dialog.queryByText('Somebody else’s')).toBeNull()

    await fill(dialog.getByLabelText('Project link'), 'not a link')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Application' }))
    expect(await dialog.findByText('Please enter a valid link (http or https)')).toBeDefined()
    expect(inputsOf('challenges.applyTo')).toEqual([])

    await fill(dialog.getByLabelText('Project link'), 'https://github.com/code-fassi/tram')
    expect(dialog.getByText('Recognised: GitHub · Code')).toBeDefined()
    await fill(dialog.getByLabelText('Notes'), 'First version')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Application' }))
    expect((await screen.findAllByText('Application submitted successfully!')).length).toBeGreaterThan(0)
    expect(inputsOf('challenges.applyTo')).toEqual([
      {
        id: aChallenge(1).id,
        teamId: freeTeam.id,
        type: 'link',
        content: 'https://github.com/code-fassi/tram',
        applicationNotes: 'First version',
      },
    ])
    expect(created).toHaveBeenCalledExactlyOnceWith({ teamId: freeTeam.id, challengeId: aChallenge(1).id })
    expect(screen.queryByRole('dialog')).toBeNull()
    stop()
  })

  it('updates form and card when an error shows that a team has applied meanwhile', async () => {
    const mine = aTeam(1, 'Atlas Lions', { ownerId: signInAndGetId() })
    const sent: Submission[] = []
    open({
      teams: [mine],
      handlers: {
        'challenges.myTeamApplications': () => ({ applications: sent, pagination: aPagination(sent.length) }),
        'challenges.applyTo': () => {
          sent.push(anApplication(aChallenge(1), mine))
          throw appError('ALREADY_APPLIED', 'This team has already applied to this challenge')
        },
      },
    })
    await pressApply()
    const dialog = within(await screen.findByRole('dialog', { name: 'Apply to Challenge' }))
    await fill(dialog.getByLabelText('Project link'), 'https://github.com/atlas-lions/tram')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Application' }))
    await waitFor(() =>
      expect(dialog.getByRole<HTMLInputElement>('radio', { name: /Atlas Lions/ }).disabled).toBe(true),
    )
    expect(dialog.getAllByText('This team has already applied to this challenge').length).toBeGreaterThan(0)
    await userEvent.keyboard('{Escape}')
    expect(await screen.findByRole('button', { name: 'Already Applied' })).toBeDefined()
  })

  it('knows every application, even if the team has sent many others since', async () => {
    const mine = aTeam(1, 'Atlas Lions', { ownerId: signInAndGetId() })
    const others = Array.from({ length: 120 }, (_, index) =>
      anApplication(aChallenge(500 + index), mine, { id: `n${index}` }),
    )
    const all = [...others, anApplication(aChallenge(1), mine)]
    const { inputsOf } = open({
      teams: [mine],
      handlers: {
        'challenges.myTeamApplications': (input) => {
          const from = Number(input.cursor ?? 0)
          const nextCursor = from + 100 < all.length ? String(from + 100) : null
          return { applications: all.slice(from, from + 100), pagination: { ...aPagination(all.length), nextCursor } }
        },
      },
    })
    const button = await screen.findByRole('button', { name: 'Already Applied' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(inputsOf('challenges.myTeamApplications')).toEqual([
      { onlyOpen: true, limit: 100 },
      { onlyOpen: true, limit: 100, cursor: '100' },
    ])
  })

  it('describes the choice of the team by its error', async () => {
    const userId = signInAndGetId()
    open({ teams: [1, 2].map((number) => aTeam(number, `Team ${number}`, { ownerId: userId })) })
    await pressApply()
    const dialog = within(await screen.findByRole('dialog', { name: 'Apply to Challenge' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Application' }))
    await dialog.findByText('Please select a team')
    expect(dialog.getByRole('group', { name: 'Team', description: 'Please select a team' })).toBeDefined()
    expect(document.activeElement).toBe(dialog.getByRole('radio', { name: 'Team 1' }))
  })

  it('shows the feedback on the team’s last attempt next to the form', async () => {
    const userId = signInAndGetId()
    const [first, second] = [aTeam(1, 'Atlas Lions', { ownerId: userId }), aTeam(2, 'Code Fassi', { ownerId: userId })]
    const rejected = { status: 'rejected', feedback: 'Please add the source.', evaluatedAt: inDays(-1) } as const
    open({ teams: [first, second], applications: [anApplication(aChallenge(1), second, rejected)] })
    await pressApply()
    const dialog = within(await screen.findByRole('dialog', { name: 'Apply to Challenge' }))
    expect(dialog.queryByText('Please add the source.')).toBeNull()
    await userEvent.click(dialog.getByRole('radio', { name: /Code Fassi/ }))
    expect(
      within(dialog.getByRole('region', { name: /Previous submission/ })).getByText('Please add the source.'),
    ).toBeDefined()
  })

  it('keeps the draft when it is closed by mistake, until it is submitted or discarded', async () => {
    open({
      teams: [aTeam(1, 'Atlas Lions', { ownerId: signInAndGetId() })],
      handlers: { 'challenges.applyTo': () => ({ submission: aSubmission(2) }) },
    })
    const openForm = async () => {
      await pressApply()
      return within(await screen.findByRole('dialog', { name: 'Apply to Challenge' }))
    }
    const file = new File(['PK!'], 'work.zip', { type: 'application/zip' })
    let dialog = await openForm()
    expect(dialog.queryByText('We kept your draft.')).toBeNull()
    await fill(dialog.getByLabelText('Project link'), 'https://example.ma/tram')
    await fill(dialog.getByLabelText('Notes'), 'Guest sign-in')
    await userEvent.click(dialog.getByRole('radio', { name: /^Upload/ }))
    await userEvent.upload(dialog.getByLabelText('Choose a file'), file)
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()

    dialog = await openForm()
    expect(dialog.getByText('We kept your draft.')).toBeDefined()
    expect(dialog.getByText('work.zip')).toBeDefined()
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Notes').value).toBe('Guest sign-in')
    await userEvent.click(dialog.getByRole('radio', { name: /^Link/ }))
    expect(dialog.getByLabelText<HTMLInputElement>('Project link').value).toBe('https://example.ma/tram')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Application' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

    dialog = await openForm()
    expect(dialog.getByLabelText<HTMLInputElement>('Project link').value).toBe('')
    await fill(dialog.getByLabelText('Notes'), 'Second thoughts')
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    dialog = await openForm()
    await userEvent.click(dialog.getByRole('button', { name: 'Start over' }))
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Notes').value).toBe('')
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith('workDraft'))).toEqual([])
  })

  it('shows a server error inline and in a toast, and keeps the values', async () => {
    open({
      teams: [aTeam(1, 'Atlas Lions', { ownerId: signInAndGetId() })],
      handlers: {
        'challenges.applyTo': () => {
          throw appError('ALREADY_APPLIED', 'This team has already applied to this challenge')
        },
      },
    })
    await pressApply()
    const dialog = within(await screen.findByRole('dialog', { name: 'Apply to Challenge' }))
    await fill(dialog.getByLabelText('Project link'), 'https://example.ma')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Application' }))
    expect((await dialog.findAllByText('This team has already applied to this challenge')).length).toBeGreaterThan(1)
    expect(dialog.getAllByText('Already Applied').length).toBeGreaterThan(0)
    expect(dialog.getByLabelText<HTMLInputElement>('Project link').value).toBe('https://example.ma')
  })
})
