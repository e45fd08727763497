import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'

/** Presses a toast's button once the toast takes clicks: Radix ignores them until an effect has counted the toasts. */
export async function pressInToast(name: string): Promise<void> {
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(button.closest('[style*="pointer-events: none"]')).toBeNull())
  await userEvent.click(button)
}
