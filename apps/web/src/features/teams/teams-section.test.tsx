import { aPagination, aTeam, aTeamCard, publicSettings, ROLES } from '@community/testing'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { signIn } from '../../../test/sign-in.ts'
import { pageOf } from '../../../test/pages.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { emit, listen } from '../../lib/events.ts'
import { activateLanguage } from '../../lib/i18n.ts'
import { clearSession } from '../../lib/session.ts'
import { TeamsSection } from './index.tsx'
import { TeamDialog } from './team-dialog.tsx'

function openSection(handlers: Handlers, dialog?: ReactNode) {
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'roles.list': () => ({ roles: ROLES }),
    ...handlers,
  })
  renderWithProviders(
    <>
      <TeamsSection />
      {dialog}
    </>,
  )
  return backend
}
const listOf = (...teams: ReturnType<typeof aTeam>[]) => ({ teams, pagination: aPagination(teams.length) })
const twoTeams = () => listOf(aTeam(1, 'Atlas Lions'), aTeam(2, 'Code Fassi'))

describe('the team cards', () => {
  it('show members and maximum, description, points, three avatars and the number of others', async () => {
    signIn()
    openSection({ 'teams.list': twoTeams })
    const card = await screen.findByRole('article', { name: 'Atlas Lions' })
    expect(within(card).getByText('4 members / 5')).toBeDefined()
    expect(within(card).getByText('We build small, useful things.')).toBeDefined()
    expect(within(card).getByText('1,240')).toBeDefined()
    expect(within(card).getByText('+1')).toBeDefined()
    expect(within(card).getAllByRole('button')).toHaveLength(1)
    expect(screen.getByRole('status', { name: '' }).textContent).toBe('2 teams found')
  })

  it('are found as "1,000+" when a search counts no further', async () => {
    const pagination = { ...aPagination(1000), totalIsCapped: true as const, nextCursor: 'next' }
    openSection({ 'teams.list': () => ({ ...twoTeams(), pagination }) })
    await screen.findByRole('article', { name: 'Atlas Lions' })
    expect(screen.getByRole('status', { name: '' }).textContent).toBe('1,000+ teams found')
    expect(screen.getByText('2 of 1,000+ teams shown')).toBeDefined()
  })

  it('open the team', async () => {
    signIn()
    openSection({ 'teams.list': twoTeams })
    const opened = trackOpenedDialogs()
    await userEvent.click(await screen.findByRole('button', { name: 'Code Fassi' }))
    expect(opened).toEqual([{ name: 'team', teamId: aTeam(2, 'Code Fassi').id }])
  })

  it('hide details from visitors, and ask them to sign in to open the team', async () => {
    const teams = [aTeamCard(1, 'Atlas Lions'), aTeamCard(2, 'Solo', { maxMembers: 1 })]
    openSection({ 'teams.list': () => ({ teams, pagination: aPagination(2) }) })
    const card = await screen.findByRole('article', { name: 'Atlas Lions' })
    expect(within(card).getByText('Up to 5 members')).toBeDefined()
    expect(screen.getByText('Up to 1 member')).toBeDefined()
    expect(within(card).getByText('Sign in to see this team')).toBeDefined()
    expect(within(card).queryByText('Points')).toBeNull()
    const signIns: unknown[] = []
    const stop = listen('openAuthModal', (detail) => signIns.push(detail))
    await userEvent.click(within(card).getByRole('button'))
    const intent = { name: 'team', teamId: aTeamCard(1, 'Atlas Lions').id }
    expect(signIns).toEqual([{ mode: 'login', intent }])
    stop()
  })
})

