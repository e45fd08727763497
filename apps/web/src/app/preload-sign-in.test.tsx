import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { Header } from './header.tsx'

const onLoad = vi.fn<(part: string) => void>()

beforeEach(() => {
  onLoad.mockReset()
  vi.resetModules()
  vi.doMock('./dialog-of.tsx', () => {
    onLoad('dialogs')
    return {}
  })
  vi.doMock('../features/auth/index.tsx', () => {
    onLoad('sign-in')
    return {}
  })
})

it.each([
  ['Sign In', 'press', fireEvent.pointerDown],
  ['Sign Up', 'focus', fireEvent.focus],
] as const)('%s loads the scripts of the dialog at the %s, not before', async (name, _event, reach) => {
  renderWithProviders(<Header />)
  const button = screen.getByRole('button', { name })
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(onLoad).not.toHaveBeenCalled()
  reach(button)
  await vi.waitFor(() => expect(onLoad.mock.calls.flat().toSorted()).toEqual(['dialogs', 'sign-in']))
})
