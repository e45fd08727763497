import type { Submission, Team } from '@community/contract'
import { aChallenge, aDashboard, aPagination, aSubmission, aTeam, inDays, publicSettings } from '@community/testing'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { trackOpenedDialogs } from '../../../test/track-opened-dialogs.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { listen } from '../../lib/events.ts'
import { ChallengesSection } from './index.tsx'
import { applicationLinkId } from '../../components/application.tsx'
import { ReapplyDialog } from './reapply-dialog.tsx'

async function openDetails({ teams = [], handlers = {} }: { teams?: Team[]; handlers?: Handlers } = {}) {
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'challenges.list': () => ({ challenges: [aChallenge(1)], pagination: aPagination(1) }),
    'users.dashboard': () => aDashboard({ teams }),
    'challenges.myTeamApplications': () => ({ applications: [], pagination: aPagination(0) }),
    ...handlers,
  })
  renderWithProviders(<ChallengesSection />)
  await userEvent.click(await screen.findByRole('button', { name: 'Challenge 1' }))
  await screen.findByRole('dialog', { name: 'Challenge 1' })
  return backend
}

const pressSubmit = async () => userEvent.click(await screen.findByRole('button', { name: 'Submit Project' }))
const findForm = async () => within(await screen.findByRole('dialog', { name: 'Submit Project' }))

