import { aPreview, aSubmission } from '@community/testing'
import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { expect, it, vi } from 'vitest'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { WorkPreview } from './work-preview.tsx'

const picture = () => screen.queryByRole('img', { name: /^Image submitted/ })
const open = (layout: 'icon' | 'card' | 'whole') =>
  renderWithProviders(<WorkPreview work={aSubmission(1, { preview: aPreview() })} layout={layout} />)
const fail = () => fireEvent.error(picture() ?? document.body)

it('loads a picture that has failed again on request, and keeps the focus in its place', async () => {
  open('whole')
  const box = picture()?.closest('span')
  fail()
  expect(picture()).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(picture()).not.toBeNull()
  expect(screen.queryByText('The image could not be loaded.')).toBeNull()
  expect(document.activeElement).toBe(box)
})

it('loads it again when the connection is back', () => {
  open('card')
  fail()
  act(() => void window.dispatchEvent(new Event('online')))
  expect(picture()).not.toBeNull()
})

it('shows in the place of an icon that the picture has failed, without a button', () => {
  open('icon')
  fail()
  expect(screen.getByRole('img', { name: 'The image could not be loaded.' })).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})

it('keeps the focus in its place when a user who saves data asks for the picture', async () => {
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData: true } }))
  open('card')
  await userEvent.click(screen.getByRole('button', { name: 'Show image' }))
  expect(document.activeElement).toBe(picture()?.closest('span'))
})

it.each(['card', 'whole'] as const)('does not enlarge a small picture (%s)', (layout) => {
  const small = { ...aPreview(), thumbnails: [{ url: '/a.webp', width: 40, height: 60, type: 'image/webp' as const }] }
  renderWithProviders(<WorkPreview work={aSubmission(1, { preview: small })} layout={layout} />)
  expect([picture()?.style.maxWidth, picture()?.style.maxHeight]).toEqual(['40px', '60px'])
})
