import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useFocusKeeper } from './focus-keeper.ts'

function List({ names }: { names: readonly string[] }) {
  useFocusKeeper()
  return (
    <div tabIndex={-1} data-testid="container">
      {names.length === 0 ? (
        <p>None</p>
      ) : (
        <ul>
          {names.map((name) => (
            <li key={name}>
              <button type="button">{name}</button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function open(...names: string[]) {
  const { rerender } = render(<List names={names} />)
  return (...left: string[]) => act(async () => rerender(<List names={left} />))
}
const focus = (name: string) => act(() => screen.getByRole('button', { name }).focus())
const focusedText = () => document.activeElement?.textContent

it('moves the focus to the next row, or the one before if the last was removed', async () => {
  const show = open('Sara', 'Amine', 'Rim')
  focus('Amine')
  await show('Sara', 'Rim')
  expect(document.activeElement?.tagName).toBe('LI')
  expect(focusedText()).toBe('Rim')
  focus('Rim')
  await show('Sara')
  expect(focusedText()).toBe('Sara')
})

it('moves the focus to the container when no row is left, or the next one is gone too', async () => {
  const show = open('Sara', 'Amine', 'Rim')
  const container = screen.getByTestId('container')
  focus('Sara')
  await show('Rim')
  expect(document.activeElement).toBe(container)
  focus('Rim')
  await show()
  expect(document.activeElement).toBe(container)
})

it('scrolls to the row that got the focus, unless it is far from what the user reads', async () => {
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView')
  const place = vi.spyOn(Element.prototype, 'getBoundingClientRect')
  const show = open('Sara', 'Amine', 'Rim')
  for (const [removed, left, y, scrolls] of [
    ['Rim', ['Sara', 'Amine'], -100, 1],
    ['Amine', ['Sara'], -5000, 0],
  ] as const) {
    focus(removed)
    scroll.mockClear()
    place.mockReturnValue(new DOMRect(0, y, 300, 200))
    await show(...left)
    expect(scroll).toHaveBeenCalledTimes(scrolls)
  }
  vi.restoreAllMocks()
})

it('leaves the focus where the page or the user has moved it', async () => {
  const show = open('Sara', 'Amine', 'Rim')
  focus('Sara')
  focus('Rim')
  await show('Amine', 'Rim')
  expect(focusedText()).toBe('Rim')
  await act(async () => screen.getByRole('button', { name: 'Rim' }).blur())
  await show('Amine')
  expect(document.activeElement).toBe(document.body)
})
