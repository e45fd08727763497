import type { StoredFile } from '@community/contract'
import { aChallenge, aSubmission, aTeam, inDays, publicSettings } from '@community/testing'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill, pressTwice } from '../../../test/fill.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { ApplyDialog } from './apply-dialog.tsx'
import { eligibilitiesOf } from './eligibility.ts'
import { saveDraft } from './work-draft.ts'
import { EMPTY_DRAFT } from './work-form.ts'

/** A fake XMLHttpRequest that responds when the test makes it. */
class FakeUpload extends EventTarget {
  static sent: FakeUpload[] = []
  upload = new EventTarget()
  status = 0
  responseText = ''
  form: FormData | null = null
  open(): void {}
  setRequestHeader(): void {}
  send(form: FormData): void {
    this.form = form
    FakeUpload.sent.push(this)
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'))
  }
  reportProgress(loaded: number, total: number): void {
    act(() => void this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total })))
  }
  respond(status: number, body: object | null): void {
    this.status = status
    this.responseText = JSON.stringify(body)
    act(() => void this.dispatchEvent(new Event('load')))
  }
}

const stored: StoredFile = {
  id: 'f1',
  secureUrl: 'https://files.example.ma/f1',
  originalName: 'work.zip',
  fileSize: 3,
  mimeType: 'application/zip',
}
const uploaded = { success: true, message: 'OK', data: { file: stored } }

const alertSpy = vi.fn<(message?: string) => void>()

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  vi.stubGlobal('alert', alertSpy)
})
afterEach(() => {
  FakeUpload.sent = []
  alertSpy.mockReset()
})

async function open(handlers: Handlers = {}) {
  const team = aTeam(1, 'Atlas Lions', { ownerId: signIn().id })
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'challenges.get': () => ({ challenge: aChallenge(1) }),
    'challenges.applyTo': () => ({ submission: aSubmission(1) }),
    ...handlers,
  })
  const ownWork = { userId: team.ownerId ?? '', teams: [team], applications: [] }
  const standings = eligibilitiesOf(aChallenge(1), ownWork, new Date('2026-11-01T10:00:00Z'))
  const onClose = vi.fn<() => void>()
  renderWithProviders(<ApplyDialog challenge={aChallenge(1)} eligibilities={standings} onClose={onClose} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Apply to Challenge' }))
  await userEvent.click(dialog.getByRole('radio', { name: /^Upload/ }))
  const choose = (file: File) => userEvent.upload(dialog.getByLabelText('Choose a file'), file, { applyAccept: false })
  // The alert may appear a moment before the button is idle again.
  const press = async (name: string) => userEvent.click(await dialog.findByRole('button', { name }))
  /** The current upload, once the form has started it. */
  const nextUpload = async (count: number) => {
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(count))
    return FakeUpload.sent[count - 1] as FakeUpload
  }
  return { ...backend, dialog, choose, press, nextUpload, onClose, mine: team }
}

type Opened = Awaited<ReturnType<typeof open>>

const zip = new File(['PK!'], 'work.zip', { type: 'application/zip' })

