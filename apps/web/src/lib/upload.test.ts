import { act } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { uploadFile } from './upload.ts'

/** The browser's way of sending files, moved by the test. */
class HeldUpload extends EventTarget {
  static last: HeldUpload | null = null
  upload = new EventTarget()
  status = 201
  responseText = JSON.stringify({ success: true, message: 'OK', data: { file: { id: 'f1' } } })
  isAborted = false
  open(): void {}
  headers = new Headers()
  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value)
  }
  send(): void {
    HeldUpload.last = this
  }
  abort(): void {
    this.isAborted = true
    this.dispatchEvent(new Event('abort'))
  }
}

const SECOND = 1000

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('XMLHttpRequest', HeldUpload)
})
/** An upload under way, and how it ended so far. */
async function begin() {
  const seen: number[] = []
  const ended = vi.fn<(how: string) => void>()
  uploadFile(new File(['x'], 'work.zip'), { onProgress: (share) => seen.push(share) }).then(
    ({ id }) => ended(id),
    (error: Error) => ended(error.message),
  )
  await act(() => vi.advanceTimersByTimeAsync(0))
  const request = HeldUpload.last as HeldUpload
  const after = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * SECOND)
  const moveTo = (loaded: number) =>
    request.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total: 100 }))
  return { request, ended, after, moveTo, seen }
}

it('asks for errors in English, which the page translates', async () => {
  document.documentElement.lang = 'ar'
  const { request } = await begin()
  expect(request.headers.get('accept-language')).toBe('en')
})

describe('the time limit of an upload', () => {
  it('does not stop a slow upload that makes progress', async () => {
    const { request, ended, after, moveTo, seen } = await begin()
    for (const share of [10, 20, 30, 40, 50]) {
      await after(9)
      moveTo(share)
    }
    expect(ended).not.toHaveBeenCalled()
    expect(seen).toEqual([0.1, 0.2, 0.3, 0.4, 0.5])
    request.dispatchEvent(new Event('load'))
    await after(60)
    expect(ended).toHaveBeenCalledExactlyOnceWith('f1')
  })

  it('stops an upload without progress for 10 s with the specified message', async () => {
    const { request, ended, after, moveTo } = await begin()
    await after(9)
    moveTo(10)
    await after(9.9)
    expect(ended).not.toHaveBeenCalled()
    await after(0.2)
    expect(ended).toHaveBeenCalledExactlyOnceWith('Upload timeout - please check your connection and try again')
    expect(request.isAborted).toBe(true)
  })

  it('waits for the response as long as the upload took', async () => {
    const { request, ended, after, moveTo } = await begin()
    for (const share of [25, 50, 75, 100]) {
      await after(8)
      moveTo(share)
    }
    request.upload.dispatchEvent(new Event('load'))
    await after(41.9)
    expect(ended).not.toHaveBeenCalled()
    await after(0.2)
    expect(ended).toHaveBeenCalledOnce()
  })
})
