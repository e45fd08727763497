import { act, screen } from '@testing-library/react'

/** Closes dialogs that a test left open, as they would still be open in the next test. */
export function closeDialogs(): void {
  act(() => {
    for (const button of screen.queryAllByRole('button', { name: 'Cancel', hidden: true })) button.click()
  })
}
