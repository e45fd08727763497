import userEvent from '@testing-library/user-event'

/** Replaces a field's text. Pasted, not typed: a key at a time takes seconds on a busy machine. */
export async function fill(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field)
  await userEvent.click(field)
  await userEvent.paste(text)
}
