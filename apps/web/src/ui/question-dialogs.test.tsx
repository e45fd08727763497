import { act, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { pressTwice } from '../../test/fill.ts'
import { AppError } from '../lib/failure.ts'
import { activateLanguage } from '../lib/i18n.ts'
import { toast, useToasts } from '../lib/toasts.ts'
import { askPassword, confirm, prompt } from '../lib/questions.ts'
import { QuestionDialogs } from './question-dialogs.tsx'

beforeEach(() => {
  render(<QuestionDialogs />)
})

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

describe('the message of a question', () => {
  const question = { title: 'Ban Sara?', message: 'She will leave every team.' }

  it.each([
    ['confirm', () => confirm(question)],
    ['prompt', () => prompt({ ...question, label: 'Reason' })],
    ['askPassword', () => askPassword(question)],
  ])('describes the dialog of %s', async (kind, ask) => {
    void ask()
    const role = kind === 'confirm' ? 'alertdialog' : 'dialog'
    expect(await screen.findByRole(role, { name: question.title, description: question.message })).toBeDefined()
    await press('Cancel')
  })

  it('describes nothing if there is none', async () => {
    void confirm({ title: 'Delete team?' })
    expect((await screen.findByRole('alertdialog')).hasAttribute('aria-describedby')).toBe(false)
    await press('Cancel')
  })
})

describe('confirm', () => {
  it('returns true for Confirm and false for Cancel', async () => {
    const first = confirm({ title: 'Delete team?', confirmLabel: 'Delete' })
    await press('Delete')
    expect(await first).toBe(true)
    const second = confirm({ title: 'Delete team?' })
    await screen.findByRole('alertdialog')
    await userEvent.keyboard('{Escape}')
    expect(await second).toBe(false)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('stays open with the error after a failure and closes after a success', async () => {
    const run = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('Team not found')).mockResolvedValueOnce()
    const answer = confirm({ title: 'Delete team?', confirmLabel: 'Delete', run })
    await press('Delete')
    expect((await screen.findByRole('alert')).textContent).toBe('Team not found')
    await press('Delete')
    expect(await answer).toBe(true)
  })
})

describe('prompt', () => {
  it('keeps the input and shows the error at its field after a failure', async () => {
    const run = vi
      .fn<(answer: string) => Promise<void>>()
      .mockRejectedValueOnce(new AppError('A team with this name already exists', {}))
      .mockResolvedValueOnce()
    const answer = prompt({ title: 'Rename Team', label: 'Team name', confirmLabel: 'Rename', run })
    const field = await screen.findByLabelText<HTMLInputElement>('Team name')
    await userEvent.type(field, ' Atlas ')
    pressTwice(screen.getByRole('button', { name: 'Rename' }))
    expect(await screen.findByText('A team with this name already exists')).toBeDefined()
    expect(run.mock.calls).toEqual([['Atlas']])
    expect(field.value).toBe(' Atlas ')
    await press('Rename')
    expect(await answer).toBe('Atlas')
  })
})

describe('a second click before the first one renders', () => {
  it('confirms once', async () => {
    let end = () => {}
    const run = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (end = resolve)))
    const answer = confirm({ title: 'Delete team?', run })
    pressTwice(await screen.findByRole('button', { name: 'Confirm' }))
    expect(run).toHaveBeenCalledOnce()
    end()
    expect(await answer).toBe(true)
  })

  it('verifies a password once', async () => {
    let end = () => {}
    const verify = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (end = resolve)))
    const answer = askPassword({ title: 'Ban user', verify })
    await userEvent.type(await screen.findByLabelText('Your password'), 'Right1')
    pressTwice(screen.getByRole('button', { name: 'Confirm' }))
    expect(verify).toHaveBeenCalledOnce()
    end()
    expect(await answer).toBe('Right1')
  })
})

describe('prompt', () => {
  it('rejects an empty and a long answer with the specified messages', async () => {
    const answer = prompt({ title: 'Give Warning', label: 'Reason', required: true, maxLength: 5 })
    await press('Confirm')
    expect(await screen.findByText('This field is required')).toBeDefined()
    const input = screen.getByLabelText('Reason')
    expect(document.activeElement).toBe(input)
    await userEvent.type(input, 'abcdef')
    await press('Confirm')
    expect(await screen.findByText('Maximum 5 characters allowed')).toBeDefined()
    await userEvent.clear(input)
    await userEvent.type(input, ' spam🦁 {Enter}')
    expect(await answer).toBe('spam🦁')
  })

  it('translates the messages', async () => {
    const answer = prompt({ title: 'Give Warning', label: 'Reason', required: true, maxLength: 5 })
    await press('Confirm')
    await act(() => activateLanguage('ar'))
    expect(await screen.findByText('هذا الحقل مطلوب')).toBeDefined()
    await userEvent.type(screen.getByLabelText('Reason'), 'abcdef{Enter}')
    expect(await screen.findByText('الحد الأقصى للأحرف: 5')).toBeDefined()
    await act(() => activateLanguage('en'))
    await press('Cancel')
    expect(await answer).toBeNull()
  })

  it('returns null if it is cancelled', async () => {
    const answer = prompt({ title: 'Rename', label: 'Name', initial: 'Old' })
    await press('Cancel')
    expect(await answer).toBeNull()
  })
})

describe('askPassword', () => {
  it('asks again after a wrong password, with the error at the field', async () => {
    const verify = vi
      .fn<(password: string) => Promise<void>>()
      .mockRejectedValueOnce(new Error('The password you entered is incorrect.'))
      .mockResolvedValueOnce()
    const answer = askPassword({ title: 'Ban user', verify })
    const input = await screen.findByLabelText('Your password')
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByText('Password is required')).toBeDefined()
    expect(verify).not.toHaveBeenCalled()

    await userEvent.type(input, 'wrong{Enter}')
    expect(await screen.findByText('The password you entered is incorrect.')).toBeDefined()
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(input)

    await userEvent.clear(input)
    await userEvent.type(input, 'Right1{Enter}')
    expect(await answer).toBe('Right1')
    expect(verify).toHaveBeenLastCalledWith('Right1')
  })

  it('shows a wrong password in a toast too, other errors only at the field', async () => {
    const wrong = new AppError('The password you entered is incorrect.', { code: 'WRONG_PASSWORD' })
    const verify = vi
      .fn<(password: string) => Promise<void>>()
      .mockRejectedValueOnce(new Error('Too many attempts'))
      .mockRejectedValueOnce(wrong)
    void askPassword({ title: 'Ban user', verify })
    const { result } = renderHook(() => useToasts())
    await userEvent.type(await screen.findByLabelText('Your password'), 'wrong{Enter}')
    expect(await screen.findByText('Too many attempts')).toBeDefined()
    expect(result.current).toEqual([])
    await userEvent.keyboard('{Enter}')
    await waitFor(() =>
      expect(result.current).toMatchObject([
        { type: 'error', title: 'Invalid Password', message: 'The password you entered is incorrect.' },
      ]),
    )
    verify.mockReturnValueOnce(new Promise(() => {}))
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(result.current.filter(({ open }) => open)).toEqual([]))
    act(() => toast.clear())
  })

  it('cannot be closed while it verifies', async () => {
    let accept = () => {}
    const verify = () => new Promise<void>((resolve) => (accept = resolve))
    const answer = askPassword({ title: 'Ban user', verify })
    await userEvent.type(await screen.findByLabelText('Your password'), 'Right1{Enter}')
    expect(await screen.findByRole('button', { name: 'Verifying...' })).toBeDefined()
    await userEvent.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBeDefined()
    accept()
    expect(await answer).toBe('Right1')
  })
})
