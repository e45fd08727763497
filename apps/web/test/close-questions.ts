import { act, screen } from '@testing-library/react'

/** Leaves the questions that a test left open: they outlive its page, and would lie over the next one's. */
export function closeQuestions(): void {
  act(() => {
    for (const button of screen.queryAllByRole('button', { name: 'Cancel', hidden: true })) button.click()
  })
}