describe('submitting a project', () => {
  it('is possible for any member, who enters the team’s name', async () => {
    signIn()
    const created = vi.fn<(detail: { teamId: string; challengeId: string } | null) => void>()
    const stop = listen('submissionCreated', created)
    const { inputsOf } = await openDetails({
      teams: [aTeam(1, 'Atlas Lions'), aTeam(2, 'Code Fassi')],
      handlers: { 'challenges.submit': () => ({ submission: aSubmission(2) }) },
    })
    await pressSubmit()
    const dialog = await findForm()
    expect(dialog.getByLabelText<HTMLInputElement>('Team name').value).toBe('')
    await fill(dialog.getByLabelText('Project link'), 'https://youtu.be/a1')
    expect(dialog.getByText('Recognised: YouTube · Video')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Project' }))
    expect(await dialog.findByText('Please enter team name')).toBeDefined()
    expect(inputsOf('challenges.submit')).toEqual([])
    await fill(dialog.getByLabelText('Team name'), ' code fassi ')
    await fill(dialog.getByLabelText('Notes'), 'A film')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Project' }))
    expect((await screen.findAllByText('Application submitted successfully!')).length).toBeGreaterThan(0)
    expect(inputsOf('challenges.submit')).toEqual([
      {
        id: aChallenge(1).id,
        teamName: 'code fassi',
        type: 'link',
        content: 'https://youtu.be/a1',
        submissionNotes: 'A film',
      },
    ])
    expect(created).toHaveBeenCalledExactlyOnceWith({
      teamId: aSubmission(2).teamId.id,
      challengeId: aChallenge(1).id,
    })
    expect(screen.queryByRole('dialog')).toBeNull()
    stop()
  })

  it('prefills the only team, and shows at the field that a name is unknown', async () => {
    signIn()
    await openDetails({
      teams: [aTeam(1, 'Atlas Lions')],
      handlers: {
        'challenges.submit': () => {
          throw appError('TEAM_MISSING', 'Team not found', { errors: [{ msg: 'Team not found', path: 'teamName' }] })
        },
      },
    })
    await pressSubmit()
    const dialog = await findForm()
    const name = dialog.getByLabelText<HTMLInputElement>('Team name')
    expect(name.value).toBe('Atlas Lions')
    await fill(dialog.getByLabelText('Project link'), 'https://example.ma')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Project' }))
    expect(await dialog.findByText('Team not found')).toBeDefined()
    expect(name.getAttribute('aria-invalid')).toBe('true')
  })

  it('asks a visitor to sign in, and tells users without a team to join one', async () => {
    const opened = trackOpenedDialogs()
    await openDetails()
    await pressSubmit()
    expect(opened).toEqual([expect.objectContaining({ name: 'signInPrompt' })])
    signIn()
    await pressSubmit()
    const message = 'You are not in a team yet. Join one or create your own.'
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
  })

  it.each([
    ['has expired', { deadline: inDays(-1) }],
    ['is inactive', { isActive: false }],
  ])('is not offered once the challenge %s', async (_when, overrides) => {
    signIn()
    fakeBackend({
      'system.settings': () => publicSettings(),
      'challenges.list': () => ({ challenges: [aChallenge(1, overrides)], pagination: aPagination(1) }),
      'users.dashboard': () => aDashboard({ teams: [aTeam(1, 'Atlas Lions')] }),
      'challenges.myTeamApplications': () => ({ applications: [], pagination: aPagination(0) }),
    })
    renderWithProviders(<ChallengesSection />)
    await userEvent.click(await screen.findByRole('tab', { name: 'All' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Challenge 1' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Challenge 1' }))
    expect(dialog.getByRole('button', { name: /^Share/ })).toBeDefined()
    expect(dialog.queryByRole('button', { name: 'Submit Project' })).toBeNull()
  })
})

describe('applying again after a rejection', () => {
  const rejected: Submission = aSubmission(2, {
    status: 'rejected',
    feedback: 'Please add the source.',
    evaluatedAt: inDays(-1),
  })

  async function open(handlers: Handlers, { isChef = true, application = rejected } = {}) {
    signIn()
    const onClose = vi.fn<() => void>()
    const backend = fakeBackend({ 'system.settings': () => publicSettings(), ...handlers })
    renderWithProviders(<ReapplyDialog application={application} isChef={isChef} onClose={onClose} />)
    const dialog = within(await screen.findByRole('dialog', { name: 'Re-apply' }))
    const press = () => userEvent.click(dialog.getByRole('button', { name: 'Re-apply' }))
    return { ...backend, dialog, press, onClose }
  }

  it('shows the feedback next to the form, and submits the same work again', async () => {
    const { dialog, press, inputsOf, onClose } = await open({
      'submissions.setStatus': () => ({ submission: { ...rejected, status: 'pending', feedback: null } }),
    })
    expect(
      within(dialog.getByRole('region', { name: /Previous submission/ })).getByText('Please add the source.'),
    ).toBeDefined()
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /The same work/ }).checked).toBe(true)
    await press()
    const message = 'Submission status updated to pending. Waiting for admin review.'
    expect((await screen.findAllByText(message)).length).toBeGreaterThan(0)
    expect(inputsOf('submissions.setStatus')).toEqual([{ id: rejected.id, status: 'pending' }])
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('focuses the link of the application afterwards', async () => {
    signIn()
    fakeBackend({
      'system.settings': () => publicSettings(),
      'submissions.setStatus': () => ({ submission: { ...rejected, status: 'pending', feedback: null } }),
    })
    function List() {
      const [isOpen, setOpen] = useState(true)
      return (
        <>
          <a id={applicationLinkId(rejected)} href="#works">
            Tram map
          </a>
          {isOpen && <ReapplyDialog application={rejected} isChef onClose={() => setOpen(false)} />}
        </>
      )
    }
    renderWithProviders(<List />)
    const dialog = within(await screen.findByRole('dialog', { name: 'Re-apply' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Re-apply' }))
    await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Tram map' })))
  })

  it('lets the chef send another link, prefilled with the old one', async () => {
    const { dialog, press, inputsOf } = await open({ 'challenges.applyTo': () => ({ submission: aSubmission(3) }) })
    await userEvent.click(dialog.getByRole('radio', { name: /^Link/ }))
    const link = dialog.getByLabelText<HTMLInputElement>('Project link')
    expect(link.value).toBe(rejected.content)
    await fill(link, 'https://github.com/atlas-lions/tram-2')
    await press()
    expect((await screen.findAllByText('Application submitted successfully!')).length).toBeGreaterThan(0)
    expect(inputsOf('challenges.applyTo')).toEqual([
      {
        id: rejected.challengeId.id,
        teamId: rejected.teamId.id,
        type: 'link',
        content: 'https://github.com/atlas-lions/tram-2',
        applicationNotes: '',
      },
    ])
  })

  it('uses the member’s procedure for a user who is not the chef', async () => {
    const { dialog, press, inputsOf, onClose } = await open(
      { 'challenges.submit': () => ({ submission: aSubmission(3) }) },
      { isChef: false },
    )
    await userEvent.click(dialog.getByRole('radio', { name: /^Link/ }))
    await press()
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(inputsOf('challenges.submit')).toMatchObject([{ teamName: 'Atlas Lions', content: rejected.content }])
  })

  it('shows inline why it was rejected, and stays open', async () => {
    const { dialog, press, onClose } = await open({
      'submissions.setStatus': () => {
        throw appError('CHALLENGE_EXPIRED', 'The deadline of this challenge has passed')
      },
    })
    await press()
    expect((await dialog.findAllByText('The deadline of this challenge has passed')).length).toBeGreaterThan(0)
    expect(onClose).not.toHaveBeenCalled()
  })
})
