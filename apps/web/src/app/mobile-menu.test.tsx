import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { toast, useToasts } from '../lib/toasts.ts'
import { MobileMenu } from './mobile-menu.tsx'

it('closes toasts, which would cover its buttons, but no errors', async () => {
  act(() => {
    toast.success('Left Team')
    toast.info('Working')
    toast.error('Login failed')
  })
  renderWithProviders(<MobileMenu onClose={() => {}} />)
  expect(await screen.findByRole('dialog', { name: 'Menu' })).toBeDefined()
  expect(useToasts.getState().flatMap(({ open, title }) => (open ? [title] : []))).toEqual(['Login failed'])
  act(() => toast.clear())
})

it('begins at the top, not at the theme, which is its only field', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({ matches: true, media: query }) as never)
  renderWithProviders(<MobileMenu onClose={() => {}} />)
  expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Close' }))
})
