import type { ArchiveImport as Import } from '@community/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeBackend } from '../../../test/fake-backend.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { ArchiveImport } from './archive-import.tsx'

const ID = '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11'
const FILE = new File(['0123456789'], 'season.zip')
const anImport = (changes: Partial<Import> = {}): Import => ({
  id: ID,
  _id: ID,
  fileName: 'season.zip',
  size: 10,
  received: 0,
  partSize: 4,
  status: 'receiving',
  done: 0,
  total: 0,
  fault: null,
  faultDetails: null,
  ...changes,
})

/** The import that the server has. */
let current: Import | null
let isPossible: boolean
beforeEach(() => {
  signIn({ role: 'admin' })
  ;[current, isPossible] = [null, true]
})
/** Renders the section; `respondToPart` answers each part that is sent. */
function open(
  respondToPart: (part: number, signal: AbortSignal) => Response | Promise<Response> = () => Response.json({}),
) {
  const { inputsOf } = fakeBackend({
    'admin.archiveImport': () => ({ isPossible, import: current }),
    'admin.startImport': ({ fileName, size }) => ({ import: (current = anImport({ fileName, size })) }),
    'admin.cancelImport': () => ((current = null), {}),
  })
  const backend = fetch
  const parts: [part: number, text: string][] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit & { signal: AbortSignal }) => {
    const [, part] = /^\/api\/admin\/import\/[\w-]+\/parts\/(\d+)$/.exec(url) ?? []
    if (part === undefined) return backend(url, init)
    expect(init.method).toBe('PUT')
    parts.push([Number(part), await new Response(init.body).text()])
    return respondToPart(Number(part), init.signal)
  })
  const { unmount } = renderWithProviders(<ArchiveImport />)
  return { inputsOf, parts, unmount }
}

const choose = async () => userEvent.upload(await screen.findByLabelText('Archive'), FILE)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
async function enterPassword() {
  await userEvent.type(await screen.findByLabelText('Your password'), 'Majorelle-2026')
  await userEvent.keyboard('{Enter}')
}

it('sends the archive in parts after the password', async () => {
  const { inputsOf, parts } = open((part) => {
    if (part === 2) current = anImport({ received: 10, status: 'waiting' })
    return Response.json({})
  })
  await choose()
  await press('Import')
  await enterPassword()
  expect(await screen.findByText('The import is starting.')).toBeDefined()
  expect(inputsOf('admin.startImport')).toEqual([{ fileName: 'season.zip', size: 10, password: 'Majorelle-2026' }])
  expect(parts).toEqual([
    [0, '0123'],
    [1, '4567'],
    [2, '89'],
  ])
})

it('continues with the parts that have not arrived, without the password', async () => {
  current = anImport({ received: 4 })
  const { inputsOf, parts } = open()
  expect(
    await screen.findByText('Only a part of season.zip has arrived. Choose the same file to continue.'),
  ).toBeDefined()
  await choose()
  await press('Continue the upload')
  await waitFor(() =>
    expect(parts).toEqual([
      [1, '4567'],
      [2, '89'],
    ]),
  )
  expect(inputsOf('admin.startImport')).toEqual([])
})

