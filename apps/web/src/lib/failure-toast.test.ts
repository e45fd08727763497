import { renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { toast, useToasts } from './toasts.ts'
import { useFailureToast } from './failure-toast.ts'

afterEach(() => {
  toast.clear()
})

it('shows an error once, also after mounting again, and shows the next one', () => {
  const toasts = renderHook(() =>
    useToasts()
      .filter(({ open }) => open)
      .map(({ message }) => message),
  )
  const told = (error: unknown) => {
    toast.clear()
    renderHook(() => useFailureToast(error, 'Failed to load')).unmount()
    toasts.rerender()
    return toasts.result.current
  }
  const failure = new Error('Away')
  expect(told(null)).toEqual([])
  expect(told(failure)).toEqual(['Away'])
  expect(told(failure)).toEqual([])
  expect(told(new Error('Away'))).toEqual(['Away'])
})
