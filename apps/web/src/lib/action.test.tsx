import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { fill, pressTwice } from '../../test/fill.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { type Action, type Declaration, type Answers, useAction } from './action.ts'
import { AppError, TransportError } from './failure.ts'
import { queryClient } from './query-client.ts'
import { useToasts } from './toasts.ts'

interface Person {
  name: string
}
type Input = Person & Partial<Answers>
type Declared = Declaration<Person, { id: string }>

const mutate = vi.fn<(input: Input) => Promise<{ id: string }>>()
beforeEach(() => {
  mutate.mockReset().mockResolvedValue({ id: '1' })
})
const given = (answers: Answers) => Object.fromEntries(Object.entries(answers).filter(([, answer]) => answer !== ''))

/** Draws a button that acts on Lina; answers the action as it was drawn last. */
function open(declared: Declared): () => Action<Person, { id: string }> {
  let action: Action<Person, { id: string }> | undefined
  function Part() {
    action = useAction({ mutate }, { input: ({ name }: Person, answers) => ({ name, ...given(answers) }), ...declared })
    return <button onClick={() => void action?.run({ name: 'Lina' })}>Act</button>
  }
  renderWithProviders(<Part />)
  return () => {
    if (!action) throw new Error('Nothing was drawn')
    return action
  }
}
const press = (name: string, place: HTMLElement = document.body) =>
  pressTwice(within(place).getByRole('button', { name }))
const dialog = (name: string) => screen.findByRole('dialog', { name })
const toasts = () => useToasts.getState().map(({ type, title, message }) => [type, title, message])
const appError = (code: string, message: string) => new AppError(message, { code })

