import type { MessageParams } from '@community/contract'
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../lib/failure.ts'
import { activateLanguage } from '../lib/i18n.ts'
import { fieldErrorsToast, toast, useToasts } from '../lib/toasts.ts'
import { Dialog } from './dialog.tsx'
import { Toaster } from './toaster.tsx'

const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

beforeEach(async () => {
  vi.useFakeTimers()
  render(<Toaster />)
  await wait(0)
})
afterEach(async () => {
  await wait(1000)
})

const shown = (title: string) => screen.queryByText(title, { selector: 'li *' })

async function swipe(title: string, distance: number): Promise<void> {
  const card = shown(title)?.closest('li') ?? document.body
  // happy-dom has no pointer capture.
  card.setPointerCapture = () => {}
  card.hasPointerCapture = () => false
  const at = (clientX: number) => ({ clientX, clientY: 0, button: 0, buttons: 1, pointerId: 1, pointerType: 'mouse' })
  fireEvent.pointerDown(card, at(500))
  fireEvent.pointerMove(card, at(500 + distance / 2))
  fireEvent.pointerMove(card, at(500 + distance))
  fireEvent.pointerUp(card, at(500 + distance))
  await wait(400)
}

describe('Toaster', () => {
  it('closes a toast after 5000 ms and removes it 300 ms later', async () => {
    act(() => void toast.success('Team Created!', 'Atlas Lions'))
    await wait(4900)
    expect(shown('Team Created!')?.closest('li')?.dataset['state']).toBe('open')
    await wait(150)
    expect(shown('Team Created!')?.closest('li')?.dataset['state'] ?? 'closed').toBe('closed')
    await wait(300)
    expect(shown('Team Created!')).toBeNull()
  })

  it('shows an error as an alert', async () => {
    act(() => void toast.error('Error', 'Failed to load teams'))
    await wait(50)
    expect(screen.getByRole('alert').textContent).toBe('ErrorFailed to load teams')
  })

  it('lists what is wrong as bullets titled Validation Error', async () => {
    act(
      () =>
        void toast.show(
          fieldErrorsToast(
            ['Password must be at least 6 characters', 'Please enter a valid email address'].map((message) => ({
              message,
            })),
          ),
        ),
    )
    await wait(50)
    expect(shown('Validation Error')).not.toBeNull()
    const bullets = [...document.querySelectorAll('li li')].map((bullet) => bullet.textContent)
    expect(bullets).toEqual(['Password must be at least 6 characters', 'Please enter a valid email address'])
  })

  it('shows the same error of two fields once', async () => {
    const link = 'Please enter a valid link (http or https)'
    act(() => void toast.show(fieldErrorsToast([link, 'Role is required', link].map((message) => ({ message })))))
    await wait(50)
    const bullets = [...document.querySelectorAll('li li')].map((bullet) => bullet.textContent)
    expect(bullets).toEqual([link, 'Role is required'])
  })

  it('dismisses a toast by a swipe right of more than 100 px only', async () => {
    act(() => void toast.info('Swipe me'))
    await wait(50)
    await swipe('Swipe me', 99)
    expect(shown('Swipe me')).not.toBeNull()
    await swipe('Swipe me', -150)
    expect(shown('Swipe me')).not.toBeNull()
    await swipe('Swipe me', 101)
    expect(shown('Swipe me')).toBeNull()
  })

  it('translates messages of the server into Arabic with their values, and shows unknown ones in their own direction', async () => {
    await act(() => activateLanguage('ar'))
    const said = (message: string, template?: string, params?: MessageParams) => {
      act(() => void toast.failure(new AppError(message, { template, params }), { title: 'خطأ' }))
      return shown('خطأ')?.parentElement?.lastElementChild?.textContent
    }
    const applied = 'A member of this team has already applied to “{title}” with another team'
    expect(said(applied.replace('{title}', 'Atlas: 2030'), applied, { title: 'Atlas: 2030' })).toBe(
      'سبق لأحد أعضاء هذا الفريق أن شارك في «\u2068Atlas: 2030\u2069» مع فريق آخر',
    )
    act(() => toast.clear())
    await wait(400)
    // Without its marks the full stop would stand at the wrong end.
    expect(said('Upstream is asleep.')).toBe('\u2068Upstream is asleep.\u2069')
  })

  it('dismisses a toast by a swipe left in Arabic', async () => {
    await act(() => activateLanguage('ar'))
    act(() => void toast.info('Swipe me'))
    await wait(50)
    await swipe('Swipe me', -101)
    expect(shown('Swipe me')).toBeNull()
  })

  it('replaces an identical toast and restarts its duration', async () => {
    act(() => void toast.error('Data Error', 'Upstream is asleep'))
    const [first] = useToasts.getState()
    await wait(4000)
    act(() => {
      expect(toast.error('Data Error', 'Upstream is asleep')).toBe(first?.id)
      toast.error('Data Error', 'Something else')
    })
    await wait(50)
    expect(screen.getAllByRole('alert')).toHaveLength(2)
    await wait(4000)
    expect(screen.getAllByRole('alert')).toHaveLength(2)
    await wait(1400)
    expect(screen.queryAllByRole('alert')).toHaveLength(0)
  })

  describe('on the next page', () => {
    /** Loads the app anew, and mounts its toaster `drawnAfter` milliseconds later. Returns a function that reads the open toasts' titles. */
    async function openNextPage(drawnAfter = 0) {
      vi.resetModules()
      const [toasts, toaster] = await Promise.all([import('../lib/toasts.ts'), import('./toaster.tsx')])
      await wait(drawnAfter)
      render(<toaster.Toaster />)
      const { result } = renderHook(() => toasts.useToasts())
      return () => result.current.filter(({ open }) => open).map(({ title }) => title)
    }

    it('shows open toasts for 5 s from their first drawing', async () => {
      act(() => void toast.success('Left Team'))
      await wait(3000)
      const titles = await openNextPage(4000)
      expect(titles()).toEqual(['Left Team'])
      await wait(4900)
      expect(titles()).toEqual(['Left Team'])
      await wait(200)
      expect(titles()).toEqual([])
    })

    it('keeps a toast open while it is hovered', async () => {
      act(() => void toast.success('Left Team'))
      await wait(3000)
      const titles = await openNextPage()
      // The last one, because the previous page's toaster is still mounted.
      const card = screen.getAllByText('Left Team', { selector: 'li *' }).at(-1)?.closest('li')
      vi.spyOn(card ?? document.body, 'matches').mockReturnValue(true)
      await wait(5100)
      expect(titles()).toEqual(['Left Team'])
    })

    it('shows a toast after one reload only', async () => {
      act(() => void toast.success('Left Team'))
      expect((await openNextPage())()).toEqual(['Left Team'])
      expect((await openNextPage())()).toEqual([])
    })

    it('shows a longer toast for 5 s too', async () => {
      act(() => void toast.success('Left Team', undefined, { duration: 60_000 }))
      await wait(5001)
      const titles = await openNextPage()
      expect(titles()).toEqual(['Left Team'])
      await wait(5001)
      expect(titles()).toEqual([])
    })

    it('shows no toast older than 30 s', async () => {
      act(() => void toast.success('Left Team', undefined, { duration: 60_000 }))
      await wait(30_001)
      expect((await openNextPage())()).toEqual([])
    })

    it('shows no toast that could not be drawn for 30 s', async () => {
      act(() => void toast.success('Left Team'))
      const titles = await openNextPage(30_001)
      await wait(10)
      expect(titles()).toEqual([])
    })

    it('shows an error older than 5 s after a reload, but not after a navigation', async () => {
      const navigation = vi.spyOn(performance, 'getEntriesByType')
      for (const [type, titles] of [
        ['reload', ['Login failed']],
        ['navigate', []],
      ] as const) {
        navigation.mockReturnValue([{ type } as PerformanceNavigationTiming])
        act(() => void toast.show({ type: 'error', title: 'Login failed', duration: 60_000 }))
        await wait(5001)
        expect((await openNextPage())()).toEqual(titles)
      }
      navigation.mockRestore()
    })

    it('shows no error beside a success', async () => {
      act(() => void toast.error('Invalid Password'))
      act(() => void toast.warning('Not mailed'))
      act(() => void toast.success('Your account was deleted'))
      expect((await openNextPage())()).toEqual(['Not mailed', 'Your account was deleted'])
    })

    it('shows no errors of fields, whose form is gone', async () => {
      act(() => void toast.show(fieldErrorsToast([{ message: 'Title is required' }])))
      act(() => void toast.failure(new AppError('Title is taken', { code: 'VALIDATION' }), { title: 'Not created' }))
      act(() => void toast.error('Failed to load challenges'))
      expect((await openNextPage())()).toEqual(['Failed to load challenges'])
    })

    it('shows no toast from the future, after the clock was set back', async () => {
      act(() => void toast.success('Left Team'))
      vi.setSystemTime(Date.now() - 3_600_000)
      expect((await openNextPage())()).toEqual([])
    })
  })
})

