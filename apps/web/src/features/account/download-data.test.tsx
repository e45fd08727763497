import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { DownloadData } from './download-data.tsx'

async function pressDownload(respond: () => Promise<Response>) {
  signIn()
  vi.stubGlobal('fetch', vi.fn(respond))
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  renderWithProviders(<DownloadData />)
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  return saved
}

it('saves the archive under the server’s name', async () => {
  const headers = { 'content-disposition': `attachment; filename="Community-2026-11-24.zip"` }
  const saved = await pressDownload(async () => new Response('zip', { headers }))
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(saved.mock.contexts[0]).toMatchObject({ download: 'Community-2026-11-24.zip' })
  expect(screen.queryByRole('alert')).toBeNull()
})

it('saves the archive under its name in Arabic', async () => {
  const name = `filename="_-2026.zip"; filename*=UTF-8''${encodeURIComponent('المجتمع-2026.zip')}`
  const saved = await pressDownload(
    async () => new Response('zip', { headers: { 'content-disposition': `attachment; ${name}` } }),
  )
  await waitFor(() => expect(saved).toHaveBeenCalledOnce())
  expect(saved.mock.contexts[0]).toMatchObject({ download: 'المجتمع-2026.zip' })
})

it('saves nothing of an interrupted download and says so', async () => {
  const interrupted = new ReadableStream({ start: (stream) => stream.error(new Error('aborted')) })
  const saved = await pressDownload(async () => new Response(interrupted))
  expect((await screen.findByRole('alert')).textContent).toContain('Network error')
  expect(saved).not.toHaveBeenCalled()
})

it('shows the server’s error', async () => {
  const rejection = {
    success: false,
    code: 'UNAVAILABLE',
    message: 'The service is unavailable right now. Please try again.',
  }
  const saved = await pressDownload(async () => Response.json(rejection, { status: 503 }))
  expect((await screen.findByRole('alert')).textContent).toContain('The service is unavailable right now.')
  expect(saved).not.toHaveBeenCalled()
})