describe('an action', () => {
  it('runs once however often it is pressed, and resolves to the output', async () => {
    const action = open({ success: ({ id }, { name }) => ({ title: 'Done', message: `${name} ${id}` }) })
    press('Act')
    await waitFor(() => expect(toasts()).toEqual([['success', 'Done', 'Lina 1']]))
    expect(mutate.mock.calls).toEqual([[{ name: 'Lina' }]])
    await act(async () => expect(await action().run({ name: 'Omar' })).toEqual({ id: '1' }))
  })

  it('ignores a reset while it runs', async () => {
    let answer = (_output: { id: string }) => {}
    mutate.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    const action = open({})
    press('Act')
    await waitFor(() => expect(action().isPending).toBe(true))
    act(() => action().reset())
    expect(action().isPending).toBe(true)
    act(() => answer({ id: '1' }))
    await waitFor(() => expect(action().isPending).toBe(false))
  })

  it('leaves no password in the mutation cache', async () => {
    open({ password: { title: 'Password', confirmLabel: 'Go' } })
    press('Act')
    const question = await dialog('Password')
    await fill(within(question).getByLabelText('Your password', { exact: false }), 'Secret-2026')
    press('Go', question)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(mutate).toHaveBeenCalledWith({ name: 'Lina', password: 'Secret-2026' })
    expect(
      JSON.stringify(
        queryClient
          .getMutationCache()
          .getAll()
          .map(({ state }) => state),
      ),
    ).not.toContain('Secret')
  })

  it('asks for confirmation, does nothing when cancelled, and is busy in the dialog', async () => {
    open({ confirm: ({ name }) => ({ title: `Ban ${name}?`, confirmLabel: 'Ban' }) })
    press('Act')
    press('Cancel', await screen.findByRole('alertdialog', { name: 'Ban Lina?' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(mutate).not.toHaveBeenCalled()
    press('Act')
    press('Ban', await screen.findByRole('alertdialog'))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(mutate).toHaveBeenCalledOnce()
  })

  it('asks for a text, a confirmation and the password, in this order', async () => {
    open({
      prompt: { title: 'Warn', label: 'Reason' },
      confirm: { title: 'Sure?', confirmLabel: 'Yes' },
      password: { title: 'Password', confirmLabel: 'Go' },
    })
    press('Act')
    const prompt = await dialog('Warn')
    await fill(within(prompt).getByLabelText('Reason', { exact: false }), 'Rude')
    press('Confirm', prompt)
    press('Yes', await screen.findByRole('alertdialog', { name: 'Sure?' }))
    const password = await dialog('Password')
    await fill(within(password).getByLabelText('Your password'), 'Majorelle-2026')
    press('Go', password)
    await waitFor(() => expect(mutate).toHaveBeenCalledOnce())
    expect(mutate).toHaveBeenCalledWith({ name: 'Lina', text: 'Rude', password: 'Majorelle-2026' })
  })

  const openPassword = async () => {
    open({ prompt: { title: 'Warn', label: 'Reason' }, password: { title: 'Password', confirmLabel: 'Go' } })
    press('Act')
    const prompt = await dialog('Warn')
    await fill(within(prompt).getByLabelText('Reason', { exact: false }), 'Rude')
    press('Confirm', prompt)
    return dialog('Password')
  }

  it('returns to the typed text when the password is cancelled', async () => {
    press('Cancel', await openPassword())
    const reopened = await dialog('Warn')
    expect(within(reopened).getByLabelText<HTMLInputElement>('Reason', { exact: false }).value).toBe('Rude')
    press('Confirm', reopened)
    press('Cancel', await dialog('Password'))
    press('Cancel', await dialog('Warn'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(mutate).not.toHaveBeenCalled()
  })

  it('does not return to the text when Back closes the password', async () => {
    await openPassword()
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
    await act(() => Promise.resolve())
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('does nothing if the text is unchanged', async () => {
    open({ prompt: { title: 'Rename', label: 'Name', initial: 'Oudaya' } })
    press('Act')
    press('Confirm', await dialog('Rename'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(mutate).not.toHaveBeenCalled()
  })
})

describe('a failure', () => {
  const withPassword = async (declared: Declared) => {
    const action = open({ password: { title: 'Password', confirmLabel: 'Go' }, ...declared })
    press('Act')
    const passwordDialog = await dialog('Password')
    await fill(within(passwordDialog).getByLabelText('Your password'), 'Majorelle-2026')
    press('Go', passwordDialog)
    return { action, passwordDialog }
  }

  it('about the password is shown in its dialog, which can be retried', async () => {
    mutate.mockRejectedValueOnce(appError('WRONG_PASSWORD', 'The password you entered is incorrect.'))
    const { passwordDialog } = await withPassword({ failure: 'Failed to ban user', success: 'Banned' })
    expect(await within(passwordDialog).findByText('The password you entered is incorrect.')).toBeDefined()
    expect(toasts()).toEqual([['error', 'Invalid Password', 'The password you entered is incorrect.']])
    press('Go', passwordDialog)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(toasts().at(-1)).toEqual(['success', 'Banned', undefined])
  })

  it('of the connection is shown in a toast and in the dialog, which can be retried', async () => {
    mutate.mockRejectedValueOnce(new TransportError('network', 'No way'))
    const { passwordDialog } = await withPassword({ failure: 'Failed to ban user' })
    expect(await within(passwordDialog).findByText('No way')).toBeDefined()
    expect(toasts()).toEqual([['error', 'Error', 'No way']])
  })

  it('with an error of the server is shown once, in a toast, and closes the dialog', async () => {
    mutate.mockRejectedValueOnce(appError('ALREADY_BANNED', 'This user is already banned'))
    const { action } = await withPassword({ failure: { title: 'Not banned' } })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(toasts()).toEqual([['error', 'Not banned', 'This user is already banned']])
    expect(action().failure).toBeUndefined()
  })

  it('without a declared text is shown in the dialog only', async () => {
    mutate.mockRejectedValueOnce(appError('LAST_ADMIN', 'Somebody must stay'))
    const { passwordDialog } = await withPassword({})
    expect(await within(passwordDialog).findByText('Somebody must stay')).toBeDefined()
    expect(toasts()).toEqual([])
  })

  it('shows the fallback if the server sent no message', async () => {
    mutate.mockRejectedValueOnce(appError('CONFLICT', ''))
    open({ failure: 'Failed to leave team' })
    press('Act')
    await waitFor(() => expect(toasts()).toEqual([['error', 'Error', 'Failed to leave team']]))
  })

  it('closes its toast at the next attempt', async () => {
    mutate.mockRejectedValueOnce(appError('CONFLICT', 'Taken')).mockReturnValueOnce(new Promise(() => {}))
    open({ failure: 'Failed to save' })
    press('Act')
    await waitFor(() => expect(toasts()).toEqual([['error', 'Error', 'Taken']]))
    press('Act')
    await waitFor(() => expect(mutate).toHaveBeenCalledTimes(2))
    expect(useToasts.getState().filter((record) => record.open)).toEqual([])
  })

  it('shows what the declared function returns', async () => {
    mutate.mockRejectedValueOnce(appError('TEAM_FULL', 'This team is full'))
    const onFailure = vi.fn<() => void>()
    open({ onFailure, failure: ({ code }, { name }) => ({ title: `${code}`, message: `No seat for ${name}` }) })
    press('Act')
    await waitFor(() => expect(toasts().at(-1)).toEqual(['error', 'TEAM_FULL', 'No seat for Lina']))
    expect(onFailure).toHaveBeenCalledOnce()
  })

  it('about a password is a toast if no dialog asked for it', async () => {
    mutate.mockRejectedValueOnce(appError('WRONG_CURRENT_PASSWORD', 'Wrong password'))
    open({ fields: () => true, failure: { title: 'Password change failed' } })
    press('Act')
    await waitFor(() => expect(toasts()).toEqual([['error', 'Password change failed', 'Wrong password']]))
  })

  it('about a field is shown there and in the toast', async () => {
    mutate.mockRejectedValueOnce(appError('VALIDATION', 'Too short'))
    const action = open({ fields: () => true, failure: 'Failed to save' })
    press('Act')
    await waitFor(() => expect(action().isPending).toBe(false))
    expect([toasts(), action().failure]).toEqual([[['error', 'Error', 'Too short']], undefined])
  })

  it('is shown inline if no toast shows it, until the next attempt', async () => {
    mutate.mockRejectedValueOnce(appError('CONFLICT', 'Taken'))
    const action = open({})
    press('Act')
    await waitFor(() => expect(action().failure?.message).toBe('Taken'))
    press('Act')
    await waitFor(() => expect(action().failure).toBeUndefined())
  })

  it('of a prompt with `showsError` is shown at its field', async () => {
    mutate.mockRejectedValueOnce(appError('DUPLICATE_NAME', 'Taken'))
    open({ prompt: { title: 'Rename', label: 'Name', showsError: true } })
    press('Act')
    const prompt = await dialog('Rename')
    await fill(within(prompt).getByLabelText('Name', { exact: false }), 'Oudaya')
    press('Confirm', prompt)
    expect(await within(prompt).findByText('Taken')).toBeDefined()
    press('Confirm', prompt)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('invalidation', () => {
  const isStale = (path: string) => queryClient.getQueryState([path.split('.')])?.isInvalidated
  const know = () => {
    for (const path of ['teams.list', 'teams.get', 'users.list', 'users.listAll'])
      queryClient.setQueryData([path.split('.')], {})
  }

  it('concerns the declared path prefixes only', async () => {
    const action = open({ invalidates: ['teams', 'users.list'] })
    know()
    await act(() => action().run({ name: 'Lina' }))
    expect(['teams.list', 'teams.get', 'users.list', 'users.listAll'].map(isStale)).toEqual([true, true, true, false])
  })

  it('is delayed as declared', async () => {
    vi.useFakeTimers()
    const action = open({ later: { ms: 500, invalidates: ['teams'] } })
    know()
    await act(() => action().run({ name: 'Lina' }))
    await act(() => vi.advanceTimersByTimeAsync(499))
    expect(isStale('teams.list')).toBe(false)
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(isStale('teams.list')).toBe(true)
  })

  it('happens after an error of the server too, not after a network error', async () => {
    const action = open({ invalidates: ['teams'] })
    know()
    mutate.mockRejectedValueOnce(new TransportError('network', 'No way'))
    await act(() => action().run({ name: 'Lina' }))
    expect(isStale('teams.list')).toBe(false)
    mutate.mockRejectedValueOnce(appError('TEAM_FULL', 'This team is full'))
    await act(() => action().run({ name: 'Lina' }))
    expect(isStale('teams.list')).toBe(true)
  })

  it('concerns every query if the page reloads', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    const action = open({ reloads: true })
    mutate.mockRejectedValueOnce(appError('CONFLICT', 'No'))
    await act(() => action().run({ name: 'Lina' }))
    expect(reload).not.toHaveBeenCalled()
    await act(() => action().run({ name: 'Lina' }))
    expect(reload).toHaveBeenCalledOnce()
    document.body.inert = false
  })
})
