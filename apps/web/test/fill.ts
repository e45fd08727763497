import { act } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

/** Replaces a field's text. Pasted, not typed: a key at a time takes seconds on a busy machine. */
export async function fill(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}

/** Presses a button twice before anything can be drawn: what a quick double press is on a slow phone. */
export function pressTwice(button: HTMLElement): void {
  act(() => {
    button.click()
    button.click()
  })
}
