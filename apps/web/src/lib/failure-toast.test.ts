import { renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { toast, useToasts } from './toasts.ts'
import { useFailureToast } from './failure-toast.ts'

it('shows an error once, also after mounting again, and shows the next one', () => {
  const toasts = renderHook(() =>
    useToasts()
      .filter(({ open }) => open)
      .map(({ message }) => message),
  )
  const shownMessages = (error: unknown) => {
    toast.clear()
    renderHook(() => useFailureToast(error, { fallback: 'Failed to load' })).unmount()
    toasts.rerender()
    return toasts.result.current
  }
  const failure = new Error('Away')
  expect(shownMessages(null)).toEqual([])
  expect(shownMessages(failure)).toEqual(['Away'])
  expect(shownMessages(failure)).toEqual([])
  expect(shownMessages(new Error('Away'))).toEqual(['Away'])
})
