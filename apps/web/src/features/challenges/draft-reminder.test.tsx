import { aChallenge, aDashboard, aPagination, aSubmission, aTeam, inDays, publicSettings } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Challenge } from '@community/contract'
import { appError, fakeBackend } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { pressInToast } from '../../../test/press-in-toast.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { queryClient } from '../../lib/query-client.ts'
import { ChallengesSection } from './index.tsx'
import { reminderHint } from './reminders.tsx'

const ATLAS = aTeam(1, 'Atlas')
const LIONS = aTeam(2, 'Atlas Lions')

interface Setup {
  teams?: (typeof ATLAS)[]
  challenge?: Challenge
  /** The teams that are reminded already. */
  reminded?: string[]
  /** Whether the response that names them does not come. */
  isHanging?: boolean
  /** How many requests for reminders fail. */
  failures?: number
  /** Whether the request to apply never gets a response. */
  isSubmissionHanging?: boolean
}

/** Shows the challenges to the chef of the teams. */
function open({
  teams = [ATLAS],
  challenge = aChallenge(1),
  reminded = [],
  isHanging = false,
  failures = 0,
  isSubmissionHanging = false,
}: Setup = {}) {
  const { id } = signIn()
  let teamIds = reminded
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'challenges.list': () => ({ challenges: [challenge], pagination: aPagination(1) }),
    'challenges.get': () => ({ challenge }),
    'users.dashboard': () => aDashboard({ teams: teams.map((team) => ({ ...team, ownerId: id })) }),
    'challenges.myTeamApplications': () => ({ applications: [], pagination: aPagination(0) }),
    'challenges.applyTo': () => (isSubmissionHanging ? new Promise<never>(() => {}) : { submission: aSubmission(2) }),
    'challenges.reminders': () => (isHanging ? new Promise<never>(() => {}) : { teamIds }),
    'challenges.remind': ({ teamId }) => {
      if (failures-- > 0) throw appError('UNAVAILABLE', 'Away')
      teamIds = [...teamIds, teamId]
      return {}
    },
    'challenges.stopReminding': ({ teamId }) => {
      teamIds = teamIds.filter((one) => one !== teamId)
      return {}
    },
  })
  renderWithProviders(<ChallengesSection />)
  return {
    ...backend,
    remindedTeams: () => backend.inputsOf('challenges.remind').map((input) => (input as { teamId: string }).teamId),
  }
}

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
async function openForm() {
  await press('Apply to Challenge 1')
  return within(await screen.findByRole('dialog', { name: 'Apply to Challenge' }))
}
/** Waits for the response that names the reminded teams. */
const loadReminders = () => waitFor(() => expect(queryClient.isFetching()).toBe(0))
async function openSubmitForm() {
  await press('Challenge 1')
  await press('Submit Project')
  return within(await screen.findByRole('dialog', { name: 'Submit Project' }))
}
const leave = async () => {
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(queryClient.isMutating()).toBe(0))
}