describe('Escape', () => {
  const press = (place: Element) => act(() => void fireEvent.keyDown(place, { key: 'Escape' }))

  it('closes the dialog below a toast, not the toast', async () => {
    const onOpenChange = vi.fn()
    render(
      <Dialog open title="Create Challenge" onOpenChange={onOpenChange}>
        <p>Body</p>
      </Dialog>,
    )
    await wait(0)
    act(() => void toast.show(fieldErrorsToast([{ message: 'Title is required' }])))
    await wait(50)
    press(screen.getByRole('dialog'))
    await wait(400)
    expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(false)
    expect(shown('Validation Error')).not.toBeNull()
  })

  it('closes neither a dialog that is not dismissible nor the toast', async () => {
    const onOpenChange = vi.fn()
    render(
      <Dialog open dismissible={false} title="Create Challenge" onOpenChange={onOpenChange}>
        <p>Body</p>
      </Dialog>,
    )
    await wait(0)
    act(() => void toast.info('Working'))
    await wait(50)
    press(screen.getByRole('dialog'))
    expect(onOpenChange).not.toHaveBeenCalled()
  })

  it('closes a toast if there is no dialog', async () => {
    act(() => void toast.info('Left Team'))
    await wait(50)
    press(document.body)
    await wait(400)
    expect(shown('Left Team')).toBeNull()
  })
})

it('shows toasts at the top while an on-screen keyboard is open, away from the field above it', () => {
  const view = Object.assign(new EventTarget(), { scale: 1, height: window.innerHeight - 300, offsetTop: 0 })
  vi.stubGlobal('visualViewport', view)
  cleanup()
  render(<Toaster />)
  const place = () => {
    const { top, bottom } = document.querySelector<HTMLElement>('ol')?.style ?? {}
    return [top, bottom]
  }
  const resize = (changes: Partial<typeof view>) =>
    act(() => {
      Object.assign(view, changes)
      view.dispatchEvent(new Event('resize'))
    })
  expect(place()).toEqual(['0px', 'auto'])
  resize({ offsetTop: 120 })
  expect(place()).toEqual(['120px', 'auto'])
  resize({ height: window.innerHeight, offsetTop: 0 })
  expect(place()).toEqual(['', ''])
  vi.unstubAllGlobals()
})
