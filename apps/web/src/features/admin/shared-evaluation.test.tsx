import type { Submission } from '@community/contract'
import { aPagination, aSubmission } from '@community/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { answerQuestion, openAdmin, openTab } from '../../../test/admin-steps.tsx'
import { type Handlers, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { markStale } from '../../lib/live/stale-queries.ts'

beforeEach(() => {
  signIn({ role: 'admin' })
})
const OWN_TEAM = 'You cannot evaluate the work of a team you are or were in'
const aWork = (number: number, overrides: Partial<Submission> = {}) =>
  aSubmission(number, {
    teamId: { ...aSubmission(number).teamId, name: `Team ${number}` },
    evaluatedAt: null,
    evaluatedBy: null,
    ...overrides,
  })
const aVerdict = (name: string, evaluatedAt: string) =>
  ({
    status: 'approved',
    score: 80,
    points: 160,
    feedback: 'Clear docs',
    evaluatedBy: { id: aSubmission(9).id, name },
    evaluatedAt,
  }) as const

/** Opens the tab of submissions. `change` and `remove` act like another administrator, and trigger the refetch of the live event. */
async function open(works: Submission[], handlers: Handlers = {}) {
  let current = works
  const backend = openAdmin({
    'submissions.list': () => ({ submissions: current, pagination: aPagination(current.length) }),
    'submissions.pending': () => {
      const submissions = current.filter(({ status }) => status === 'pending')
      return { submissions, pagination: aPagination(submissions.length) }
    },
    'submissions.get': ({ id }) => {
      const submission = current.find((work) => work.id === id)
      if (!submission) throw appError('SUBMISSION_MISSING', 'Submission not found')
      return { submission }
    },
    ...handlers,
  })
  await openTab('Submissions')
  await screen.findAllByRole('button', { name: 'Details' })
  const store = (id: string, overrides: Partial<Submission>) => {
    current = current.map((work) => (work.id === id ? { ...work, ...overrides } : work))
  }
  const change = (id: string, overrides: Partial<Submission>) => {
    store(id, overrides)
    act(() => markStale('submissions'))
  }
  const remove = (id: string) => {
    current = current.filter((work) => work.id !== id)
    act(() => markStale('submissions'))
  }
  return { ...backend, store, change, remove }
}
const press = async (name: string, index = 0) =>
  userEvent.click(screen.getAllByRole('button', { name })[index] ?? document.body)
const findDialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('an evaluation beside another administrator', () => {
  it('shows the verdict that the other one gave meanwhile, keeps the draft and leads on', async () => {
    const works = [aWork(1), aWork(3), aWork(4)]
    const { inputsOf, change } = await open(works)
    await press('Evaluate')
    const dialog = await findDialog('Evaluate Submission')
    await dialog.findByText('1 of 3 pending')
    await fill(dialog.getByLabelText('Feedback'), 'Jolly Kasbah')
    change(aWork(1).id, aVerdict('Omar', '2026-11-20T10:00:00.000Z'))
    expect(await dialog.findByText('Evaluated meanwhile by Omar.')).toBeDefined()
    expect(dialog.getByText('80/100')).toBeDefined()
    expect(dialog.getByText('Clear docs')).toBeDefined()
    expect(dialog.queryByText(/^This submission has already been evaluated/)).toBeNull()
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Feedback').value).toBe('Jolly Kasbah')

    const submit = dialog.getByRole('button', { name: 'Submit Evaluation' })
    expect(submit.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(submit)
    await userEvent.type(dialog.getByLabelText('Score'), '{Enter}')
    expect(inputsOf('submissions.resetEvaluation')).toEqual([])
    expect(inputsOf('submissions.evaluate')).toEqual([])

    expect(await dialog.findByText('– of 2 pending')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Next pending submission (J)' }))
    expect(await dialog.findByText('1 of 2 pending')).toBeDefined()
    expect(dialog.getByText('Team 3')).toBeDefined()
    expect(dialog.queryByText(/^Evaluated meanwhile/)).toBeNull()
    expect(submit.getAttribute('aria-disabled')).not.toBe('true')
  })

  it('keeps what was submitted: its fields are read-only until the response', async () => {
    let respond = () => {}
    const { inputsOf } = await open([aWork(1)], {
      'submissions.evaluate': () =>
        new Promise((resolve) => (respond = () => resolve({ submission: { ...aWork(1), ...aVerdict('Omar', '') } }))),
    })
    await press('Evaluate')
    const dialog = await findDialog('Evaluate Submission')
    const feedback = dialog.getByLabelText<HTMLTextAreaElement>('Feedback')
    await fill(feedback, 'Jolly Kasbah')
    await fill(dialog.getByLabelText('Score'), '60')
    await press('Submit Evaluation')
    await waitFor(() => expect(inputsOf('submissions.evaluate')).toHaveLength(1))
    await userEvent.type(feedback, ' and more')
    await userEvent.type(dialog.getByLabelText('Score'), '7')
    await userEvent.click(dialog.getByLabelText('Rejected'))
    expect(feedback.value).toBe('Jolly Kasbah')
    expect(dialog.getByLabelText<HTMLInputElement>('Score').value).toBe('60')
    expect(dialog.getByLabelText<HTMLInputElement>('Approved').checked).toBe(true)
    respond()
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('of several, continues after the time of the one that was evaluated meanwhile', async () => {
    const works = [1, 3, 4].map((number) => aWork(number, { createdAt: `2026-11-0${number}T10:00:00.000Z` }))
    const { change } = await open(works)
    await press('Evaluate', 1)
    const dialog = await findDialog('Evaluate Submission')
    await dialog.findByText('2 of 3 pending')
    change(aWork(3).id, aVerdict('Omar', '2026-11-20T10:00:00.000Z'))
    await dialog.findByText('– of 2 pending')
    await userEvent.keyboard('k')
    expect(await dialog.findByText('Team 1')).toBeDefined()
    await userEvent.keyboard('j')
    expect(await dialog.findByText('Team 4')).toBeDefined()
  })

  it('does not say that only the earlier verdict was reset if the other one was first', async () => {
    const work = aWork(1, aVerdict('Sara', '2026-11-19T10:00:00.000Z'))
    const { store } = await open([work], {
      'submissions.resetEvaluation': ({ id }) => {
        store(id, { status: 'pending', score: null, points: null, evaluatedAt: null, evaluatedBy: null })
        return { submission: aWork(1) }
      },
      'submissions.evaluate': ({ id }) => {
        store(id, aVerdict('Omar', '2026-11-20T10:00:00.000Z'))
        throw appError('NOT_PENDING', 'This submission has already been evaluated')
      },
    })
    await press('Details')
    await userEvent.click((await findDialog('Submission details')).getByRole('button', { name: 'Evaluate' }))
    const dialog = await findDialog('Evaluate Submission')
    expect(dialog.getByText(/^This submission has already been evaluated\. .* and its points\.$/)).toBeDefined()
    await fill(dialog.getByLabelText('Score'), '60')
    await press('Submit Evaluation')
    expect(await dialog.findByText('Evaluated meanwhile by Omar.')).toBeDefined()
    expect(dialog.queryByText(/^The earlier evaluation was reset/)).toBeNull()
  })

  it('cannot be given for a submission that the other one deleted meanwhile', async () => {
    const { inputsOf, remove } = await open([aWork(1), aWork(3)])
    await press('Evaluate')
    const dialog = await findDialog('Evaluate Submission')
    await dialog.findByText('1 of 2 pending')
    remove(aWork(1).id)
    expect(await dialog.findByText('Submission not found')).toBeDefined()
    await press('Submit Evaluation')
    expect(inputsOf('submissions.evaluate')).toEqual([])
  })

  it('links the addresses in the notes and in the other one’s feedback, also in the details', async () => {
    const { change } = await open([aWork(1, { metadata: { submissionNotes: 'Demo: https://demo.ma' } })])
    await press('Evaluate')
    const dialog = await findDialog('Evaluate Submission')
    expect(dialog.getByRole('link', { name: 'https://demo.ma' })).toBeDefined()
    change(aWork(1).id, { ...aVerdict('Omar', '2026-11-20T10:00:00.000Z'), feedback: 'See https://docs.ma.' })
    expect(await dialog.findByRole('link', { name: 'https://docs.ma' })).toBeDefined()
    await press('Cancel')
    await press('Details')
    const details = await findDialog('Submission details')
    for (const name of ['https://demo.ma', 'https://docs.ma'])
      expect(await details.findByRole('link', { name })).toBeDefined()
  })

  it('is shown as it is now in the details', async () => {
    const { change } = await open([aWork(1)])
    await press('Details')
    const dialog = await findDialog('Submission details')
    expect(dialog.queryByRole('button', { name: 'Reset evaluation' })).toBeNull()
    change(aWork(1).id, aVerdict('Omar', '2026-11-20T10:00:00.000Z'))
    expect(await dialog.findByText('80/100')).toBeDefined()
    expect(dialog.getByRole('button', { name: 'Reset evaluation' })).toBeDefined()
  })
})

describe('the work of an administrator’s own team', () => {
  it('cannot be evaluated, and says why', async () => {
    await open([aWork(1, { ...aVerdict('Omar', '2026-11-20T10:00:00.000Z'), canEvaluate: false }), aWork(3)])
    expect(screen.getByText(OWN_TEAM)).toBeDefined()
    await press('Details')
    const dialog = await findDialog('Submission details')
    expect(dialog.getByText(OWN_TEAM)).toBeDefined()
    for (const name of ['Evaluate', 'Reset evaluation']) await userEvent.click(dialog.getByRole('button', { name }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(screen.queryByRole('dialog', { name: 'Evaluate Submission' })).toBeNull()
  })

  it('is skipped and not counted in the queue, and cannot be opened for evaluation', async () => {
    await open([aWork(1), aWork(3, { canEvaluate: false }), aWork(4)])
    await press('Evaluate', 1)
    expect(screen.queryByRole('dialog')).toBeNull()
    await press('Evaluate')
    const dialog = await findDialog('Evaluate Submission')
    await dialog.findByText('1 of 2 pending')
    await userEvent.keyboard('j')
    expect(await dialog.findByText('Team 4')).toBeDefined()
  })
})

describe('resetting a verdict', () => {
  const REJECTED: Partial<Submission> = { status: 'rejected', score: null, points: null }
  it.each([
    ['an approval', {}, /will be pending again and lose its points\.$/, /replaces the current one and its points\.$/],
    ['a rejection', REJECTED, /will be pending again\.$/, /replaces the current one\.$/],
  ])('names the points of %s only if it has some', async (_, overrides, message, notice) => {
    await open([aWork(1, { ...aVerdict('Omar', '2026-11-20T10:00:00.000Z'), ...overrides })])
    await press('Details')
    const dialog = await findDialog('Submission details')
    await userEvent.click(dialog.getByRole('button', { name: 'Reset evaluation' }))
    expect(within(await screen.findByRole('alertdialog')).getByText(message)).toBeDefined()
    await answerQuestion('Cancel')
    await userEvent.click(dialog.getByRole('button', { name: 'Evaluate' }))
    expect((await findDialog('Evaluate Submission')).getByText(notice)).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })
})