describe('a draft that is left', () => {
  it('turns on the reminders of its team once; Undo turns them off for good', async () => {
    const backend = open()
    const form = await openForm()
    await fill(form.getByLabelText('Notes'), 'Guest sign-in')
    expect(backend.remindedTeams()).toEqual([])
    await leave()
    expect((await screen.findAllByText(/^All members of the team are reminded 3 days/)).length).toBeGreaterThan(0)
    expect(backend.remindedTeams()).toEqual([ATLAS.id])
    await pressInToast('Undo')
    await waitFor(() => expect(backend.inputsOf('challenges.stopReminding')).toHaveLength(1))

    const again = await openForm()
    await fill(again.getByLabelText('Notes'), 'Guest sign-in and more')
    await leave()
    expect(backend.remindedTeams()).toEqual([ATLAS.id])
  })

  it('leaves them off once the user has switched them off in the details', async () => {
    const backend = open({ reminded: [ATLAS.id] })
    await press('Challenge 1')
    await press('Remind me')
    await waitFor(() => expect(backend.inputsOf('challenges.stopReminding')).toHaveLength(1))
    await leave()
    const form = await openForm()
    await fill(form.getByLabelText('Notes'), 'Guest sign-in')
    await leave()
    expect(backend.remindedTeams()).toEqual([])
  })

  it('does so when the page is hidden', async () => {
    const backend = open()
    const form = await openForm()
    await fill(form.getByLabelText('Project link'), 'https://example.ma')
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(backend.remindedTeams()).toEqual([ATLAS.id]))
  })

  it('does so before it is known which teams are reminded', async () => {
    const backend = open({ isHanging: true })
    const form = await openForm()
    await fill(form.getByLabelText('Notes'), 'Guest sign-in')
    await leave()
    await waitFor(() => expect(backend.remindedTeams()).toEqual([ATLAS.id]))
  })

  it('does so for the team chosen last', async () => {
    const backend = open({ teams: [ATLAS, LIONS] })
    const form = await openForm()
    await fill(form.getByLabelText('Notes'), 'Guest sign-in')
    await userEvent.click(form.getByRole('radio', { name: /^Atlas(?! Lions)/ }))
    await userEvent.click(form.getByRole('radio', { name: /^Atlas Lions/ }))
    await leave()
    await waitFor(() => expect(backend.remindedTeams()).toEqual([LIONS.id]))
  })

  it('does so for the team whose name was entered, not for one whose name it begins with', async () => {
    const backend = open({ teams: [ATLAS, LIONS] })
    const form = await openSubmitForm()
    await fill(form.getByLabelText('Notes'), 'A film')
    await userEvent.type(form.getByLabelText('Team name'), 'Atlas Lions')
    await leave()
    await waitFor(() => expect(backend.remindedTeams()).toEqual([LIONS.id]))
  })

  it.each([
    ['is blank', {}, ' '],
    ['is for a team that is reminded', { reminded: [ATLAS.id] }, 'Guest sign-in'],
  ])('does nothing if it %s', async (_name, setup, notes) => {
    const backend = open(setup)
    const form = await openForm()
    await loadReminders()
    await fill(form.getByLabelText('Notes'), notes)
    await leave()
    expect(backend.remindedTeams()).toEqual([])
  })

  it('does nothing if it was kept from before and only looked at', async () => {
    // The first leave fails, so that only the missing change keeps the second from asking.
    const backend = open({ failures: 1 })
    const form = await openForm()
    await fill(form.getByLabelText('Notes'), 'Guest sign-in')
    await leave()
    await openForm()
    await leave()
    expect(backend.remindedTeams()).toEqual([ATLAS.id])
  })

  it('tries again on the next leave if the request failed', async () => {
    const backend = open({ failures: 1 })
    const form = await openForm()
    await fill(form.getByLabelText('Notes'), 'Guest sign-in')
    await leave()
    const again = await openForm()
    await fill(again.getByLabelText('Notes'), 'Guest sign-in and more')
    await leave()
    expect(backend.remindedTeams()).toEqual([ATLAS.id, ATLAS.id])
    expect((await screen.findAllByText('Reminder set for Atlas')).length).toBeGreaterThan(0)
  })

  it('does nothing once no reminder is ahead', async () => {
    const backend = open({ challenge: aChallenge(1, { deadline: inDays(1 / 24) }) })
    const form = await openForm()
    await fill(form.getByLabelText('Notes'), 'Guest sign-in')
    await leave()
    expect([backend.inputsOf('challenges.reminders'), backend.remindedTeams()]).toEqual([[], []])
  })

  it('does nothing if the page is hidden while it is submitted', async () => {
    const backend = open({ isSubmissionHanging: true })
    const form = await openForm()
    await fill(form.getByLabelText('Project link'), 'https://example.ma')
    await userEvent.click(form.getByRole('button', { name: 'Submit Application' }))
    await waitFor(() => expect(backend.inputsOf('challenges.applyTo')).toHaveLength(1))
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    // The submission itself.
    expect(queryClient.isMutating()).toBe(1)
    expect(backend.remindedTeams()).toEqual([])
  })

  it('does nothing after it was submitted', async () => {
    const backend = open()
    const form = await openForm()
    await fill(form.getByLabelText('Project link'), 'https://example.ma')
    await userEvent.click(form.getByRole('button', { name: 'Submit Application' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(backend.inputsOf('challenges.applyTo')).toHaveLength(1)
    expect(backend.remindedTeams()).toEqual([])
  })
})

it.each([
  [73, 'reminded 3 days, 24 hours and 2 hours before'],
  [71, 'reminded 24 hours and 2 hours before'],
  [23, 'reminded 2 hours before'],
])('names the reminders that are ahead of a deadline in %i hours', (hours, text) =>
  expect(reminderHint(aChallenge(1, { deadline: inDays(hours / 24) }), new Date(inDays(0)))).toContain(text),
)

it.each([2, -1])('has no reminder ahead of a deadline in %i hours', (hours) =>
  expect(reminderHint(aChallenge(1, { deadline: inDays(hours / 24) }), new Date(inDays(0)))).toBeNull(),
)
