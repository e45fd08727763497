import type { Challenge } from '@community/contract'
import { aChallenge, aPagination, aPreview, aSubmission, inDays, publicSettings } from '@community/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ADMIN_PASSWORD,
  enterPassword,
  assertAdminPassword,
  openAdmin,
  expectRefetch,
  expectText,
  answerQuestion,
  openTab,
} from '../../../test/admin-steps.tsx'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { Dialogs } from '../../app/dialogs.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { listen } from '../../lib/events.ts'
import { queryClient } from '../../lib/query-client.ts'
import { endSession } from '../../lib/session.ts'
import { browserStore } from '../../lib/storage.ts'
import { trpc } from '../../lib/trpc.ts'
import { EditChallengeDialog } from './edit-challenge-dialog.tsx'

vi.setConfig({ testTimeout: 20_000 })

beforeEach(() => {
  signIn({ role: 'admin' })
})
const choose = async (name: string, action: string) => {
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

describe('actions on a challenge', () => {
  const open = async (handlers: Handlers = {}) => {
    const backend = openAdmin({
      'admin.listChallenges': () => ({
        challenges: [aChallenge(1), aChallenge(2, { isActive: false })],
        totals: { total: 2, active: 1, expired: 0, points: 400 },
        pagination: aPagination(2),
      }),
      ...handlers,
    })
    await openTab('Challenges')
    await screen.findByText('Challenge 1')
    return backend
  }

  it('activates and deactivates with the password', async () => {
    const { requests, inputsOf } = await open({
      'admin.deactivateChallenge': ({ password }) => {
        assertAdminPassword(password)
        return { challenge: aChallenge(1) }
      },
      'admin.activateChallenge': ({ password }) => {
        assertAdminPassword(password)
        return { challenge: aChallenge(2) }
      },
    })
    await choose('Challenge 1', 'Deactivate')
    await enterPassword('Deactivate Challenge', 'Deactivate')
    await expectText('Challenge deactivated successfully')
    expect(inputsOf('admin.deactivateChallenge')).toEqual([{ id: aChallenge(1).id, password: ADMIN_PASSWORD }])
    await choose('Challenge 2', 'Activate')
    await enterPassword('Activate Challenge', 'Activate')
    await expectText('Challenge activated successfully')
    await expectRefetch(requests, 'admin.activateChallenge', 'admin.listChallenges')
  })

  it('reloads the list when an error shows that it is outdated', async () => {
    const { requests } = await open({
      'admin.deactivateChallenge': () => {
        throw appError('CHALLENGE_MISSING', 'Challenge not found')
      },
    })
    await choose('Challenge 1', 'Deactivate')
    await enterPassword('Deactivate Challenge', 'Deactivate')
    await expectText('Challenge not found')
    await expectRefetch(requests, 'admin.deactivateChallenge', 'admin.listChallenges')
  })

  it('deletes after a confirmation and the password', async () => {
    const { inputsOf } = await open({ 'admin.deleteChallenge': () => ({}) })
    await choose('Challenge 1', 'Delete')
    await answerQuestion('Cancel')
    expect(screen.queryByLabelText('Your password')).toBeNull()
    await choose('Challenge 1', 'Delete')
    await answerQuestion('Delete Challenge')
    await enterPassword('Confirm with your password', 'Delete Challenge')
    await expectText('Challenge deleted successfully')
    expect(inputsOf('admin.deleteChallenge')).toEqual([{ id: aChallenge(1).id, password: ADMIN_PASSWORD }])
  })

  it('opens the edit dialog by its event', async () => {
    await open()
    const onEdit = vi.fn<(detail: { challengeId: string }) => void>()
    const stop = listen('openEditChallengeModal', onEdit)
    await userEvent.click(screen.getByRole('button', { name: 'Edit', description: 'Challenge 1' }))
    expect(onEdit).toHaveBeenCalledWith({ challengeId: aChallenge(1).id })
    stop()
  })
})

describe('editing a challenge', () => {
  const open = async (original: Challenge, handlers: Handlers = {}) => {
    const onClose = vi.fn<() => void>()
    const backend = fakeBackend({
      'system.settings': () => publicSettings(),
      'challenges.get': () => ({ challenge: original }),
      ...handlers,
    })
    renderWithProviders(<EditChallengeDialog challengeId={original.id} onClose={onClose} />)
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Challenge' }))
    await dialog.findByLabelText('Title')
    const save = () => userEvent.click(dialog.getByRole('button', { name: 'Save changes' }))
    return { ...backend, dialog, onClose, save }
  }

  it('shows the missing values', async () => {
    const { dialog, save, inputsOf } = await open(aChallenge(1, { requirements: ['Works offline'] }))
    for (const label of ['Title', 'Description', 'Requirement 1', 'Deadline']) {
      await userEvent.clear(dialog.getByLabelText(label))
    }
    await save()
    for (const text of [
      'Title is required',
      'Description is required',
      'Deadline is required',
      'At least one requirement is required',
    ]) {
      await waitFor(() => expect(screen.getAllByText(text).length).toBeGreaterThan(1))
    }
    expect(inputsOf('admin.updateChallenge')).toEqual([])
  })

  it('focuses the first requirement if only the requirements are invalid', async () => {
    const { dialog, save } = await open(aChallenge(1, { requirements: ['Works offline'] }))
    const requirement = dialog.getByLabelText('Requirement 1')
    await userEvent.clear(requirement)
    await save()
    await waitFor(() => expect(document.activeElement).toBe(requirement))
  })

  it('keeps a past deadline without sending it, and rejects another past one', async () => {
    const past = aChallenge(1, { deadline: inDays(-3) })
    const { dialog, save, inputsOf, onClose } = await open(past, {
      'admin.updateChallenge': ({ password }) => {
        assertAdminPassword(password)
        return { challenge: past }
      },
    })
    const deadline = dialog.getByLabelText<HTMLInputElement>('Deadline')
    const before = deadline.value
    await userEvent.clear(deadline)
    await userEvent.type(deadline, '2026-10-01T10:00')
    await save()
    await expectText('Deadline must be in the future')
    await userEvent.clear(deadline)
    await userEvent.type(deadline, before)
    await fill(dialog.getByLabelText('Title'), 'Tram for all')
    await save()
    await enterPassword('Confirm with your password', 'Save changes')
    await expectText('Challenge updated successfully')
    // Unchanged fields are not sent, as another administrator may have changed them.
    expect(inputsOf('admin.updateChallenge')).toEqual([
      { id: past.id, title: 'Tram for all', password: ADMIN_PASSWORD },
    ])
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('restores the edited values after the session has ended, beside what others have changed meanwhile', async () => {
    let stored = aChallenge(1, { points: 100 })
    fakeBackend({
      'system.settings': () => publicSettings(),
      'challenges.get': () => ({ challenge: stored }),
      'admin.updateChallenge': () => {
        endSession()
        throw appError('NOT_SIGNED_IN', 'Please sign in')
      },
    })
    renderWithProviders(<Dialogs />)
    act(() => openDialog({ name: 'editChallenge', challengeId: stored.id }))
    await fill(await screen.findByLabelText('Title'), 'Tram for all')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    await enterPassword('Confirm with your password', 'Save changes')
    await screen.findByRole('dialog', { name: 'Authentication Required' })
    stored = aChallenge(1, { points: 300 })
    act(() => void signIn({ role: 'admin' }))
    expect((await screen.findByLabelText<HTMLInputElement>('Title')).value).toBe('Tram for all')
    expect(screen.getByLabelText<HTMLInputElement>('Points').value).toBe('300')
  })

  it('keeps what was changed when the dialog is closed, until it is saved or started over', async () => {
    let stored = aChallenge(1, { title: 'Tram', points: 100 })
    fakeBackend({
      'system.settings': () => publicSettings(),
      'challenges.get': () => ({ challenge: stored }),
      'admin.updateChallenge': () => {
        stored = { ...stored, title: 'Tram for all' }
        return { challenge: stored }
      },
    })
    renderWithProviders(<Dialogs />)
    const openForm = async () => {
      act(() => openDialog({ name: 'editChallenge', challengeId: stored.id }))
      return screen.findByLabelText<HTMLInputElement>('Title')
    }
    const close = async () => {
      await userEvent.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }
    await fill(await openForm(), 'Tram for all')
    await close()
    stored = { ...stored, points: 300 }
    expect((await openForm()).value).toBe('Tram for all')
    expect(screen.getByLabelText<HTMLInputElement>('Points').value).toBe('300')
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
    expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Tram')
    expect(screen.queryByText('We kept your draft.')).toBeNull()

    await fill(screen.getByLabelText('Title'), 'Tram for all')
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }))
    await enterPassword('Confirm with your password', 'Save changes')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    stored = { ...stored, title: 'As a colleague left it' }
    expect((await openForm()).value).toBe('As a colleague left it')
    expect(screen.queryByText('We kept your draft.')).toBeNull()
  })

  it('shows a server error at its field', async () => {
    const { dialog, save, onClose } = await open(aChallenge(1), {
      'admin.updateChallenge': () => {
        const msg = 'A team has already submitted more than that'
        throw appError('MORE_ALREADY_SUBMITTED', msg, { errors: [{ msg, path: 'maxSubmissions' }] })
      },
    })
    await save()
    await enterPassword('Confirm with your password', 'Save changes')
    const field = dialog.getByLabelText('Maximum submissions per team')
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
    expect(onClose).not.toHaveBeenCalled()
  })
})