describe('a link to a team', () => {
  const lions = aTeam(1, 'Atlas Lions')
  const linkTo = ({ id }: { id: string }) => {
    history.replaceState(null, '', `/#team-${id}`)
    onTestFinished(() => history.replaceState(null, '', '/'))
  }

  it('opens the team, also of another page of the list, once', async () => {
    signIn()
    linkTo(lions)
    const opened = trackOpenedDialogs()
    openSection({ 'teams.list': () => listOf(), 'teams.get': () => ({ team: lions }) })
    await waitFor(() => expect(opened).toEqual([{ name: 'team', teamId: lions.id }]))
    cleanup()
    const { inputsOf } = openSection({ 'teams.list': () => listOf(), 'teams.get': () => ({ team: lions }) })
    await screen.findByText('No Teams Yet')
    expect(inputsOf('teams.get')).toEqual([])
    expect(opened).toHaveLength(1)
  })

  it('asks visitors to sign in, and names the team, which the card would', async () => {
    linkTo(lions)
    const opened = trackOpenedDialogs()
    openSection({ 'teams.list': () => listOf(), 'teams.get': () => ({ team: aTeamCard(1, 'Atlas Lions') }) })
    const reason = 'Sign in or create an account to see Atlas Lions.'
    const intent = { name: 'team', teamId: lions.id }
    await waitFor(() => expect(opened).toEqual([{ name: 'signInPrompt', reason, intent }]))
  })

  it('opens nothing over what the visitor asked for before signing in', async () => {
    signIn()
    linkTo(lions)
    openDialog({ name: 'createTeam' })
    const opened = trackOpenedDialogs()
    const { inputsOf } = openSection({ 'teams.list': () => listOf(), 'teams.get': () => ({ team: lions }) })
    await waitFor(() => expect(history.state).not.toBeNull())
    expect(inputsOf('teams.get')).toHaveLength(1)
    expect(opened).toEqual([])
  })

  it.each([
    ['there is no such team', lions.id, appError('TEAM_MISSING', 'Team not found')],
    [
      'its id is cut off',
      'abc',
      appError('VALIDATION', 'Not a valid id', { errors: [{ msg: 'Not a valid id', path: 'id' }] }),
    ],
  ])('says in a toast that it leads nowhere if %s', async (_case, linkedId, error) => {
    linkTo({ id: linkedId })
    const opened = trackOpenedDialogs()
    openSection({
      'teams.list': () => listOf(),
      'teams.get': () => {
        throw error
      },
    })
    expect((await screen.findAllByText('This link no longer leads to a team.')).length).toBeGreaterThan(0)
    expect(opened).toEqual([])
  })
})

describe('finding a team', () => {
  it('searches after a pause in typing, from the first page, with role and order', async () => {
    signIn()
    const { inputsOf } = openSection({ 'teams.list': twoTeams })
    await screen.findByRole('article', { name: 'Atlas Lions' })
    expect(screen.getByLabelText('Search teams').hasAttribute('aria-required')).toBe(false)
    await userEvent.type(screen.getByLabelText('Search teams'), ' atlas')
    await userEvent.selectOptions(screen.getByLabelText('Filter by role'), ROLES[1]?.id ?? '')
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Most points')
    await waitFor(() =>
      expect(inputsOf('teams.list').at(-1)).toEqual({
        limit: 24,
        direction: 'forward',
        search: 'atlas',
        role: ROLES[1]?.id,
        sort: 'points',
        order: 'desc',
      }),
    )
    expect(JSON.stringify(inputsOf('teams.list'))).not.toContain('"atl"')
  })

  it('aborts a search that another one supersedes', async () => {
    const { requests } = openSection({
      'teams.list': ({ search }) => (search ? new Promise<never>(() => {}) : twoTeams()),
    })
    await screen.findByRole('article', { name: 'Atlas Lions' })
    const searches = () => requests.filter(({ input }) => Object.hasOwn(input ?? {}, 'search'))
    await fill(screen.getByLabelText('Search teams'), 'atlas')
    await waitFor(() => expect(searches()).toHaveLength(1))
    await fill(screen.getByLabelText('Search teams'), 'atlas lions')
    await waitFor(() => expect(searches()).toHaveLength(2))
    expect(searches().map(({ signal }) => signal?.aborted)).toEqual([true, false])
  })

  it('restores the filters when the user returns from the dashboard', async () => {
    openSection({ 'teams.list': twoTeams })
    await userEvent.type(screen.getByLabelText('Search teams'), 'atlas')
    cleanup()
    openSection({ 'teams.list': twoTeams })
    expect(screen.getByLabelText<HTMLInputElement>('Search teams').value).toBe('atlas')
  })

  it('offers no order by members to visitors, also after a session has ended', async () => {
    signIn()
    openSection({ 'teams.list': twoTeams })
    await userEvent.selectOptions(await screen.findByLabelText('Sort by'), 'Most members')
    cleanup()
    clearSession()
    const { inputsOf } = openSection({ 'teams.list': twoTeams })
    await waitFor(() => expect(inputsOf('teams.list')).toMatchObject([{ sort: 'name', order: 'asc' }]))
    expect(screen.queryByRole('option', { name: /members/ })).toBeNull()
    expect(screen.getByLabelText<HTMLSelectElement>('Sort by').value).toBe('name-asc')
  })

  it('shows when nothing matches, and clears the filters', async () => {
    signIn()
    openSection({ 'teams.list': ({ search }) => (search ? listOf() : twoTeams()) })
    await screen.findByRole('article', { name: 'Atlas Lions' })
    await userEvent.type(screen.getByLabelText('Search teams'), 'zzz')
    expect(await screen.findByText('No Teams Found')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Search teams'))
    expect(await screen.findByRole('article', { name: 'Atlas Lions' })).toBeDefined()
  })

  it('shows when there are no teams', async () => {
    openSection({ 'teams.list': () => listOf() })
    expect(await screen.findByText('No Teams Yet')).toBeDefined()
  })

  it('loads more in the user’s language, and starts over on another order', async () => {
    await activateLanguage('ar')
    signIn()
    const all = Array.from({ length: 26 }, (_, index) => aTeam(index, `Team ${index}`))
    const { inputsOf } = openSection({
      'teams.list': (input) => {
        const { rows, pagination } = pageOf(all, input ?? {}, ({ id }) => id)
        return { teams: rows, pagination }
      },
    })
    expect(await screen.findByText('المعروض: 24 من أصل 26 فريقًا')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'عرض المزيد' }))
    const first = (await screen.findByRole('article', { name: 'Team 24' })).closest('li')
    await waitFor(() => expect(document.activeElement).toBe(first))
    expect(screen.getAllByRole('article')).toHaveLength(26)
    expect(screen.queryByRole('button', { name: 'عرض المزيد' })).toBeNull()
    await userEvent.selectOptions(screen.getByLabelText('ترتيب حسب'), 'points-desc')
    expect(await screen.findByText('المعروض: 24 من أصل 26 فريقًا')).toBeDefined()
    expect(inputsOf('teams.list')).toHaveLength(3)
  })
})

