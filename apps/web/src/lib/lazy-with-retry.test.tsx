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

const loadError = new TypeError('Failed to fetch dynamically imported module')

/** Renders a lazy component, and “Loading” until it is loaded. */
function renderLazy(load: () => Promise<typeof Greeting>) {
  const Part = lazyWithRetry(load)
  render(
    <ErrorBoundary>
      <Suspense fallback="Loading">
        <Part name="Sara" />
      </Suspense>
    </ErrorBoundary>,
  )
}

it('Try Again loads a failed component again, any number of times', async () => {
  const load = vi
    .fn(async () => Greeting)
    .mockRejectedValueOnce(loadError)
    .mockRejectedValueOnce(loadError)
  renderLazy(load)
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('Hello Sara')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(3)
})

it.each(['online', 'click'])('SilentErrorBoundary retries a failed component at the next event %s', async (event) => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(loadError)
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

it('keeps trying for seconds after the event online, because the connection may work later', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 })
  const load = vi.fn(async () => Greeting)
  // The first load, and the first three attempts afterwards.
  for (let failures = 0; failures < 4; failures++) load.mockRejectedValueOnce(loadError)
  renderLazy(load)
  await screen.findByRole('alert')
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByText('Loading')).toBeDefined()
  await vi.advanceTimersByTimeAsync(7000)
  expect(await screen.findByText('Hello Sara')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(5)
})

it('keeps trying for a component that is first rendered while another one is loaded again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 })
  const failsTwice = () =>
    vi
      .fn(async () => Greeting)
      .mockRejectedValueOnce(loadError)
      .mockRejectedValueOnce(loadError)
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

it('tries once at a click, and shows the error with Try Again as soon as that fails', async () => {
  const load = vi.fn(async () => Greeting)
  for (let failures = 0; failures < 3; failures++) load.mockRejectedValueOnce(loadError)
  const [Silent, Part] = [lazyWithRetry(() => Promise.reject<typeof Greeting>(loadError)), lazyWithRetry(load)]
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

it('loads a failed component again after another failed one was removed', async () => {
  const load = vi.fn(async () => Greeting).mockRejectedValueOnce(loadError)
  const [Removed, Part] = [lazyWithRetry(() => Promise.reject<typeof Greeting>(loadError)), lazyWithRetry(load)]
  const page = (hasBoth: boolean) => (
    <>
      {hasBoth && (
        <ErrorBoundary>
          <Suspense>
            <Removed name="Omar" />
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
  for (let failures = 0; failures < 2; failures++) load.mockRejectedValueOnce(loadError)
  renderLazy(load)
  await screen.findByRole('alert')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  // After the failure of that attempt.
  await Promise.resolve()
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(3))
})

it.each(['click', 'online'])('requests failed style sheets again at the next event %s, and no others', (event) => {
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
