import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { ErrorBoundary, SilentErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyWithRetry } from './lazy-with-retry.tsx'

// React logs errors that a boundary catches.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
function Greeting({ name }: { name: string }) {
  return <p>Hello {name}</p>
}

const failing = new TypeError('Failed to fetch dynamically imported module')

/** Renders a lazy part, with “Loading” in its place until it is loaded. */
function renderPart(load: () => Promise<typeof Greeting>) {
  const Part = lazyWithRetry(load)
  render(
    <ErrorBoundary>
      <Suspense fallback="Loading">
        <Part name="Sara" />
      </Suspense>
    </ErrorBoundary>,
  )
}

it('Try Again reloads a failed part any number of times', async () => {
  const load = vi
    .fn(async () => Greeting)
    .mockRejectedValueOnce(failing)
    .mockRejectedValueOnce(failing)
  renderPart(load)
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Hello Sara')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(3)
})

it.each(['online', 'click'])('SilentErrorBoundary reloads a failed part at the next event %s', async (event) => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(failing)
  const Part = lazyWithRetry(load)
  const { container } = render(
    <SilentErrorBoundary>
      <Suspense fallback="…">
        <Part name="Sara" />
      </Suspense>
    </SilentErrorBoundary>,
  )
  await vi.waitFor(() => expect(container.textContent).toBe(''))
  window.dispatchEvent(new Event(event))
  expect(await screen.findByText('Hello Sara')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(2)
})

it('reloads a failed part even if the connection works only seconds after the event online', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 })
  const load = vi.fn(async () => Greeting)
  // The first load, and the first three attempts afterwards.
  for (let failures = 0; failures < 4; failures++) load.mockRejectedValueOnce(failing)
  renderPart(load)
  await screen.findByRole('alert')
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByText('Loading')).toBeDefined()
  await vi.advanceTimersByTimeAsync(7000)
  expect(await screen.findByText('Hello Sara')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(5)
})

it('repeats the load of a part that renders for the first time while its neighbour is reloaded', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 })
  const failsTwice = () =>
    vi
      .fn(async () => Greeting)
      .mockRejectedValueOnce(failing)
      .mockRejectedValueOnce(failing)
  const Failed = lazyWithRetry(failsTwice())
  const New = lazyWithRetry(failsTwice())
  const page = (hasNew: boolean) => (
    <>
      <ErrorBoundary>
        <Failed name="Sara" />
      </ErrorBoundary>
      <ErrorBoundary>{hasNew && <New name="Omar" />}</ErrorBoundary>
    </>
  )
  const { rerender } = render(page(false))
  await screen.findByRole('alert')
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  rerender(page(true))
  await vi.advanceTimersByTimeAsync(3000)
  expect(await screen.findByText('Hello Sara')).toBeDefined()
  expect(await screen.findByText('Hello Omar')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

it('tries once at a click: its error, and Try Again, are back as soon as that fails', async () => {
  const load = vi.fn(async () => Greeting)
  for (let failures = 0; failures < 3; failures++) load.mockRejectedValueOnce(failing)
  const [Silent, Part] = [lazyWithRetry(() => Promise.reject<typeof Greeting>(failing)), lazyWithRetry(load)]
  render(
    <>
      <SilentErrorBoundary>
        <Suspense>
          <Silent name="Omar" />
        </Suspense>
      </SilentErrorBoundary>
      <ErrorBoundary>
        <Suspense>
          <Part name="Sara" />
        </Suspense>
      </ErrorBoundary>
    </>,
  )
  await screen.findByRole('alert')
  window.dispatchEvent(new Event('click'))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  expect(await screen.findByRole('button', { name: 'Try Again' }, { timeout: 900 })).toBeDefined()
  expect(load).toHaveBeenCalledTimes(2)
})

it('retries a failed part after another one with an error has gone', async () => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(failing)
  const [Gone, Part] = [lazyWithRetry(() => Promise.reject<typeof Greeting>(failing)), lazyWithRetry(load)]
  const page = (hasBoth: boolean) => (
    <>
      {hasBoth && (
        <ErrorBoundary>
          <Suspense>
            <Gone name="Omar" />
          </Suspense>
        </ErrorBoundary>
      )}
      <SilentErrorBoundary>
        <Suspense fallback="…">
          <Part name="Sara" />
        </Suspense>
      </SilentErrorBoundary>
    </>
  )
  const { rerender, container } = render(page(true))
  await screen.findByRole('alert')
  rerender(page(false))
  await vi.waitFor(() => expect(container.textContent).toBe(''))
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByText('Hello Sara')).toBeDefined()
})

it('tries again at once when the browser is online again between two attempts', async () => {
  const load = vi.fn(async () => Greeting)
  for (let failures = 0; failures < 2; failures++) load.mockRejectedValueOnce(failing)
  renderPart(load)
  await screen.findByRole('alert')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  // After the failure of that attempt.
  await Promise.resolve()
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(3))
})

it.each(['click', 'online'])('requests only style sheets that failed again at the next event %s', (event) => {
  const [failed, loading] = [document.createElement('link'), document.createElement('link')]
  for (const link of [failed, loading]) link.rel = 'stylesheet'
  document.head.append(failed, loading)
  failed.dispatchEvent(new Event('error'))
  expect(failed.isConnected).toBe(true)
  window.dispatchEvent(new Event(event))
  expect([failed.isConnected, loading.isConnected]).toEqual([false, true])
  expect(document.querySelectorAll('link[rel=stylesheet]')).toHaveLength(2)
  for (const link of document.querySelectorAll('link')) link.remove()
})
