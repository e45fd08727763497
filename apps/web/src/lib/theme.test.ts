import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type * as themeModule from './theme.ts'

it('follows the system also if it changes just before a render', async () => {
  // As in Chromium: the event is not fired if `matches` was read since the change.
  const system = { isDark: false, known: false, listener: () => {} }
  vi.spyOn(window, 'matchMedia').mockReturnValue({
    get matches() {
      return (system.known = system.isDark)
    },
    addEventListener: (_name: string, listener: () => void) => (system.listener = listener),
  } as unknown as MediaQueryList)
  // An instance of its own: a page reads the media query when it loads.
  const instance = './theme.ts?instance'
  const { useTheme } = (await import(/* @vite-ignore */ instance)) as typeof themeModule
  const { result, rerender } = renderHook(useTheme)
  system.isDark = true
  rerender()
  act(() => {
    if (system.known !== system.isDark) system.listener()
  })
  expect(result.current.drawn).toBe('dark')
  expect(document.documentElement.dataset['theme']).toBe('dark')
})