describe('an application with a file', () => {
  it('uploads the file first, shows the progress, then applies with its URL', async () => {
    const { dialog, choose, press, nextUpload, inputsOf, onClose, mine } = await open()
    await choose(zip)
    await fill(dialog.getByLabelText('Notes'), 'Source inside')
    await press('Submit Application')
    const upload = await nextUpload(1)
    expect(upload.form?.get('file')).toBe(zip)
    upload.reportProgress(1, 4)
    expect(dialog.getByRole<HTMLProgressElement>('progressbar').value).toBe(0.25)
    expect(inputsOf('challenges.applyTo')).toEqual([])
    upload.respond(201, uploaded)
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(inputsOf('challenges.applyTo')).toEqual([
      {
        id: aChallenge(1).id,
        teamId: mine.id,
        applicationNotes: 'Source inside',
        type: 'upload',
        content: stored.secureUrl,
        fileInfo: { originalName: 'work.zip', fileSize: 3, mimeType: 'application/zip' },
      },
    ])
  })

  it('uploads nothing once the deadline has passed, and keeps the file', async () => {
    const { dialog, choose, press, inputsOf, onClose } = await open({
      'challenges.get': () => ({ challenge: aChallenge(1, { deadline: inDays(0) }) }),
    })
    await choose(zip)
    await fill(dialog.getByLabelText('Notes'), 'Source inside')
    await press('Submit Application')
    expect((await dialog.findByRole('alert')).textContent).toBe('The deadline of this challenge has passed')
    expect(FakeUpload.sent).toEqual([])
    expect(inputsOf('challenges.applyTo')).toEqual([])
    expect(alertSpy).not.toHaveBeenCalled()
    expect(onClose).not.toHaveBeenCalled()
    expect(dialog.getByText('work.zip')).toBeDefined()
    expect(dialog.getByLabelText<HTMLTextAreaElement>('Notes').value).toBe('Source inside')
  })

  it('uploads if the deadline cannot be loaded, leaving the decision to the server', async () => {
    const { choose, press, nextUpload, onClose } = await open({
      'challenges.get': () => {
        throw appError('UNAVAILABLE', '')
      },
    })
    await choose(zip)
    await press('Submit Application')
    const upload = await nextUpload(1)
    upload.respond(201, uploaded)
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  })

  it('can be cancelled, which is not shown as a failure', async () => {
    const { dialog, choose, press, nextUpload, inputsOf } = await open()
    await choose(zip)
    await press('Submit Application')
    await nextUpload(1)
    await press('Cancel upload')
    await waitFor(() => expect(dialog.queryByRole('progressbar')).toBeNull())
    expect(dialog.queryByRole('alert')).toBeNull()
    expect(dialog.getByText('work.zip')).toBeDefined()
    expect(inputsOf('challenges.applyTo')).toEqual([])
  })

  it('shows a failed upload in an alert and inline, focuses it, and tries again', async () => {
    const { dialog, choose, press, nextUpload, onClose } = await open()
    await choose(zip)
    await press('Submit Application')
    const firstUpload = await nextUpload(1)
    const scrollIntoView = vi.spyOn(Element.prototype, 'scrollIntoView')
    firstUpload.respond(415, { success: false, message: 'Only JPEG, PNG, GIF, PDF and ZIP files are allowed' })
    const message = 'File upload failed: Only JPEG, PNG, GIF, PDF and ZIP files are allowed'
    const notice = await dialog.findByRole('alert')
    expect(notice.textContent).toBe(message)
    expect(alertSpy).toHaveBeenCalledExactlyOnceWith(message)
    expect(document.activeElement?.contains(notice)).toBe(true)
    expect(scrollIntoView.mock.contexts).toContain(document.activeElement)
    await press('Try Again')
    const secondUpload = await nextUpload(2)
    secondUpload.respond(201, uploaded)
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  })

  it('shows at the field that the file was rejected, which another attempt would not change', async () => {
    const { dialog, choose, press, nextUpload } = await open()
    await choose(zip)
    await press('Submit Application')
    const upload = await nextUpload(1)
    const message = 'Only JPEG, PNG, GIF, PDF and ZIP files are allowed'
    const errors = [{ path: 'file', msg: message }]
    upload.respond(415, { success: false, message, code: 'FILE_TYPE_REFUSED', errors })
    expect(await dialog.findByText(message)).toBeDefined()
    expect(alertSpy).toHaveBeenCalledExactlyOnceWith(`File upload failed: ${message}`)
    expect(dialog.queryByRole('alert')).toBeNull()
    const remove = dialog.getByRole('button', { name: 'Remove file' })
    await waitFor(() => expect(document.activeElement).toBe(remove))
    expect(await dialog.findByRole('button', { name: 'Submit Application' })).toBeDefined()
    await userEvent.click(remove)
    expect(dialog.queryByText(message)).toBeNull()
  })

  it.each([
    ['a response that is not the API’s', 200, 'File upload failed. Please try again.'],
    ['an error without a message', 502, 'File upload failed: HTTP 502'],
  ])('shows a message for %s', async (_what, status, message) => {
    const { choose, press, nextUpload } = await open()
    await choose(zip)
    await press('Submit Application')
    const upload = await nextUpload(1)
    upload.respond(status, null)
    await waitFor(() => expect(alertSpy).toHaveBeenCalledExactlyOnceWith(message))
  })

  it.each([
    [
      'another file is chosen',
      async ({ choose, press }: Opened) => {
        await press('Remove file')
        await choose(zip)
      },
    ],
    [
      'a link is sent instead',
      async ({ dialog }: Opened) => {
        await userEvent.click(dialog.getByRole('radio', { name: /^Link/ }))
      },
    ],
  ])('clears the error as soon as %s', async (_what, change) => {
    const opened = await open()
    await opened.choose(zip)
    await opened.press('Submit Application')
    const upload = await opened.nextUpload(1)
    upload.respond(415, { success: false, message: 'Only JPEG, PNG, GIF, PDF and ZIP files are allowed' })
    await opened.dialog.findByRole('alert')
    await change(opened)
    expect(opened.dialog.queryByRole('alert')).toBeNull()
    expect(opened.dialog.getByRole('button', { name: 'Submit Application' })).toBeDefined()
  })

  it('clears the error when the user starts over', async () => {
    signIn()
    const { id: teamId } = aTeam(1, 'Atlas Lions')
    saveDraft(`apply ${aChallenge(1).id}`, { ...EMPTY_DRAFT, teamId, type: 'upload', file: zip })
    const { dialog, press, nextUpload } = await open()
    await press('Submit Application')
    const upload = await nextUpload(1)
    upload.respond(415, { success: false, message: 'Only JPEG, PNG, GIF, PDF and ZIP files are allowed' })
    await dialog.findByRole('alert')
    await press('Start over')
    expect(dialog.queryByRole('alert')).toBeNull()
    expect(dialog.getByRole('button', { name: 'Submit Application' })).toBeDefined()
  })

  it('is sent once on a double press', async () => {
    const { dialog, choose, nextUpload, inputsOf, onClose } = await open()
    await choose(zip)
    pressTwice(dialog.getByRole('button', { name: 'Submit Application' }))
    const upload = await nextUpload(1)
    upload.respond(201, uploaded)
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(FakeUpload.sent).toHaveLength(1)
    expect(inputsOf('challenges.applyTo')).toHaveLength(1)
  })

  it('does not upload the file again when only the application failed', async () => {
    let isRejected = true
    const { dialog, choose, press, nextUpload, onClose } = await open({
      'challenges.applyTo': () => {
        if (isRejected) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return { submission: aSubmission(1) }
      },
    })
    await choose(zip)
    await press('Submit Application')
    const upload = await nextUpload(1)
    upload.respond(201, uploaded)
    await waitFor(() => expect(dialog.getAllByRole('alert').length).toBeGreaterThan(0))
    isRejected = false
    await press('Submit Application')
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(FakeUpload.sent).toHaveLength(1)
  })

  it('rejects too large files and other types before uploading', async () => {
    const { dialog, choose, press } = await open()
    await choose(new File([new Uint8Array(10_485_761)], 'big.zip', { type: 'application/zip' }))
    expect(await dialog.findByText('The file is larger than 10 MB')).toBeDefined()
    expect(dialog.getByText('10.00 MB')).toBeDefined()
    await press('Remove file')
    await choose(new File(['MZ'], 'run.exe', { type: 'application/x-msdownload' }))
    expect(await dialog.findByText('Only JPEG, PNG, GIF, PDF and ZIP files are allowed')).toBeDefined()
    await press('Submit Application')
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Remove file' })))
    expect(FakeUpload.sent).toEqual([])
  })

  it('focuses the file input if no file was chosen', async () => {
    const { dialog, press } = await open()
    await press('Submit Application')
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Choose a file')))
  })
})
