import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { fill } from '../../test/fill.ts'
import { TextInput } from './text-input.tsx'

const field = () => screen.getByRole<HTMLInputElement>('textbox')

it.each([
  ['github.com/salma', 'https://github.com/salma'],
  ['salma.ma', 'https://salma.ma'],
  ['example.ma:8443/work?id=1', 'https://example.ma:8443/work?id=1'],
  ['tiktok.com/@salma', 'https://tiktok.com/@salma'],
])('completes the link %s', async (typed, link) => {
  const onChange = vi.fn<(value: string) => void>()
  render(<TextInput type="url" onChange={({ target }) => onChange(target.value)} />)
  await fill(field(), typed)
  expect(field().value).toBe(typed)
  await userEvent.tab()
  expect(field().value).toBe(link)
  expect(onChange).toHaveBeenLastCalledWith(link)
})

it.each(['http://salma.ma', 'ftp://salma.ma', 'javascript:alert(1.5)', 'salma@example.ma', 'my site.ma', 'salma', ''])(
  'leaves %j as it is',
  async (typed) => {
    render(<TextInput type="url" />)
    if (typed) await fill(field(), typed)
    await userEvent.tab()
    expect(field().value).toBe(typed)
  },
)

it('completes no account name with a dot where a link to an account is wanted', async () => {
  render(<TextInput type="url" needsPath />)
  await fill(field(), 'sara.designs')
  await userEvent.tab()
  expect(field().value).toBe('sara.designs')
  await fill(field(), 'instagram.com/sara.designs')
  await userEvent.tab()
  expect(field().value).toBe('https://instagram.com/sara.designs')
})

it('completes a link before Enter submits its form', async () => {
  render(<TextInput type="url" />)
  await fill(field(), 'salma.ma')
  fireEvent.keyDown(field(), { key: 'Enter' })
  expect(field().value).toBe('https://salma.ma')
})

it('changes no other text', async () => {
  render(<TextInput />)
  await fill(field(), 'salma.ma')
  await userEvent.tab()
  expect(field().value).toBe('salma.ma')
})
