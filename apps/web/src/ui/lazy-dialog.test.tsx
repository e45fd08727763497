import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { Button } from './button.tsx'
import { LazyDialog } from './lazy-dialog.tsx'
import { Sheet } from './sheet.tsx'

const lostPart = () => lazyWithRetry(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))

// React logs errors that a boundary catches.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))

it('leaves the page as it is if the scripts do not load, and says so above everything', async () => {
  const Part = lostPart()
  const { container } = render(
    <section>
      <h2>Challenges</h2>
      <LazyDialog onClose={() => {}}>
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

it('shows the error again at another attempt, also from a dialog that closes with it, until Close', async () => {
  const Part = lostPart()
  function Page() {
    const [shown, setShown] = useState<'menu' | 'part' | null>(null)
    const close = () => setShown(null)
    return (
      <>
        <Button onClick={() => setShown('menu')}>Menu</Button>
        {shown === 'menu' && (
          <Sheet onClose={close} title="Menu">
            <Button onClick={() => setShown('part')}>Sign In</Button>
          </Sheet>
        )}
        {shown === 'part' && (
          <LazyDialog onClose={close}>
            <Part />
          </LazyDialog>
        )}
      </>
    )
  }
  render(<Page />)
  for (const _attempt of [1, 2]) {
    await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    await screen.findByRole('alert')
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('alert')).toBeNull()
  }
})
