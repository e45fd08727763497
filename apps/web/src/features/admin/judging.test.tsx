import { aChallenge, aPagination, aSubmission } from '@community/testing'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { expectText, openAdmin, openTab } from '../../../test/admin-steps.tsx'
import { type Handlers, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'

vi.setConfig({ testTimeout: 20_000 })

beforeEach(() => {
  signIn({ role: 'admin' })
})
const works = [1, 3, 4].map((number) =>
  aSubmission(number, { teamId: { ...aSubmission(number).teamId, name: `Team ${number}` } }),
)

/** Opens the evaluation of the first of three pending submissions. Those with a verdict are no longer pending. */
async function openEvaluation(handlers: Handlers = {}) {
  let pending = works
  const listed = () => ({ submissions: pending, pagination: aPagination(pending.length) })
  const backend = openAdmin({
    'submissions.list': listed,
    'submissions.pending': listed,
    'submissions.evaluate': ({ id }) => {
      pending = pending.filter((work) => work.id !== id)
      return { submission: aSubmission(1, { status: 'approved' }) }
    },
    ...handlers,
  })
  await openTab('Submissions')
  await userEvent.click((await screen.findAllByRole('button', { name: 'Evaluate' }))[0] ?? document.body)
  const dialog = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
  return { ...backend, dialog, keepOnly: (...ids: string[]) => (pending = works.filter(({ id }) => ids.includes(id))) }
}
type Dialog = Awaited<ReturnType<typeof openEvaluation>>['dialog']
const isUnavailable = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true'

describe('the next submission after a verdict', () => {
  it('opens from its beginning with “Submit and next”, until none is pending', async () => {
    const { dialog, inputsOf } = await openEvaluation()
    await dialog.findByText('1 of 3 pending')
    for (const [team, next] of [
      ['Team 1', '1 of 2 pending'],
      ['Team 3', undefined],
    ] as const) {
      expect(dialog.getByText(team)).toBeDefined()
      await fill(dialog.getByLabelText('Score'), '60')
      await userEvent.click(dialog.getByRole('button', { name: 'Submit and next' }))
      await waitFor(() => expect(dialog.getByLabelText<HTMLInputElement>('Score').value).toBe('1'))
      expect(document.activeElement).toBe(dialog.getByRole('radio', { name: 'Approved' }))
      if (next) expect(await dialog.findByText(next)).toBeDefined()
    }
    await expectText('Submission evaluated successfully')
    expect(dialog.getByText('Team 4')).toBeDefined()
    await waitFor(() => expect(dialog.queryByRole('button', { name: 'Submit and next' })).toBeNull())
    await userEvent.click(dialog.getByRole('button', { name: 'Submit Evaluation' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(inputsOf('submissions.evaluate')).toMatchObject(
      works.map(({ id }, index) => ({ id, score: index < 2 ? 60 : 1 })),
    )
  })

  it('is not evaluated by a double press', async () => {
    const { dialog, inputsOf } = await openEvaluation()
    const submit = await dialog.findByRole('button', { name: 'Submit and next' })
    expect(isUnavailable(submit)).toBe(true)
    await fill(dialog.getByLabelText('Score'), '60')
    expect(isUnavailable(submit)).toBe(false)
    await userEvent.click(submit)
    await dialog.findByText('Team 3')
    await userEvent.click(submit)
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(dialog.getByText('Team 3')).toBeDefined()
    expect(inputsOf('submissions.evaluate')).toHaveLength(1)
  })

  it('does not open after an error, which keeps the verdict', async () => {
    const { dialog } = await openEvaluation({
      'submissions.evaluate': () => {
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await fill(dialog.getByLabelText('Feedback'), 'Clear docs')
    await userEvent.click(await dialog.findByRole('button', { name: 'Submit and next' }))
    expect(await dialog.findByText('The service is unavailable right now. Please try again.')).toBeDefined()
    expect(dialog.getByText('Team 1')).toBeDefined()
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Feedback').value).toBe('Clear docs')
  })

  it('is one that the list’s search finds', async () => {
    const { dialog, inputsOf, keepOnly } = await openEvaluation()
    await dialog.findByText('1 of 3 pending')
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    keepOnly(works[0]?.id ?? '', works[2]?.id ?? '')
    await fill(screen.getByLabelText('Search submissions'), 'Air quality')
    const input = { status: 'pending', sort: 'oldest', search: 'Air quality' }
    await waitFor(() => expect(screen.getAllByRole('button', { name: 'Evaluate' })).toHaveLength(2))
    await userEvent.click(screen.getAllByRole('button', { name: 'Evaluate' })[0] ?? document.body)
    const found = within(await screen.findByRole('dialog', { name: 'Evaluate Submission' }))
    expect(await found.findByText('1 of 2 pending')).toBeDefined()
    expect(inputsOf('submissions.list')).toContainEqual(expect.objectContaining(input))
    await userEvent.keyboard('j')
    expect(await found.findByText('Team 4')).toBeDefined()
  })
})

describe('Control or Command and Enter', () => {
  const press = (dialog: Dialog, label: string, keys: string) => {
    dialog.getByLabelText(label).focus()
    return userEvent.keyboard(keys)
  }

  it.each([
    ['Feedback', '{Control>}{Enter}{/Control}'],
    ['Score', '{Meta>}{Enter}{/Meta}'],
  ])('submits from the field %s and opens the next', async (label, keys) => {
    const { dialog, inputsOf } = await openEvaluation()
    expect(await dialog.findByText('Ctrl + Enter for “Submit and next”')).toBeDefined()
    expect(dialog.getByRole('button', { name: 'Submit and next' }).getAttribute('aria-keyshortcuts')).toBe(
      'Control+Enter Meta+Enter',
    )
    await fill(dialog.getByLabelText('Feedback'), 'Clear docs')
    await press(dialog, label, keys)
    expect(await dialog.findByText('Team 3')).toBeDefined()
    expect(inputsOf('submissions.evaluate')).toHaveLength(1)
  })

  it('does nothing while the keys are held', async () => {
    const { dialog, inputsOf } = await openEvaluation()
    await dialog.findByText('1 of 3 pending')
    await fill(dialog.getByLabelText('Feedback'), 'Clear docs')
    fireEvent.keyDown(dialog.getByLabelText('Feedback'), { key: 'Enter', ctrlKey: true, repeat: true })
    await waitFor(() => expect(dialog.getByText('Team 1')).toBeDefined())
    expect(inputsOf('submissions.evaluate')).toEqual([])
  })

  it('submits the only pending submission, and closes', async () => {
    const only = { submissions: works.slice(0, 1), pagination: aPagination(1) }
    const { dialog } = await openEvaluation({ 'submissions.list': () => only, 'submissions.pending': () => only })
    expect(await dialog.findByText('Ctrl + Enter for “Submit Evaluation”')).toBeDefined()
    await fill(dialog.getByLabelText('Feedback'), 'Clear docs')
    await press(dialog, 'Feedback', '{Control>}{Enter}{/Control}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('the requirements and criteria', () => {
  it('are loaded when they are opened, and stay open for the next submission', async () => {
    const challenge = aChallenge(1, { requirements: ['Works offline'], evaluationCriteria: ['See https://docs.ma'] })
    const { dialog, inputsOf } = await openEvaluation({ 'challenges.get': () => ({ challenge }) })
    await dialog.findByText('1 of 3 pending')
    expect(inputsOf('challenges.get')).toEqual([])
    await userEvent.click(dialog.getByText('Requirements and criteria'))
    expect(await dialog.findByText('Works offline')).toBeDefined()
    expect(dialog.getByRole('link', { name: 'https://docs.ma' })).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Next pending submission (J)' }))
    expect(await dialog.findByText('Team 3')).toBeDefined()
    expect(dialog.getByText('Works offline').closest('details')?.open).toBe(true)
    expect(inputsOf('challenges.get')).toEqual([{ id: works[0]?.challengeId.id }])
  })

  it('show an error and Try Again', async () => {
    let isAway = true
    const { dialog } = await openEvaluation({
      'challenges.get': () => {
        if (isAway) throw appError('CHALLENGE_MISSING', 'Challenge not found')
        return { challenge: aChallenge(1, { requirements: ['Works offline'] }) }
      },
    })
    await userEvent.click(dialog.getByText('Requirements and criteria'))
    expect(await dialog.findByText('Challenge not found')).toBeDefined()
    isAway = false
    await userEvent.click(dialog.getByRole('button', { name: 'Try Again' }))
    expect(await dialog.findByText('Works offline')).toBeDefined()
  })
})
