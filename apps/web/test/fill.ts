import { act } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

/** Replaces a field's text. Pastes, as typing key by key is slow. */
export async function fill(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}

/** Clicks a button twice before React can render, like a double tap on a slow phone. */
export function pressTwice(button: HTMLElement): void {
  act(() => {
    button.click()
    button.click()
  })
}

/** The username that password managers see in the form of an element. */
export const usernameForPasswordManager = (element: HTMLElement): string | undefined =>
  element.closest('form')?.querySelector<HTMLInputElement>('input[autocomplete=username]')?.value
