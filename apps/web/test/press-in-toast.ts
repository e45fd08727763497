import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'

/** Presses a button in a toast once that takes clicks: Radix counts the toasts in an effect, and takes none for a count of zero. */
export async function pressInToast(name: string): Promise<void> {
  const button = await screen.findByRole('button', { name })
  await waitFor(() => expect(button.closest('[style*="pointer-events: none"]')).toBeNull())
  await userEvent.click(button)
}