describe('editing a cached challenge', () => {
  const cached = aChallenge(1, { title: 'As it was read' })
  const open = (get: NonNullable<Handlers['challenges.get']>) => {
    const backend = fakeBackend({ 'system.settings': () => publicSettings(), 'challenges.get': get })
    const { rerender } = renderWithProviders(null)
    const key = trpc.challenges.get.queryOptions({ id: cached.id }).queryKey
    queryClient.setQueryData(key, { challenge: cached }, { updatedAt: Date.now() - 1000 })
    rerender(<EditChallengeDialog challengeId={cached.id} onClose={vi.fn<() => void>()} />)
    return backend
  }

  it('waits for its current state', async () => {
    let answer: (now: { challenge: Challenge }) => void = () => {}
    const { inputsOf } = open(() => new Promise((resolve) => (answer = resolve)))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Challenge' }))
    await waitFor(() => expect(inputsOf('challenges.get')).toHaveLength(1))
    expect(dialog.queryByLabelText('Title')).toBeNull()
    answer({ challenge: aChallenge(1, { title: 'As a colleague left it' }) })
    expect((await dialog.findByLabelText<HTMLInputElement>('Title')).value).toBe('As a colleague left it')
  })

  it('shows an error if that cannot be loaded', async () => {
    open(() => {
      throw appError('CHALLENGE_MISSING', 'Challenge not found')
    })
    await expectText('Challenge not found')
    expect(screen.queryByLabelText('Title')).toBeNull()
  })
})

