import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { Exports } from './exports.tsx'

const fetched = vi.fn<(path: string, init?: RequestInit) => Promise<Response>>()
beforeEach(() => {
  signIn({ role: 'admin' })
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
})
const file = (name: string) =>
  new Response('x', { headers: { 'content-disposition': `attachment; filename="${name}"` } })

it.each([
  ['Teams with members (CSV)', 'teams'],
  ['Submissions (CSV)', 'submissions'],
  ['Leaderboard (CSV)', 'leaderboard'],
  ['Audit log (CSV)', 'audit'],
])('saves the table of “%s”', async (button, table) => {
  fetched.mockResolvedValue(file('table.csv'))
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  renderWithProviders(<Exports />)
  await userEvent.click(screen.getByRole('button', { name: button }))
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(fetched.mock.calls.map(([path, init]) => [path, init?.method])).toEqual([
    [`/api/admin/export/${table}.csv`, undefined],
  ])
})

it('saves everything for the password', async () => {
  fetched.mockResolvedValue(file('archive.zip'))
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  renderWithProviders(<Exports />)
  await userEvent.click(screen.getByRole('button', { name: 'Everything (ZIP)' }))
  await userEvent.type(await screen.findByLabelText('Your password'), 'Majorelle-2026')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(fetched.mock.calls.map(([path, init]) => [path, init?.method, init?.body])).toEqual([
    ['/api/admin/export', 'POST', '{"password":"Majorelle-2026"}'],
  ])
})

it('shows the server’s refusal of a table', async () => {
  const refusal = {
    success: false,
    code: 'UNAVAILABLE',
    message: 'The service is unavailable right now. Please try again.',
  }
  fetched.mockResolvedValue(Response.json(refusal, { status: 503 }))
  renderWithProviders(<Exports />)
  await userEvent.click(screen.getByRole('button', { name: 'Audit log (CSV)' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The service is unavailable right now.')
})