describe('teams that cannot be loaded', () => {
  it('show an error inline and as a toast, and can be loaded again', async () => {
    let isUnavailable = true
    openSection({
      'teams.list': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return twoTeams()
      },
    })
    expect((await screen.findAllByText('Failed to load teams')).length).toBeGreaterThanOrEqual(2)
    expect(screen.getByText('Error')).toBeDefined()
    isUnavailable = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('article', { name: 'Atlas Lions' })).toBeDefined()
  })
})

describe('Create New Team', () => {
  it('opens the wizard', async () => {
    openSection({ 'teams.list': twoTeams })
    const opened = vi.fn<() => void>()
    const stop = listen('openCreateTeamModal', opened)
    await userEvent.click(await screen.findByRole('button', { name: 'Create New Team' }))
    stop()
    expect(opened).toHaveBeenCalledOnce()
  })

  it('is not offered while team creation is off, nor to admins', async () => {
    openSection({ 'teams.list': twoTeams, 'system.settings': () => publicSettings({ teamCreationEnabled: false }) })
    await screen.findByRole('article', { name: 'Atlas Lions' })
    expect(screen.queryByRole('button', { name: 'Create New Team' })).toBeNull()
  })

  it('is not offered to admins', async () => {
    signIn({ role: 'admin' })
    openSection({ 'teams.list': twoTeams })
    await screen.findByRole('article', { name: 'Atlas Lions' })
    expect(screen.queryByRole('button', { name: 'Create New Team' })).toBeNull()
  })
})

it('reloads the list when a team was created', async () => {
  signIn()
  let count = 1
  openSection({ 'teams.list': () => listOf(...[aTeam(1, 'Atlas Lions'), aTeam(2, 'Code Fassi')].slice(0, count)) })
  await screen.findByRole('article', { name: 'Atlas Lions' })
  count = 2
  emit('teamCreated', { teamId: 'x' })
  expect(await screen.findByRole('article', { name: 'Code Fassi' })).toBeDefined()
})

it('reloads the list when a team was joined', async () => {
  signIn({ phone: '0612345678', experience: 'Advanced' })
  const joined = () => ({ team: aTeam(1, 'Atlas Lions') })
  const { inputsOf } = openSection(
    { 'teams.list': twoTeams, 'teams.get': joined, 'teams.join': joined },
    <TeamDialog teamId={aTeam(1, 'Atlas Lions').id} onClose={() => {}} />,
  )
  await waitFor(() => expect(inputsOf('teams.list')).toHaveLength(1))
  await userEvent.click(await screen.findByRole('button', { name: 'Join This Team' }))
  await userEvent.selectOptions(screen.getByLabelText('Role'), ROLES[0]?.id ?? '')
  await userEvent.click(screen.getByRole('button', { name: 'Join Team' }))
  await waitFor(() => expect(inputsOf('teams.list')).toHaveLength(2))
})
