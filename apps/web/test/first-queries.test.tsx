import { aPagination, publicSettings } from '@community/testing'
import { waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { ChallengesSection } from '../src/features/challenges/index.tsx'
import { ContactSection } from '../src/features/contact/index.tsx'
import { LeaderboardSection } from '../src/features/leaderboard/index.tsx'
import { TeamsSection } from '../src/features/teams/index.tsx'
import { WorksSection } from '../src/features/works/index.tsx'
import { FIRST_QUERIES, firstQueryUrls } from '../src/lib/first-queries.ts'
import { trpcClient } from '../src/lib/trpc.ts'
import { fakeBackend } from './fake-backend.ts'
import { renderWithProviders } from './render-with-providers.tsx'

const urls = firstQueryUrls()
const EMPTY = {
  data: {
    leaderboard: [],
    teams: [],
    challenges: [],
    submissions: [],
    pagination: aPagination(0),
    ...publicSettings(),
  },
}
const response = (body: object, status = 200) =>
  Promise.resolve(new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }))

afterEach(() => {
  delete window.earlyResponses
})

describe('the response that boot.js requests early', () => {
  const SECTIONS: [keyof typeof FIRST_QUERIES, ReactNode][] = [
    ['teams', <TeamsSection key="teams" />],
    ['challenges', <ChallengesSection key="challenges" />],
    ['works', <WorksSection key="works" />],
    ['leaderboard', <LeaderboardSection key="leaderboard" />],
    ['contact', <ContactSection key="contact" />],
  ]

  it.each(SECTIONS)('is what the section %s asks for first', async (route, section) => {
    window.earlyResponses = { [urls[route]]: response({ result: EMPTY }) }
    const { requests } = fakeBackend({})
    renderWithProviders(section)
    await waitFor(() => expect(window.earlyResponses).toEqual({}))
    expect(requests.map(({ path }) => path)).not.toContain(FIRST_QUERIES[route].path)
  })

  it('is used once', async () => {
    window.earlyResponses = { [urls.contact]: response({ result: { data: 'early' } }) }
    const { inputsOf } = fakeBackend({ 'system.settings': () => 'later' as never })
    expect(await trpcClient.system.settings.query()).toBe('early')
    expect(await trpcClient.system.settings.query()).toBe('later')
    expect(inputsOf('system.settings')).toHaveLength(1)
  })

  it.each([
    ['failed', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['was an error', () => response({ success: false, message: 'Unavailable' }, 503)],
  ])('is requested again if it %s', async (_what, early) => {
    window.earlyResponses = { [urls.contact]: early() }
    fakeBackend({ 'system.settings': () => 'later' as never })
    expect(await trpcClient.system.settings.query()).toBe('later')
  })

  it('is not requested again if it timed out', async () => {
    window.earlyResponses = { [urls.contact]: Promise.reject(new DOMException('Timed out', 'TimeoutError')) }
    const { requests } = fakeBackend({ 'system.settings': () => 'later' as never })
    await expect(trpcClient.system.settings.query()).rejects.toThrow('Request timeout')
    expect(requests).toEqual([])
  })
})
