import { aPagination, aPreview, aSubmission, inDays } from '@community/testing'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { aPicturedWork, PICTURE_TEXT } from '../../../test/a-pictured-work.ts'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { fill } from '../../../test/fill.ts'
import { pageOf } from '../../../test/pages.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { shareLinks } from '../../components/share-dialog.tsx'
import { WorksSection } from './index.tsx'

const approved = aSubmission(1, { status: 'approved', score: 87, points: 174 })
const file = aSubmission(2, {
  status: 'approved',
  score: 59,
  type: 'upload',
  content: 'https://files.example.ma/rapport',
  fileInfo: { originalName: 'rapport.pdf', fileSize: 1_572_864, mimeType: 'application/pdf' },
})

function open(handlers: Handlers = {}) {
  const backend = fakeBackend({
    'submissions.approved': () => ({ submissions: [approved, file], pagination: aPagination(2) }),
    ...handlers,
  })
  renderWithProviders(<WorksSection />)
  return backend
}

describe('community works', () => {
  it('shows the kind of links and files, with score and grade', async () => {
    open()
    const link = await screen.findByRole('link', { name: /atlas-lions\/tram/ })
    expect(link.getAttribute('href')).toBe('https://github.com/atlas-lions/tram')
    expect(link.getAttribute('rel')).toContain('noopener')
    expect(link.textContent).toContain('Code · GitHub · github.com')
    expect(screen.getByRole('link', { name: /rapport\.pdf/ }).textContent).toContain('PDF document · 1.50 MB')
    expect(screen.getByText('87/100')).toBeDefined()
    expect(screen.getByRole('img', { name: 'Grade B' })).toBeDefined()
    expect(screen.getByRole('img', { name: 'Grade F' })).toBeDefined()
    expect(document.querySelector('img')).toBeNull()
  })

  it('shows the date of submission, which it is sorted by', async () => {
    const evaluatedLate = aSubmission(3, { status: 'approved', createdAt: inDays(-9), evaluatedAt: inDays(-1) })
    open({ 'submissions.approved': () => ({ submissions: [evaluatedLate], pagination: aPagination(1) }) })
    expect((await screen.findByRole('time')).getAttribute('datetime')).toBe(inDays(-9))
  })

  it.each([
    ['https://www.youtube.com/watch?v=a1', 'YouTubeVideo · youtube.com'],
    ['https://soundcloud.com/atlas/gnawa', 'Audio · SoundCloud · soundcloud.com'],
    ['https://www.figma.com/design/1/tram', 'Design · Figma · figma.com'],
    ['https://zellij.example.ma/poster.png', 'Image · zellij.example.ma'],
    ['https://zellij.example.ma/', 'Web page · zellij.example.ma'],
  ])('shows the kind of %s without loading it', async (content, notes) => {
    const work = aSubmission(1, { status: 'approved', score: 87, content })
    open({ 'submissions.approved': () => ({ submissions: [work], pagination: aPagination(1) }) })
    expect((await screen.findByRole('link')).textContent).toContain(notes)
    expect(document.querySelector('img, video, audio, iframe')).toBeNull()
  })

  it.each([
    ['https://www.behance.net/gallery/1/tram', true],
    ['https://codepen.io/sara/pen/tram', true],
    ['https://zellij.example.ma/', false],
  ])('shows the logo of the service of %s: %s', async (content, hasLogo) => {
    const work = aSubmission(1, { status: 'approved', score: 87, content })
    open({ 'submissions.approved': () => ({ submissions: [work], pagination: aPagination(1) }) })
    // Logos are filled shapes, the icons of kinds are outlines.
    const filled = (await screen.findByRole('link')).querySelector('svg[fill=currentColor]')
    expect(filled !== null).toBe(hasLogo)
  })

  it('loads a picture on request, and shows when that fails', async () => {
    const content = 'https://community.example.ma/files/a1'
    const fileInfo = { originalName: 'écran.png', fileSize: 734_003, mimeType: 'image/png' }
    const work = aSubmission(1, { status: 'approved', score: 87, type: 'upload', content, fileInfo })
    open({ 'submissions.approved': () => ({ submissions: [work], pagination: aPagination(1) }) })
    expect((await screen.findByRole('link')).textContent).toContain('PNG image · 0.70 MB')
    expect(document.querySelector('img')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show image' }))
    const picture = screen.getByRole('img', { name: 'écran.png' })
    expect(picture.getAttribute('src')).toBe(content)
    fireEvent.error(picture)
    expect(screen.getByRole('alert').textContent).toBe('The image could not be loaded.')
    await userEvent.click(screen.getByRole('button', { name: 'Hide image' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  const openPictured = (work = aPicturedWork({ status: 'approved' })) =>
    open({ 'submissions.approved': () => ({ submissions: [work], pagination: aPagination(1) }) })

  it('shows the thumbnails of a picture in a reserved box of its colour', async () => {
    openPictured()
    const picture = await screen.findByRole('img', { name: PICTURE_TEXT })
    expect(['loading', 'width', 'height'].map((name) => picture.getAttribute(name))).toEqual(['lazy', '960', '480'])
    expect(picture.getAttribute('srcset')).toContain('480.webp 480w, ')
    const avif = picture.parentElement?.querySelector('source')
    expect(avif?.getAttribute('type')).toBe('image/avif')
    expect(avif?.getAttribute('srcset')).toContain('960.avif 960w')
    expect(picture.closest('span')?.style.backgroundColor).toBe('#2a6a93')
    expect(screen.queryByRole('button', { name: 'Show image' })).toBeNull()
    fireEvent.error(picture)
    expect(screen.getByText('The image could not be loaded.')).toBeDefined()
  })

  it('shows the first page of a document and counts its pages', async () => {
    const { fileInfo } = aPicturedWork()
    openPictured(
      aPicturedWork({
        status: 'approved',
        fileInfo: fileInfo && { ...fileInfo, mimeType: 'application/pdf' },
        preview: aPreview(3),
      }),
    )
    await screen.findByRole('img', { name: 'First page of the document submitted by Atlas Lions for “Challenge 1”' })
    expect(screen.getByRole('link').textContent).toContain('PDF document · 3 pages · 0.70 MB')
  })

  const stubSaveData = () =>
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { connection: { saveData: true } }))
  const stubReducedData = () => {
    const { matchMedia } = window
    vi.stubGlobal('matchMedia', (query: string) =>
      query.includes('reduced-data') ? { matches: true } : matchMedia.call(window, query),
    )
  }

  it.each([
    ['Save-Data', stubSaveData],
    ['prefers-reduced-data', stubReducedData],
  ])('loads no thumbnail for a user with %s until they ask for it', async (_setting, stub) => {
    stub()
    openPictured()
    expect(await screen.findByRole('button', { name: 'Show image' })).toBeDefined()
    expect(screen.queryByRole('img', { name: /^Image submitted/ })).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'Show image' }))
    expect(screen.getByRole('img', { name: /^Image submitted/ })).toBeDefined()
  })

  const works = Array.from({ length: 30 }, (_, index) => aSubmission(index, { status: 'approved', score: 100 - index }))

  it('loads more by cursor, and starts over on a new search or order', async () => {
    const { inputsOf } = open({
      'submissions.approved': (input) => {
        const found = input.search === 'zzz' ? [] : works
        const { rows, pagination } = pageOf(found, input, ({ id }) => id)
        return { submissions: rows, pagination }
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('24 of 30 works shown')).toBeDefined()
    expect(inputsOf('submissions.approved').at(-1)).toHaveProperty('cursor')
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Highest score')
    expect(await screen.findByText('12 of 30 works shown')).toBeDefined()
    expect(inputsOf('submissions.approved').at(-1)).toEqual({ limit: 12, sort: 'highest', direction: 'forward' })
    await fill(screen.getByRole('searchbox'), 'zzz')
    expect(await screen.findByText('No works found')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(document.activeElement).toBe(screen.getByRole('searchbox'))
    expect((await screen.findAllByText('Atlas Lions')).length).toBe(12)
  })

  it('announces how many a search found once they are there', async () => {
    let respond: (() => void) | undefined
    open({
      'submissions.approved': async ({ search }) => {
        if (search) await new Promise<void>((resolve) => (respond = resolve))
        const submissions = search ? [approved] : [approved, file]
        return { submissions, pagination: aPagination(submissions.length) }
      },
    })
    await screen.findByRole('link', { name: /atlas-lions\/tram/ })
    await fill(screen.getByRole('searchbox'), 'tram')
    await waitFor(() => expect(respond).toBeDefined())
    expect(document.querySelector('ul[aria-busy=true]')).not.toBeNull()
    expect(screen.queryByText(/works? found/)).toBeNull()
    respond?.()
    expect(await screen.findByText('1 work found')).toBeDefined()
  })

  it('restores search and order when the user returns from the dashboard', async () => {
    const { inputsOf } = open()
    await fill(screen.getByRole('searchbox'), 'tram')
    await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'Oldest')
    cleanup()
    renderWithProviders(<WorksSection />)
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('tram')
    expect(screen.getByLabelText<HTMLSelectElement>('Sort by').value).toBe('oldest')
    await waitFor(() =>
      expect(inputsOf('submissions.approved').at(-1)).toMatchObject({ search: 'tram', sort: 'oldest' }),
    )
  })

  it('shows when there are no works', async () => {
    open({ 'submissions.approved': () => ({ submissions: [], pagination: aPagination(0) }) })
    expect(await screen.findByText('No Community Works Yet')).toBeDefined()
  })

  it('shows inline and in a toast that it could not be loaded, and tries again', async () => {
    let isUnavailable = true
    open({
      'submissions.approved': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', '')
        return { submissions: [approved], pagination: aPagination(1) }
      },
    })
    expect(await screen.findByText('Error Loading Works')).toBeDefined()
    expect((await screen.findAllByText('Failed to load community works')).length).toBeGreaterThan(0)
    isUnavailable = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Atlas Lions')).toBeDefined()
  })
})

describe('sharing', () => {
  const expectSelected = (field: HTMLInputElement) => {
    expect(document.activeElement).toBe(field)
    expect(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0)).toBe(
      'https://github.com/atlas-lions/tram',
    )
  }
  const openShare = async () => {
    const [first] = await screen.findAllByRole('button', { name: /^Share / })
    await userEvent.click(first as HTMLElement)
    return within(await screen.findByRole('dialog', { name: 'Share' }))
  }

  it('offers WhatsApp, Telegram, mail and the link itself', async () => {
    open()
    const dialog = await openShare()
    for (const name of ['WhatsApp', 'Telegram', 'Gmail']) expect(dialog.getByRole('link', { name })).toBeDefined()
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await userEvent.click(dialog.getByRole('button', { name: 'Copy Link' }))
    expect(writeText).toHaveBeenCalledExactlyOnceWith('https://github.com/atlas-lions/tram')
    expect((await screen.findAllByText('Link Copied')).length).toBeGreaterThan(0)
    writeText.mockRestore()
  })

  it('shows when the link cannot be copied', async () => {
    open()
    const dialog = await openShare()
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'))
    await userEvent.click(dialog.getByRole('button', { name: 'Copy Link' }))
    expect((await screen.findAllByText('Failed to copy link to clipboard.')).length).toBeGreaterThan(0)
    expectSelected(dialog.getByRole<HTMLInputElement>('textbox', { name: 'Link' }))
    writeText.mockRestore()
  })

  it('selects the link where the page, over plain http, has no clipboard', async () => {
    open()
    const dialog = await openShare()
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: undefined } }))
    await userEvent.click(dialog.getByRole('button', { name: 'Copy Link' }))
    const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Link' })
    await waitFor(() => expectSelected(field))
    expect(field.readOnly).toBe(true)
  })

  it('shows when the device cannot share, but nothing when the user cancels', async () => {
    const share = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new DOMException('left', 'AbortError'))
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }))
    open()
    const dialog = await openShare()
    await userEvent.click(dialog.getByRole('button', { name: 'Share with another app' }))
    expect(screen.queryByText('Share Failed')).toBeNull()
    share.mockRejectedValueOnce(new Error('no'))
    await userEvent.click(dialog.getByRole('button', { name: 'Share with another app' }))
    expect((await screen.findAllByText('Share Failed')).length).toBeGreaterThan(0)
    expect(screen.getAllByText('Unable to share this work').length).toBeGreaterThan(0)
  })

  it('encodes any text in the URLs', () => {
    const addresses = shareLinks({ text: 'أسود & co', url: 'https://x.ma/?a=1&b=2' })
    expect(new URL(addresses.whatsApp).searchParams.get('text')).toBe('أسود & co\nhttps://x.ma/?a=1&b=2')
    expect(new URL(addresses.telegram).searchParams.get('url')).toBe('https://x.ma/?a=1&b=2')
    expect(new URL(addresses.mail).searchParams.get('subject')).toBe('أسود & co')
  })
})
