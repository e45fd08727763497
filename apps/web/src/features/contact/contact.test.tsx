import { publicSettings } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { type Handlers, fakeBackend, appError } from '../../../test/fake-backend.ts'
import { signIn } from '../../../test/sign-in.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { type EventName, listen } from '../../lib/events.ts'
import { ContactSection } from './index.tsx'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

function open(handlers: Handlers = {}) {
  fakeBackend({ 'system.settings': () => publicSettings(), ...handlers })
  renderWithProviders(<ContactSection />)
}

/** The payloads of the events sent so far. */
function recordEvents(event: EventName): unknown[] {
  const details: unknown[] = []
  stops.push(listen(event, (detail) => details.push(detail)))
  return details
}

describe('contact', () => {
  it('links to the settings’ URLs, web pages in a new tab', async () => {
    open()
    const group = await screen.findByRole('link', { name: /^WhatsApp group/ })
    expect([group.getAttribute('href'), group.getAttribute('target')]).toEqual(['https://chat.example.ma', '_blank'])
    expect(group.textContent).toContain('opens in a new tab')
    const server = screen.getByRole('link', { name: /^Discord server/ })
    expect(server.getAttribute('href')).toBe('https://talk.example.ma')
    const mail = screen.getByRole('link', { name: /^Support by email/ })
    expect([mail.getAttribute('href'), mail.getAttribute('target')]).toEqual(['mailto:help@example.ma', null])
  })

  it('has no chats that the settings do not name', async () => {
    const known = publicSettings()
    Object.assign(known.settings.links, { chatGroup: '', chatServer: '' })
    open({ 'system.settings': () => known })
    await waitFor(() => expect(screen.queryByText(/group|server$/)).toBeNull())
    expect(screen.getByRole('link', { name: /^Support by email/ })).toBeDefined()
  })

  it('shows when the links cannot be loaded, and tries again', async () => {
    let isUnavailable = true
    open({
      'system.settings': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return publicSettings()
      },
    })
    const failure = within(await screen.findByRole('alert'))
    expect(failure.getByText('The links could not be loaded')).toBeDefined()
    isUnavailable = false
    await userEvent.click(failure.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByRole('link', { name: /^WhatsApp group/ })).toBeDefined()
  })

  it('answers six questions, with the exact calculation of points', () => {
    open()
    const questions = [...document.querySelectorAll('summary')].map((summary) => summary.textContent)
    expect(questions).toEqual([
      'How do I join a team?',
      'How do challenges work?',
      'How do I create a team?',
      'Which roles are there?',
      'How is the leaderboard calculated?',
      'Is it free to join?',
    ])
    const answer = screen.getByText('How is the leaderboard calculated?').closest('details')?.textContent ?? ''
    for (const part of [
      '80/100 on a challenge of 150 points earns 120',
      'best approved work counts',
      'reached them first',
    ])
      expect(answer).toContain(part)
  })

  it('lets visitors sign up or in, and opens the wizard by an event', async () => {
    const [auth, wizard] = [recordEvents('openAuthModal'), recordEvents('openCreateTeamModal')]
    open()
    await userEvent.click(screen.getByRole('button', { name: 'Get Started' }))
    await userEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    await userEvent.click(screen.getByRole('button', { name: 'Create Team' }))
    expect(auth).toEqual([{ mode: 'register' }, { mode: 'login' }])
    expect(wizard).toHaveLength(1)
  })

  it('shows members a button to create a team instead of an account', async () => {
    signIn()
    open()
    expect(screen.queryByRole('button', { name: 'Get Started' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Create Team' })).toBeDefined()
  })

  it.each([
    ['an administrator', { role: 'admin' as const }, true],
    ['a member while team creation is off', {}, false],
  ])('does not show %s the button to create a team', async (_who, overrides, teamCreationEnabled) => {
    signIn(overrides)
    open({ 'system.settings': () => publicSettings({ teamCreationEnabled }) })
    await screen.findByRole('link', { name: /^WhatsApp group/ })
    expect(screen.queryByRole('button', { name: 'Create Team' })).toBeNull()
  })
})