describe('actions on a submission', () => {
  const EVALUATED_AT = '2026-11-21T10:00:00.000Z'
  const submissions = [aSubmission(1), aSubmission(2, { status: 'approved', score: 91, evaluatedAt: EVALUATED_AT })]
  const pendingSubmissions = [1, 3, 4].map((number) =>
    aSubmission(number, { teamId: { ...aSubmission(number).teamId, name: `Team ${number}` } }),
  )
  const open = async (handlers: Handlers = {}) => {
    const backend = openAdmin({
      'submissions.list': () => ({ submissions, pagination: aPagination(2) }),
      'submissions.pending': () => ({ submissions: pendingSubmissions, pagination: aPagination(3) }),
      ...handlers,
    })
    await openTab('Submissions')
    await screen.findAllByRole('button', { name: 'Details' })
    return backend
  }
  const openDetails = async (index: number) => {
    await userEvent.click(screen.getAllByRole('button', { name: 'Details' })[index] ?? document.body)
    return within(await screen.findByRole('dialog', { name: 'Submission details' }))
  }

  it('deletes from the list with the password', async () => {
    const { requests, inputsOf } = await open({
      'submissions.remove': ({ password }) => {
        assertAdminPassword(password)
        return {}
      },
    })
    await userEvent.click(screen.getAllByRole('button', { name: 'Delete Submission' })[0] ?? document.body)
    await enterPassword('Delete Submission')
    await expectText('Submission deleted successfully')
    expect(inputsOf('submissions.remove')).toEqual([{ id: aSubmission(1).id, password: ADMIN_PASSWORD }])
    await expectRefetch(requests, 'submissions.remove', 'submissions.list')
  })

  it('takes a verdict back in the details, if there is one', async () => {
    const { inputsOf } = await open({ 'submissions.resetEvaluation': () => ({ submission: aSubmission(2) }) })
    const pending = await openDetails(0)
    expect(pending.queryByRole('button', { name: 'Reset evaluation' })).toBeNull()
    await userEvent.click(pending.getAllByRole('button', { name: 'Close' })[0] ?? document.body)
    const evaluated = await openDetails(1)
    await userEvent.click(evaluated.getByRole('button', { name: 'Reset evaluation' }))
    await answerQuestion('Reset evaluation')
    await expectText('Evaluation reset')
    expect(inputsOf('submissions.resetEvaluation')).toEqual([{ id: aSubmission(2).id, evaluatedAt: EVALUATED_AT }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('evaluates again from the details, taking the old verdict back only with the first attempt', async () => {
    let isUnavailable = true
    const { inputsOf } = await open({
      'submissions.resetEvaluation': () => ({ submission: aSubmission(2) }),
      'submissions.evaluate': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return { submission: aSubmission(2, { status: 'approved', score: 60 }) }
      },
    })
    await userEvent.click((await openDetails(1)).getByRole('button', { name: 'Evaluate' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    expect(dialog.getByText(/^This submission has already been evaluated/)).toBeDefined()
    expect(dialog.getByLabelText<HTMLInputElement>('Score').value).toBe('1')
    await fill(dialog.getByLabelText('Score'), '60')
    expect(inputsOf('submissions.resetEvaluation')).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Evaluation' }))
    await expectText('The service is unavailable right now. Please try again.')
    const pending = 'The earlier evaluation was reset. The submission is pending until a new one is saved.'
    expect(await dialog.findByText(pending)).toBeDefined()
    isUnavailable = false
    await userEvent.click(await dialog.findByRole('button', { name: 'Submit Evaluation' }))
    await expectText('Submission evaluated successfully')
    expect(inputsOf('submissions.resetEvaluation')).toEqual([{ id: aSubmission(2).id, evaluatedAt: EVALUATED_AT }])
    expect(inputsOf('submissions.evaluate')).toHaveLength(2)
    expect(inputsOf('submissions.evaluate').at(-1)).toEqual({
      id: aSubmission(2).id,
      status: 'approved',
      score: 60,
      feedback: '',
    })
  })

  it.each([
    ['by another administrator', false],
    ['by an attempt whose response was lost', true],
  ])('evaluates again a verdict that was taken back meanwhile, %s', async (_, wasLost) => {
    let isDisconnected = wasLost
    const { inputsOf } = await open({
      'submissions.resetEvaluation': () => {
        if (isDisconnected) throw new Error('the connection broke')
        throw appError('NOT_EVALUATED', 'This submission has not been evaluated yet')
      },
      'submissions.evaluate': () => ({ submission: aSubmission(2, { status: 'approved', score: 1 }) }),
    })
    await userEvent.click((await openDetails(1)).getByRole('button', { name: 'Evaluate' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    await fill(dialog.getByLabelText('Score'), '60')
    const submit = async () => userEvent.click(await dialog.findByRole('button', { name: 'Submit Evaluation' }))
    await submit()
    if (wasLost) {
      await waitFor(() => expect(dialog.getAllByText(/^Network error/).length).toBeGreaterThan(0))
      isDisconnected = false
      await submit()
    }
    await expectText('Submission evaluated successfully')
    expect(screen.queryByText('This submission has not been evaluated yet')).toBeNull()
    expect(inputsOf('submissions.evaluate')).toHaveLength(1)
  })

  it('shows that a verdict was already taken back, and reloads the list', async () => {
    const { requests } = await open({
      'submissions.resetEvaluation': () => {
        throw appError('NOT_EVALUATED', 'This submission has not been evaluated yet')
      },
    })
    await userEvent.click((await openDetails(1)).getByRole('button', { name: 'Reset evaluation' }))
    await answerQuestion('Reset evaluation')
    await expectText('This submission has not been evaluated yet')
    await expectRefetch(requests, 'submissions.resetEvaluation', 'submissions.list')
    await answerQuestion('Cancel')
  })

  it('shows why an old verdict could not be taken back, and sends no new one', async () => {
    const { inputsOf } = await open({
      'submissions.resetEvaluation': () => {
        throw appError('OWN_TEAM', 'You cannot evaluate the work of your own team')
      },
    })
    await userEvent.click((await openDetails(1)).getByRole('button', { name: 'Evaluate' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    await fill(dialog.getByLabelText('Score'), '60')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Evaluation' }))
    await waitFor(() =>
      expect(dialog.getAllByText('You cannot evaluate the work of your own team').length).toBeGreaterThan(0),
    )
    expect(inputsOf('submissions.evaluate')).toEqual([])
  })

  it('focuses the next pending row after a verdict; Enter opens it, and holding Enter does not submit', async () => {
    const rows = [aSubmission(1), aSubmission(2, { status: 'approved', score: 91 }), aSubmission(3)]
    await open({
      'submissions.list': () => ({ submissions: rows, pagination: aPagination(3) }),
      'submissions.evaluate': () => ({ submission: aSubmission(1, { status: 'approved', score: 1 }) }),
    })
    const [first, third] = screen.getAllByRole('button', { name: 'Evaluate' })
    const submitEvaluation = async () => {
      await fill(await screen.findByLabelText('Score'), '60')
      await userEvent.click(screen.getByRole('button', { name: 'Submit Evaluation' }))
    }
    await userEvent.click(first ?? document.body)
    await submitEvaluation()
    await waitFor(() => expect(document.activeElement).toBe(third))
    await userEvent.keyboard('{Enter}')
    const repeated = { key: 'Enter', repeat: true }
    expect(fireEvent.keyDown(await screen.findByLabelText('Score'), repeated)).toBe(false)
    expect(fireEvent.keyDown(screen.getByLabelText('Feedback'), repeated)).toBe(true)
    await submitEvaluation()
    await waitFor(() => expect(document.activeElement).toBe(first))
  })

  it('selects the next and previous pending submission with J and K, and keeps their drafts', async () => {
    await open()
    await userEvent.click(screen.getByRole('button', { name: 'Evaluate' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    expect(await dialog.findByText('1 of 3 pending')).toBeDefined()
    await fill(dialog.getByLabelText('Feedback'), 'Jolly Kasbah')
    await userEvent.type(dialog.getByLabelText('Feedback'), 'jk')
    expect(dialog.getByText('1 of 3 pending')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Next pending submission (J)' }))
    expect(await dialog.findByText('Team 3')).toBeDefined()
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Feedback').value).toBe('')
    await userEvent.keyboard('j')
    expect(await dialog.findByText('3 of 3 pending')).toBeDefined()
    await userEvent.keyboard('j')
    expect(await dialog.findByText('1 of 3 pending')).toBeDefined()
    await userEvent.keyboard('k')
    expect(await dialog.findByText('3 of 3 pending')).toBeDefined()
    await userEvent.keyboard('kk')
    expect(await dialog.findByText('1 of 3 pending')).toBeDefined()
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Feedback').value).toBe('Jolly Kasbahjk')

    const shortcutsToggle = dialog.getByRole('button', { name: 'Keyboard shortcuts J and K' })
    expect(shortcutsToggle.getAttribute('aria-pressed')).toBe('true')
    await userEvent.click(shortcutsToggle)
    await userEvent.keyboard('j')
    expect(dialog.getByText('1 of 3 pending')).toBeDefined()
    expect(browserStore.read('evaluationKeysOff')).not.toBeNull()
    await userEvent.click(shortcutsToggle)
    await userEvent.keyboard('j')
    expect(await dialog.findByText('Team 3')).toBeDefined()
  })

  it('loads more pending submissions at the end of the loaded ones, and wraps around after the last', async () => {
    const more = [5, 6].map((number) =>
      aSubmission(number, { teamId: { ...aSubmission(number).teamId, name: `Team ${number}` } }),
    )
    await open({
      'submissions.pending': ({ cursor }) => ({
        submissions: cursor ? more : pendingSubmissions,
        pagination: { ...aPagination(5), nextCursor: cursor ? null : 'page-2' },
      }),
    })
    await userEvent.click(screen.getByRole('button', { name: 'Evaluate' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    await dialog.findByText('1 of 5 pending')
    await userEvent.keyboard('k')
    expect(dialog.getByText('1 of 5 pending')).toBeDefined()
    await userEvent.keyboard('jj')
    expect(dialog.getByText('3 of 5 pending')).toBeDefined()
    await waitFor(async () => {
      await userEvent.keyboard('j')
      expect(dialog.getByText('4 of 5 pending')).toBeDefined()
    })
    expect(dialog.getByText('Team 5')).toBeDefined()
    await userEvent.keyboard('jj')
    expect(dialog.getByText('1 of 5 pending')).toBeDefined()
  })

  it('keeps the drafts of other submissions after a verdict, and when the dialog is closed', async () => {
    await open({ 'submissions.evaluate': () => ({ submission: aSubmission(3, { status: 'approved' }) }) })
    const openEvaluation = async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Evaluate' }))
      return within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    }
    const feedbackOf = (dialog: { getByLabelText: (label: string) => HTMLElement }) =>
      dialog.getByLabelText('Feedback') as HTMLTextAreaElement
    let dialog = await openEvaluation()
    await fill(feedbackOf(dialog), 'Jolly Kasbah')
    await userEvent.click(await dialog.findByRole('button', { name: 'Next pending submission (J)' }))
    await fill(feedbackOf(dialog), 'Clear docs')
    expect(dialog.queryByText('We kept your draft.')).toBeNull()
    await fill(dialog.getByLabelText('Score'), '60')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Evaluation' }))
    await expectText('Submission evaluated successfully')

    dialog = await openEvaluation()
    expect(feedbackOf(dialog).value).toBe('Jolly Kasbah')
    await userEvent.click(await dialog.findByRole('button', { name: 'Next pending submission (J)' }))
    expect(feedbackOf(dialog).value).toBe('')
    await userEvent.click(dialog.getByRole('button', { name: 'Previous pending submission (K)' }))
    await userEvent.keyboard('{Escape}')

    dialog = await openEvaluation()
    expect(feedbackOf(dialog).value).toBe('Jolly Kasbah')
    await userEvent.click(dialog.getByRole('button', { name: 'Start over' }))
    expect(feedbackOf(dialog).value).toBe('')
    await fill(feedbackOf(dialog), 'Clear docs')
    expect(dialog.queryByText('We kept your draft.')).toBeNull()
  })

  it('shows the picture of each submission, whether or not the one before could be loaded', async () => {
    const upload = { type: 'upload' as const, preview: aPreview() }
    const submissions = [aSubmission(1, upload), aSubmission(3, upload)]
    const list = () => ({ submissions, pagination: aPagination(2) })
    await open({ 'submissions.list': list, 'submissions.pending': list })
    await userEvent.click(screen.getAllByRole('button', { name: 'Evaluate' })[0] ?? document.body)
    const dialog = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    fireEvent.error(dialog.getByRole('img', { name: /^Image submitted/ }))
    expect(dialog.getByText('The image could not be loaded.')).toBeDefined()
    await userEvent.click(await dialog.findByRole('button', { name: 'Next pending submission (J)' }))
    expect(await dialog.findByRole('img', { name: /^Image submitted/ })).toBeDefined()
    expect(dialog.queryByText('The image could not be loaded.')).toBeNull()
  })
})
