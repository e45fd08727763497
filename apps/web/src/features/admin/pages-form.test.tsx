import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { fakeBackend } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { PagesForm } from './pages-form.tsx'

beforeEach(() => void signIn({ role: 'admin' }))
it('edits one page in one language, and shows the default text as a placeholder', async () => {
  const { inputsOf } = fakeBackend({
    'system.page': ({ page, language }) => ({
      page: { markdown: `# ${page} ${language}`, isDefault: page === 'privacy' },
    }),
    'admin.setPage': () => ({}),
  })
  renderWithProviders(<PagesForm />)
  const privacy = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Privacy/ })
  expect([privacy.value, privacy.placeholder]).toEqual(['', '# privacy en'])
  await userEvent.selectOptions(screen.getByLabelText('Document'), 'Terms')
  await userEvent.selectOptions(screen.getByLabelText('Language'), 'Français')
  const terms = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Terms/ })
  await waitFor(() => expect(terms().value).toBe('# terms fr'))
  const field = terms()
  await userEvent.clear(field)
  await userEvent.type(field, 'Bonjour')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await userEvent.type(await screen.findByLabelText('Your password'), 'Majorelle-2026')
  await userEvent.keyboard('{Enter}')
  await waitFor(() =>
    expect(inputsOf('admin.setPage')).toEqual([
      { page: 'terms', language: 'fr', markdown: 'Bonjour', password: 'Majorelle-2026' },
    ]),
  )
})

it('keeps a text that is not saved while another page is chosen', async () => {
  fakeBackend({ 'system.page': ({ page }) => ({ page: { markdown: `# ${page}`, isDefault: false } }) })
  renderWithProviders(<PagesForm />)
  await userEvent.type(await screen.findByRole('textbox', { name: /^Privacy/ }), ', unsaved')
  await userEvent.selectOptions(screen.getByLabelText('Document'), 'Terms')
  await waitFor(() =>
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Terms/ }).value).toBe('# terms'),
  )
  await userEvent.selectOptions(screen.getByLabelText('Document'), 'Privacy')
  const privacy = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Privacy/ })
  expect(privacy.value).toBe('# privacy, unsaved')
})

it('keeps a text that is not saved while another tab is open, for the same user', async () => {
  fakeBackend({ 'system.page': () => ({ page: { markdown: '# Old', isDefault: false } }), 'admin.setPage': () => ({}) })
  const openAs = async (id: string) => {
    signIn({ role: 'admin', id })
    const { unmount } = renderWithProviders(<PagesForm />)
    return { unmount, field: await screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Privacy/ }) }
  }
  const first = await openAs('1')
  await userEvent.type(first.field, ', unsaved')
  first.unmount()
  const other = await openAs('2')
  expect(other.field.value).toBe('# Old')
  other.unmount()
  const again = await openAs('1')
  expect(again.field.value).toBe('# Old, unsaved')
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
  expect(again.field.value).toBe('# Old')

  await userEvent.type(again.field, ', saved')
  expect(screen.queryByText('We kept your draft.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await userEvent.type(await screen.findByLabelText('Your password'), 'Majorelle-2026')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(again.field.value).toBe('# Old'))
  again.unmount()
  const last = await openAs('1')
  expect(last.field.value).toBe('# Old')
})

it('does not start from an outdated text in the cache', async () => {
  const texts = ['# Old', '# New']
  fakeBackend({ 'system.page': () => ({ page: { markdown: texts.shift() ?? '', isDefault: false } }) })
  const first = renderWithProviders(<PagesForm />)
  await screen.findByDisplayValue('# Old')
  first.unmount()
  renderWithProviders(<PagesForm />)
  expect(screen.queryByDisplayValue('# Old')).toBeNull()
  await screen.findByDisplayValue('# New')
})
