import type { Submission } from '@community/contract'
import { aChallenge, aPagination, aSubmission, inDays, publicSettings } from '@community/testing'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectRefetch, adminStats } from '../../../test/admin-steps.tsx'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill, pressTwice } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { storeListValues } from '../../lib/list-values.ts'
import { rememberChoice } from '../../lib/memory-state.ts'
import { toast } from '../../lib/toasts.ts'
import { CreateChallengeDialog } from './create-challenge-dialog.tsx'
import { AdminDashboard } from './index.tsx'

const PASSWORD = 'Majorelle-2026'

beforeEach(() => {
  signIn({ role: 'admin' })
})
const ALL_SUBMISSIONS: Submission[] = [
  aSubmission(1),
  aSubmission(2, { status: 'approved', score: 91 }),
  aSubmission(3, { status: 'rejected' }),
]

const assertPassword = (password: string | undefined) => {
  if (password !== PASSWORD)
    throw appError('WRONG_PASSWORD', 'The password you entered is incorrect.', { invalid: true })
}

function open(handlers: Handlers = {}) {
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'admin.stats': () => ({ stats: adminStats() }),
    'admin.mails': () => ({ mails: [], pagination: aPagination(0) }),
    'submissions.pending': () => ({ submissions: [], pagination: aPagination(0) }),
    'admin.listChallenges': () => ({
      challenges: [
        aChallenge(1),
        aChallenge(2, { isActive: false, points: 300 }),
        aChallenge(3, { deadline: inDays(-1), points: 500 }),
      ],
      totals: { total: 103, active: 61, expired: 40, points: 21_500 },
      pagination: aPagination(3),
    }),
    'system.page': () => ({ page: { markdown: '# Default', isDefault: true } }),
    'admin.settings': () => ({ settings: { teamCreationEnabled: true } }),
    'submissions.list': ({ status }) => {
      const submissions = ALL_SUBMISSIONS.filter((submission) => !status || submission.status === status)
      return { submissions, pagination: aPagination(submissions.length) }
    },
    ...handlers,
  })
  renderWithProviders(<AdminDashboard />)
  return backend
}

/** The same with the list of challenges rendered. */
async function openChallenges(handlers: Handlers = {}) {
  const backend = open(handlers)
  await openTab('Challenges')
  return backend
}

const openTab = async (name: string) => userEvent.click(screen.getByRole('tab', { name }))
const expectTile = (name: string, value: string) =>
  waitFor(() => expect(screen.getByText(name, { selector: 'dt' }).parentElement?.textContent).toBe(`${name}${value}`))
const expectText = async (text: string) => expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)

/** A wrong password is shown at its field and in the specification's toast. */
async function expectWrongPassword(dialog: { getByLabelText: (label: string) => HTMLElement }) {
  await expectText('Invalid Password')
  const field = dialog.getByLabelText('Your password')
  const error = document.getElementById(field.getAttribute('aria-describedby')?.split(' ')[0] ?? '')
  expect(error?.textContent).toBe('The password you entered is incorrect.')
  expect(screen.getAllByText('The password you entered is incorrect.').length).toBeGreaterThan(1)
  expect(document.activeElement).toBe(field)
}

