import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { LazyDialog } from './lazy-dialog.tsx'

it('leaves the page as it is if the scripts do not load, and says so above everything', async () => {
  // React logs errors that a boundary catches.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const Part = lazyWithRetry(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
  const { container } = render(
    <section>
      <h2>Challenges</h2>
      <LazyDialog>
        <Part />
      </LazyDialog>
    </section>,
  )
  const error = await screen.findByRole('alert')
  expect(error.textContent).toContain('This part of the page stopped working')
  expect(screen.getByRole('heading', { name: 'Challenges' })).toBeDefined()
  // A section would contain and clip it.
  expect(container.contains(error)).toBe(false)
})