/** Never responds, until the request is cancelled. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<Response>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

it('continues with what the server has after an upload that broke off', async () => {
  let isAway = true
  const { parts } = open((part) => {
    if (part === 1 && isAway) return new Response('Bad gateway', { status: 502 })
    current = anImport({ received: part * 4 + 4 })
    return Response.json({})
  })
  await choose()
  await press('Import')
  await enterPassword()
  expect((await screen.findByRole('alert')).textContent).toBe('HTTP 502')
  isAway = false
  await press('Continue the upload')
  await waitFor(() => expect(parts.map(([part]) => part)).toEqual([0, 1, 1, 2]))
})

it('sends a part again after a network error', async () => {
  const { parts } = open(() => {
    if (parts.length === 1) throw new TypeError('Failed to fetch')
    return Response.json({})
  })
  await choose()
  await press('Import')
  await enterPassword()
  await waitFor(() => expect(parts.map(([part]) => part)).toEqual([0, 0, 1, 2]))
  expect(screen.queryByRole('alert')).toBeNull()
})

it('shows no error after Cancel upload', async () => {
  open((_part, signal) => untilAborted(signal))
  await choose()
  await press('Import')
  await enterPassword()
  await press('Cancel upload')
  expect(await screen.findByText(/^Only a part of season.zip has arrived/)).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('shows a running upload after a visit to another tab', async () => {
  const { parts, unmount } = open((_part, signal) => untilAborted(signal))
  await choose()
  await press('Import')
  await enterPassword()
  await waitFor(() => expect(parts).toHaveLength(1))
  unmount()
  renderWithProviders(<ArchiveImport />)
  expect(await screen.findByRole('progressbar', { name: 'Upload progress' })).toBeDefined()
  expect(screen.queryByText(/^Only a part/)).toBeNull()
  await press('Cancel upload')
  expect(await screen.findByText(/^Only a part of season.zip has arrived/)).toBeDefined()
})

it('shows why a part was refused, also after a visit to another tab', async () => {
  const refusal = {
    success: false,
    code: 'PRODUCT_NOT_EMPTY',
    message: 'An archive can only be imported into an empty installation',
  }
  let refuse = (_response: Response) => {}
  const { parts, unmount } = open(() => new Promise((resolve) => (refuse = resolve)))
  await choose()
  await press('Import')
  await enterPassword()
  await waitFor(() => expect(parts).toHaveLength(1))
  unmount()
  refuse(Response.json(refusal, { status: 409 }))
  renderWithProviders(<ArchiveImport />)
  expect((await screen.findByRole('alert')).textContent).toContain(refusal.message)
})

it('shows how far a running import is, and its end', async () => {
  current = anImport({ status: 'running', done: 1500, total: 3000 })
  open()
  expect(await screen.findByText('1,500 of 3,000 rows and files')).toBeDefined()
  expect(screen.getByRole('progressbar', { name: 'Import progress' }).getAttribute('value')).toBe('0.5')
  current = anImport({ status: 'done', done: 3000, total: 3000 })
  expect(await screen.findByText(/^Imported 3,000 rows and files/, undefined, { timeout: 3000 })).toBeDefined()
})

it('shows why an import failed, and offers another', async () => {
  current = anImport({ status: 'failed', fault: 'damaged', faultDetails: 'The archive is damaged at objects/x' })
  open()
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The archive is damaged. Download it again.The archive is damaged at objects/x',
  )
  expect(screen.getByRole('button', { name: 'Import' })).toBeDefined()
})

it('shows what an import waits for', async () => {
  const faultDetails = 'The database is not empty (users has other accounts)'
  current = anImport({ status: 'waiting', fault: 'not-empty', faultDetails })
  open()
  expect((await screen.findByRole('alert')).textContent).toBe(
    `This installation is no longer empty. The import continues once you delete what was added.${faultDetails}`,
  )
  expect(screen.getByRole('button', { name: 'Cancel import' })).toBeDefined()
})

it('cancels an import', async () => {
  current = anImport({ status: 'running', total: 3 })
  const { inputsOf } = open()
  await press('Cancel import')
  await press('Back')
  await press('Cancel import')
  await userEvent.click((await screen.findAllByRole('button', { name: 'Cancel import' })).at(-1) as HTMLElement)
  await waitFor(() => expect(inputsOf('admin.cancelImport')).toEqual([{ id: ID }]))
  expect(await screen.findByRole('button', { name: 'Import' })).toBeDefined()
})

it('is not shown in a product that has content', async () => {
  isPossible = false
  const { inputsOf } = open()
  await waitFor(() => expect(inputsOf('admin.archiveImport')).toHaveLength(1))
  expect(screen.queryByText('Import an archive')).toBeNull()
})