describe('the admin dashboard', () => {
  it('shows its name and when it was last updated', async () => {
    const { inputsOf } = await openChallenges()
    expect(screen.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeDefined()
    expect(await screen.findByText(/^Last updated: \d\d:\d\d:\d\d$/)).toBeDefined()
    const before = inputsOf('admin.listChallenges').length
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(inputsOf('admin.listChallenges').length).toBeGreaterThan(before))
  })

  it('shows when the webhooks were last updated, which have no other data', async () => {
    open({ 'webhooks.list': () => ({ webhooks: [], pagination: aPagination(0) }) })
    await openTab('Webhooks')
    const status = await screen.findByText(/^Last updated/)
    const before = status.textContent
    await waitFor(() => expect(new Date().getSeconds()).not.toBe(Number(before.slice(-2))))
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(status.textContent).not.toBe(before))
  })

  it('restores the selected tab after a reload', async () => {
    await openChallenges()
    cleanup()
    open()
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Challenges')
  })

  it('counts all challenges, not only the loaded ones', async () => {
    await openChallenges()
    await expectTile('Total Challenges', '103')
    await expectTile('Active Challenges', '61')
    await expectTile('Expired Challenges', '40')
    await expectTile('Total Points', '21,500')
  })

  it('calls a challenge active until its deadline, as the totals do', async () => {
    const expired = aChallenge(1, { deadline: '2020-01-01T00:00:00.000Z' })
    const { inputsOf } = await openChallenges({
      'admin.listChallenges': () => ({
        challenges: [expired],
        totals: { total: 1, active: 0, expired: 1, points: 200 },
        pagination: aPagination(1),
      }),
    })
    const row = (await screen.findByText(expired.title)).closest('tr')
    expect(row?.textContent).toContain('Expired')
    expect(row?.textContent).not.toContain('Active')
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Active')
    await waitFor(() => expect(inputsOf('admin.listChallenges').at(-1)).toMatchObject({ isOpen: true }))
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Expired')
    const filter = { isActive: true, isOpen: false }
    await waitFor(() => expect(inputsOf('admin.listChallenges').at(-1)).toMatchObject(filter))
  })

  it('searches, filters and sorts challenges on the server, and clears search and filters at once', async () => {
    const { inputsOf } = await openChallenges({
      'admin.listChallenges': ({ category }) => ({
        challenges: category === 'DevOps' ? [] : [aChallenge(1)],
        totals: { total: 1, active: 1, expired: 0, points: 200 },
        pagination: aPagination(category === 'DevOps' ? 0 : 1),
      }),
    })
    await screen.findByText('Challenge 1')
    await fill(screen.getByLabelText('Search challenges'), ' tram ')
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Most points')
    await userEvent.selectOptions(screen.getByLabelText('Difficulty'), 'Expert')
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Inactive')
    await userEvent.selectOptions(screen.getByLabelText('Category'), 'DevOps')
    await waitFor(() =>
      expect(inputsOf('admin.listChallenges').at(-1)).toEqual({
        page: 1,
        limit: 100,
        sort: 'points',
        search: 'tram',
        category: 'DevOps',
        difficulty: 'Expert',
        isActive: false,
      }),
    )
    expect(await screen.findByText('No Challenges Found')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    expect(await screen.findByText('Challenge 1')).toBeDefined()
    expect(screen.getByLabelText<HTMLSelectElement>('Category').value).toBe('')
    expect(screen.getByLabelText<HTMLInputElement>('Search challenges').value).toBe('')
  })

  it('shows in a toast and inline that a list could not be loaded', async () => {
    await openChallenges({
      'admin.listChallenges': () => {
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await expectText('Data Error')
    await expectText('Failed to load admin data')
  })
})

describe('a failed load while earlier data is shown', () => {
  it.each(['Overview', 'Challenges', 'Settings'])('shows one toast for each failure in %s', async (tab) => {
    let isUnavailable = false
    const respond = <Answer,>(response: Answer): Answer => {
      if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      return response
    }
    open({
      'admin.stats': () => respond({ stats: adminStats() }),
      'admin.listChallenges': () =>
        respond({
          challenges: [aChallenge(1)],
          totals: { total: 1, active: 1, expired: 0, points: 200 },
          pagination: aPagination(1),
        }),
      'admin.settings': () => respond({ settings: { teamCreationEnabled: true } }),
    })
    await openTab(tab)
    const content = await screen.findByText(/^(Total Users|Challenge 1|When disabled.*)$/)
    const refresh = screen.getByRole('button', { name: 'Refresh' })
    isUnavailable = true
    for (const _ of ['first', 'second']) {
      await userEvent.click(refresh)
      expect(await screen.findAllByText('Data Error')).toHaveLength(1)
      act(() => toast.clear())
      await waitFor(() => expect(screen.queryByText('Data Error')).toBeNull())
    }
    expect(content.isConnected).toBe(true)
    isUnavailable = false
    await userEvent.click(refresh)
    await waitFor(() => expect(refresh.getAttribute('aria-busy')).not.toBe('true'))
    expect(screen.queryByText('Data Error')).toBeNull()
  })
})

describe('evaluating submissions', () => {
  const openEvaluation = async () => {
    await openTab('Submissions')
    await userEvent.click(
      await screen.findByRole('button', { name: 'Evaluate', description: 'Atlas Lions Challenge 1' }),
    )
    return within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
  }

  it('counts each status, filters, and offers a verdict on pending submissions only', async () => {
    const { inputsOf } = open()
    await openTab('Submissions')
    await expectTile('Total Submissions', '3')
    await expectTile('Pending Reviews', '1')
    expect(await screen.findAllByRole('button', { name: 'Details' })).toHaveLength(3)
    expect(screen.getAllByRole('button', { name: 'Evaluate' })).toHaveLength(1)
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Rejected')
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Details' })).toHaveLength(1))
    await fill(screen.getByRole('searchbox'), 'atlas')
    await waitFor(() =>
      expect(inputsOf('submissions.list').at(-1)).toEqual({
        page: 1,
        limit: 100,
        sort: 'newest',
        status: 'rejected',
        search: 'atlas',
      }),
    )
    const expectSort = (sort: string) =>
      waitFor(() => expect(inputsOf('submissions.list').at(-1)).toMatchObject({ sort, search: 'atlas' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Score' }))
    await expectSort('highest')
    const sortOf = (name: string) => screen.getByRole('columnheader', { name }).getAttribute('aria-sort')
    expect(sortOf('Score')).toBe('descending')
    await userEvent.click(screen.getByRole('button', { name: 'Score' }))
    expect([sortOf('Score'), sortOf('Submitted')]).toEqual(['none', 'descending'])
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Oldest first')
    await expectSort('oldest')
    await userEvent.click(screen.getByRole('button', { name: 'Submitted' }))
    expect(sortOf('Submitted')).toBe('descending')
    await userEvent.click(screen.getByRole('button', { name: 'Submitted' }))
    expect(sortOf('Submitted')).toBe('ascending')
  })

  it('opens with the pending ones for the next steps of an administrator', async () => {
    signIn({ role: 'admin' })
    storeListValues('submissions', { status: 'pending' })
    rememberChoice('adminTab', 'submissions')
    const { inputsOf } = open()
    expect(await screen.findAllByRole('button', { name: 'Details' })).toHaveLength(1)
    expect(screen.getByLabelText<HTMLSelectElement>('Status').value).toBe('pending')
    expect(inputsOf('submissions.list')).toContainEqual({ page: 1, limit: 100, sort: 'oldest', status: 'pending' })
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'All')
    expect(screen.getByLabelText<HTMLSelectElement>('Sort by').value).toBe('newest')
    cleanup()
    open()
    expect(await screen.findByLabelText<HTMLSelectElement>('Status')).toHaveProperty('value', '')
  })

  it('starts with approved and 1, keeps the score in its range, and shows grade and points', async () => {
    const { requests, inputsOf } = open({
      'submissions.evaluate': () => ({ submission: aSubmission(1, { status: 'approved' }) }),
    })
    const dialog = await openEvaluation()
    const score = dialog.getByLabelText<HTMLInputElement>('Score')
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'Approved' }).checked).toBe(true)
    expect(score.value).toBe('1')
    await fill(score, '150')
    expect(score.value).toBe('100')
    await userEvent.clear(score)
    expect(dialog.getByText('Please enter a valid score (1-100)')).toBeDefined()
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Submit Evaluation' }).disabled).toBe(true)
    await fill(score, '87')
    expect(dialog.getByText('B')).toBeDefined()
    expect(dialog.getByText('174 of 200 points')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Evaluation' }))
    await expectText('Submission evaluated successfully')
    expect(inputsOf('submissions.evaluate')).toEqual([
      { id: aSubmission(1).id, status: 'approved', score: 87, feedback: '' },
    ])
    await expectRefetch(requests, 'submissions.evaluate', 'submissions.list')
  })

  it('submits the verdict with which it starts without another question', async () => {
    const { inputsOf } = open({
      'submissions.evaluate': () => ({ submission: aSubmission(1, { status: 'approved' }) }),
    })
    await userEvent.click((await openEvaluation()).getByRole('button', { name: 'Submit Evaluation' }))
    await expectText('Submission evaluated successfully')
    expect(inputsOf('submissions.evaluate')).toMatchObject([{ status: 'approved', score: 1 }])
  })

  it('replaces the score by what is typed after a click, and edits it after another', async () => {
    open()
    const score = (await openEvaluation()).getByLabelText<HTMLInputElement>('Score')
    await userEvent.click(score)
    await userEvent.keyboard('85')
    expect(score.value).toBe('85')
    await userEvent.click(score)
    await userEvent.keyboard('{Backspace}')
    expect(score.value).toBe('8')
  })

  it('sends no score with a rejection', async () => {
    const { inputsOf } = open({
      'submissions.evaluate': () => ({ submission: aSubmission(1, { status: 'rejected' }) }),
    })
    const dialog = await openEvaluation()
    await userEvent.click(dialog.getByRole('radio', { name: 'Rejected' }))
    expect(dialog.queryByLabelText('Score')).toBeNull()
    await fill(dialog.getByLabelText('Feedback'), ' Please add the source. ')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Evaluation' }))
    await expectText('Submission evaluated successfully')
    expect(inputsOf('submissions.evaluate')).toEqual([
      { id: aSubmission(1).id, status: 'rejected', feedback: 'Please add the source.' },
    ])
  })

  it('sends a verdict once on a double press, and again after an error', async () => {
    let isUnavailable = true
    const { inputsOf } = open({
      'submissions.evaluate': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return { submission: aSubmission(1, { status: 'approved' }) }
      },
    })
    const dialog = await openEvaluation()
    await fill(dialog.getByLabelText('Score'), '60')
    pressTwice(dialog.getByRole('button', { name: 'Submit Evaluation' }))
    await expectText('The service is unavailable right now. Please try again.')
    expect(inputsOf('submissions.evaluate')).toHaveLength(1)
    isUnavailable = false
    pressTwice(await dialog.findByRole('button', { name: 'Submit Evaluation' }))
    await expectText('Submission evaluated successfully')
    expect(inputsOf('submissions.evaluate')).toHaveLength(2)
  })

  it('shows once why a verdict was rejected, stays open, and reloads the outdated list', async () => {
    const { requests } = open({
      'submissions.evaluate': () => {
        throw appError('NOT_PENDING', 'This submission has already been evaluated')
      },
    })
    const dialog = await openEvaluation()
    await fill(dialog.getByLabelText('Score'), '60')
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Evaluation' }))
    expect(await screen.findAllByText('This submission has already been evaluated')).toHaveLength(1)
    expect(dialog.getByRole('button', { name: 'Submit Evaluation' })).toBeDefined()
    await expectRefetch(requests, 'submissions.evaluate', 'submissions.list')
  })
})

describe('the team creation setting', () => {
  it('changes with the right password, and shows a wrong one in the dialog', async () => {
    let settings = { teamCreationEnabled: true }
    const { inputsOf } = open({
      'admin.settings': () => ({ settings }),
      'admin.setTeamCreation': ({ enabled, password }) => {
        assertPassword(password)
        settings = { teamCreationEnabled: enabled }
        return { settings }
      },
    })
    await openTab('Settings')
    const toggle = await screen.findByLabelText<HTMLInputElement>(/^Team Creation/)
    await userEvent.click(toggle)
    expect(toggle.checked).toBe(true)
    const dialog = within(await screen.findByRole('dialog', { name: 'Disable Team Creation' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Disable' }))
    expect(await dialog.findByText('Password is required')).toBeDefined()
    await fill(dialog.getByLabelText('Your password'), 'Wrong-2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Disable' }))
    await expectWrongPassword(dialog)
    await fill(dialog.getByLabelText('Your password'), PASSWORD)
    await userEvent.click(dialog.getByRole('button', { name: 'Disable' }))
    await expectText('Team creation disabled successfully')
    expect(inputsOf('admin.setTeamCreation').at(-1)).toEqual({ enabled: false, password: PASSWORD })
    await waitFor(() => expect(toggle.checked).toBe(false))
  })
})

describe('creating a challenge', () => {
  /** The value of a datetime-local control for a date. */
  const toLocalTime = (instant: string) => {
    const date = new Date(instant)
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }

  function openDialog(handlers: Handlers = {}) {
    const onClose = vi.fn<() => void>()
    const backend = fakeBackend({ 'system.settings': () => publicSettings(), ...handlers })
    renderWithProviders(<CreateChallengeDialog onClose={onClose} />)
    return { ...backend, onClose }
  }
  const dialogOf = (name: string) => screen.findByRole('dialog', { name }).then(within)
  const submit = async () =>
    userEvent.click((await dialogOf('Create Challenge')).getByRole('button', { name: 'Create Challenge' }))
  const confirm = async () =>
    userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Create Challenge' }))

  async function fillChallenge(deadline = inDays(2)) {
    const dialog = await dialogOf('Create Challenge')
    await fill(dialog.getByLabelText('Title'), 'Tram for all')
    await fill(dialog.getByLabelText('Description'), 'Build it.')
    await fill(dialog.getByLabelText('Requirement 1'), 'Works on a phone')
    await userEvent.click(dialog.getByRole('button', { name: 'Add requirement' }))
    expect(document.activeElement).toBe(dialog.getByLabelText('Requirement 2'))
    // userEvent cannot type into datetime-local.
    const input = dialog.getByLabelText<HTMLInputElement>('Deadline')
    await userEvent.clear(input)
    await userEvent.type(input, toLocalTime(deadline))
    return dialog
  }

  it('shows missing values at the fields and in a toast', async () => {
    const { requests } = openDialog()
    await submit()
    for (const text of [
      'Title is required',
      'Description is required',
      'Deadline is required',
      'At least one requirement is needed',
    ]) {
      expect((await screen.findAllByText(text)).length).toBeGreaterThan(1)
    }
    await expectText('Validation Error')
    expect(requests.map(({ path }) => path)).toEqual(['system.settings'])
  })

  it('requires a deadline at least two minutes ahead by the server’s clock', async () => {
    openDialog()
    await fillChallenge(inDays(0))
    await submit()
    await expectText('Invalid Deadline')
    await expectText('Deadline must be at least 2 minutes from now')
  })

  it('marks and focuses the lines that are invalid', async () => {
    openDialog()
    const dialog = await fillChallenge()
    const tooLong = dialog.getByLabelText('Requirement 2')
    await fill(tooLong, 'x'.repeat(501))
    for (const name of ['Add resource', 'Add resource']) await userEvent.click(dialog.getByRole('button', { name }))
    await fill(dialog.getByLabelText('Resource 2 title'), 'x'.repeat(121))
    await submit()
    const errorOf = (field: HTMLElement) => document.getElementById(field.getAttribute('aria-describedby') ?? '')
    await waitFor(() => expect(errorOf(tooLong)?.textContent).toBe('A requirement cannot exceed 500 characters'))
    expect(document.activeElement).toBe(tooLong)
    expect(dialog.getByLabelText('Requirement 1').getAttribute('aria-invalid')).toBeNull()
    const resource = dialog.getByLabelText('Resource 2 title')
    expect(errorOf(resource)?.textContent).toBe('Maximum 120 characters allowed')
    await fill(tooLong, 'Works offline')
    await submit()
    await waitFor(() => expect(document.activeElement).toBe(resource))
  })

  it('asks for a confirmation and the password, then creates the challenge', async () => {
    const { inputsOf, onClose } = openDialog({
      'admin.createChallenge': ({ password }) => {
        assertPassword(password)
        return { challenge: aChallenge(1) }
      },
    })
    await fillChallenge()
    await submit()
    await confirm()
    const dialog = await dialogOf('Confirm with your password')
    await fill(dialog.getByLabelText('Your password'), 'Wrong-2026')
    await userEvent.click(dialog.getByRole('button', { name: 'Create Challenge' }))
    await expectWrongPassword(dialog)
    await fill(dialog.getByLabelText('Your password'), PASSWORD)
    await userEvent.click(dialog.getByRole('button', { name: 'Create Challenge' }))
    await expectText('Challenge created successfully')
    expect(onClose).toHaveBeenCalledOnce()
    expect(inputsOf('admin.createChallenge').at(-1)).toEqual({
      title: 'Tram for all',
      description: 'Build it.',
      requirements: ['Works on a phone'],
      deadline: inDays(2),
      points: 100,
      category: 'Web Development',
      difficulty: 'Beginner',
      tags: [],
      maxSubmissions: 1,
      evaluationCriteria: [],
      resources: [],
      isActive: true,
      password: PASSWORD,
    })
  })

  it('creates an inactive challenge', async () => {
    const { inputsOf } = openDialog({ 'admin.createChallenge': () => ({ challenge: aChallenge(1) }) })
    await userEvent.click((await fillChallenge()).getByRole('checkbox', { name: /^Open right away/ }))
    await submit()
    await expectText('Only administrators will see “Tram for all” until you activate it.')
    await confirm()
    const dialog = await dialogOf('Confirm with your password')
    await fill(dialog.getByLabelText('Your password'), PASSWORD)
    await userEvent.click(dialog.getByRole('button', { name: 'Create Challenge' }))
    await expectText('Challenge created successfully')
    expect(inputsOf('admin.createChallenge')).toEqual([expect.objectContaining({ isActive: false })])
  })

  it('shows a server error at its field, with the specification’s toast title', async () => {
    const { onClose } = openDialog({
      'admin.createChallenge': () => {
        const msg = 'Deadline must be at least 2 minutes from now'
        throw appError('DEADLINE_TOO_SOON', msg, { errors: [{ msg, path: 'deadline' }] })
      },
    })
    const form = await fillChallenge()
    await submit()
    await confirm()
    const dialog = await dialogOf('Confirm with your password')
    await fill(dialog.getByLabelText('Your password'), PASSWORD)
    await userEvent.click(dialog.getByRole('button', { name: 'Create Challenge' }))
    await waitFor(() => expect(form.getByLabelText('Deadline').getAttribute('aria-invalid')).toBe('true'))
    await expectText('Invalid Deadline')
    expect(screen.queryByRole('dialog', { name: 'Confirm with your password' })).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
  })

  it('asks once after a double press', async () => {
    openDialog()
    await fillChallenge()
    pressTwice((await dialogOf('Create Challenge')).getByRole('button', { name: 'Create Challenge' }))
    const question = await screen.findByRole('alertdialog')
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('sends nothing when the user cancels', async () => {
    const { inputsOf, onClose } = openDialog()
    await fillChallenge()
    await submit()
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }))
    expect(inputsOf('admin.createChallenge')).toEqual([])
    expect(onClose).not.toHaveBeenCalled()
  })
})
