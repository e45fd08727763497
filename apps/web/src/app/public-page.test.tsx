import { aPagination } from '@community/testing'
import { waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeBackend } from '../../test/fake-backend.ts'
import { renderWithProviders } from '../../test/render-with-providers.tsx'
import { useRenderedSections } from '../lib/navigation/navigation.ts'
import { queryClient } from '../lib/query-client.ts'
import { PublicPage } from './public-page.tsx'

const renderedSections = () =>
  [...document.querySelectorAll('main > section, section[id]')]
    .filter((section) => section.id !== 'home' && section.childElementCount > 0)
    .map(({ id }) => id)

describe('a page that opens at a section', () => {
  it('renders it alone until its data has arrived, then the sections below, then all', async () => {
    useRenderedSections.setState({ initial: 'works', isRestored: false, isBelowRendered: false }, true)
    const steps: string[] = []
    const unsubscribe = useRenderedSections.subscribe(() => steps.push(renderedSections().join(' ')))
    let respond = () => {}
    const responded = new Promise<void>((resolve) => {
      respond = resolve
    })
    fakeBackend({
      'submissions.approved': async () => {
        await responded
        return { submissions: [], pagination: aPagination(0) }
      },
    })
    renderWithProviders(<PublicPage />)
    await waitFor(() => expect(renderedSections()).toEqual(['works']))
    expect(steps).toEqual([])
    respond()
    await waitFor(() => expect(useRenderedSections.getState()).toBe('all'), { timeout: 15_000 })
    expect(steps).toEqual(['works', 'works leaderboard contact'])
    unsubscribe()
  })

  it('goes on after a query that ends before React renders again', async () => {
    useRenderedSections.setState({ initial: 'contact', isRestored: false, isBelowRendered: true }, true)
    fakeBackend({})
    const isFetching = queryClient.isFetching.bind(queryClient)
    // Starts a query that ends before the next render.
    let hasStarted = false
    vi.spyOn(queryClient, 'isFetching').mockImplementation(() => {
      if (!hasStarted && isFetching() === 0) {
        hasStarted = true
        void queryClient.fetchQuery({ queryKey: ['short'], queryFn: () => 1 })
      }
      return isFetching()
    })
    renderWithProviders(<PublicPage />)
    await waitFor(() => expect(useRenderedSections.getState()).toBe('all'), { timeout: 15_000 })
    expect(hasStarted).toBe(true)
  })
})
