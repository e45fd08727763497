import { Announcement } from '@community/contract'
import { aChallenge, aPagination, exampleOf } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ADMIN_PASSWORD, enterPassword, openAdmin, openTab } from '../../../../test/admin-steps.tsx'
import type { Handlers } from '../../../../test/fake-backend.ts'
import { signIn } from '../../../../test/sign-in.ts'
import { toWallClock } from '../../../lib/viewer-zone.ts'

vi.setConfig({ testTimeout: 20_000 })

beforeEach(() => {
  signIn({ role: 'admin' })
})
const anAnnouncement = (overrides: Partial<Announcement> = {}): Announcement => ({
  ...exampleOf(Announcement),
  title: 'The jury meets on Friday',
  audience: 'everyone',
  challenge: null,
  state: 'sent',
  recipients: 1200,
  ...overrides,
})

const tram = aChallenge(1, { title: 'Tram for all' })

async function open(handlers: Handlers = {}) {
  const backend = openAdmin({
    'admin.announcements': () => ({ announcements: [], pagination: aPagination(0) }),
    'admin.countRecipients': ({ audience }) => ({ recipients: { everyone: 120, chefs: 14, challenge: 9 }[audience] }),
    'admin.announce': () => ({ announcement: anAnnouncement() }),
    ...handlers,
  })
  await openTab('Announcements')
  return backend
}

async function write() {
  await userEvent.click(await screen.findByRole('button', { name: 'New announcement' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New announcement' }))
  await userEvent.type(dialog.getByLabelText('Title'), 'The jury meets on Friday')
  await userEvent.type(dialog.getByLabelText(/^Text/), 'Submit by **Thursday**.')
  return dialog
}

describe('announcements', () => {
  it('lists them with state and recipients', async () => {
    await open({
      'admin.announcements': () => ({
        announcements: [
          anAnnouncement(),
          anAnnouncement({
            id: '00000000-0000-4000-8000-000000000009',
            title: 'Holidays',
            state: 'scheduled',
            audience: 'chefs',
            recipients: 0,
          }),
        ],
        pagination: aPagination(2),
      }),
    })
    const table = within(await screen.findByRole('table', { name: 'Announcements' }))
    expect(table.getByRole('row', { name: /The jury meets on Friday.*Everyone.*Sent.*1,200/ })).toBeDefined()
    const scheduled = table.getByRole('row', { name: /Holidays.*All chefs.*Scheduled/ })
    expect(scheduled.textContent).toMatch(/Scheduled–/)
    expect(table.getAllByRole('button', { name: 'Cancel announcement' })).toHaveLength(1)
  })

  it('keeps the text when the dialog is closed, until it is sent', async () => {
    const { inputsOf } = await open()
    await write()
    await userEvent.keyboard('{Escape}')
    const reopen = async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'New announcement' }))
      return within(await screen.findByRole('dialog', { name: 'New announcement' }))
    }
    const dialog = await reopen()
    expect(dialog.getByText('We kept your draft.')).toBeDefined()
    expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe('The jury meets on Friday')
    await userEvent.click(dialog.getByRole('button', { name: 'Send announcement' }))
    await enterPassword('Send announcement')
    await waitFor(() => expect(inputsOf('admin.announce')).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await reopen()).getByLabelText<HTMLInputElement>('Title').value).toBe('')
  })

  it('shows the text and the number of recipients before it is sent with the password', async () => {
    const { inputsOf } = await open()
    const dialog = await write()
    expect(await dialog.findByText('120 people will be notified.')).toBeDefined()
    await userEvent.selectOptions(dialog.getByLabelText('Audience'), 'All chefs')
    expect(await dialog.findByText('14 people will be notified.')).toBeDefined()
    const preview = within(dialog.getByRole('region', { name: 'Preview' }))
    expect(preview.getByText('Thursday').tagName).toBe('STRONG')
    await userEvent.click(dialog.getByRole('button', { name: 'Send announcement' }))
    await enterPassword('Send announcement')
    expect((await screen.findAllByText('Announcement sent')).length).toBeGreaterThan(0)
    expect(inputsOf('admin.announce')).toEqual([
      {
        title: 'The jury meets on Friday',
        body: 'Submit by **Thursday**.',
        audience: 'chefs',
        password: ADMIN_PASSWORD,
      },
    ])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('needs a challenge for its teams, and a time in the future to schedule', async () => {
    const { inputsOf } = await open({
      'admin.listChallenges': () => ({
        challenges: [tram],
        totals: { total: 1, active: 1, expired: 0, points: 100 },
        pagination: aPagination(1),
      }),
    })
    const dialog = await write()
    await userEvent.selectOptions(dialog.getByLabelText('Audience'), 'A challenge’s teams')
    const publishAt = dialog.getByLabelText(/^Publish at/)
    const type = async (time: number) => {
      await userEvent.clear(publishAt)
      await userEvent.type(publishAt, toWallClock(new Date(time)))
    }
    await type(Date.UTC(2020, 0, 1))
    await userEvent.click(dialog.getByRole('button', { name: 'Schedule announcement' }))
    await waitFor(() => expect(publishAt.getAttribute('aria-invalid')).toBe('true'))
    await type(Date.now() + 86_400_000)
    await userEvent.click(dialog.getByRole('button', { name: 'Schedule announcement' }))
    // The error, and the first choice.
    await waitFor(() => expect(dialog.getAllByText('Choose a challenge')).toHaveLength(2))
    await screen.findByRole('option', { name: 'Tram for all' })
    await userEvent.selectOptions(dialog.getByLabelText('Challenge'), 'Tram for all')
    expect(await dialog.findByText('9 people will be notified.')).toBeDefined()
    await userEvent.click(dialog.getByRole('button', { name: 'Schedule announcement' }))
    await enterPassword('Schedule announcement')
    await waitFor(() =>
      expect(inputsOf('admin.announce')).toMatchObject([
        { audience: 'challenge', challengeId: tram.id, publishAt: expect.stringMatching(/Z$/) },
      ]),
    )
  })

  it('is not sent at once when the time to publish is incomplete', async () => {
    const { inputsOf } = await open()
    const dialog = await write()
    const publishAt = dialog.getByLabelText(/^Publish at/)
    // A date without a time in a browser; jsdom has no such state.
    const validity = vi.spyOn(HTMLInputElement.prototype, 'validity', 'get')
    validity.mockImplementation(function (this: HTMLInputElement) {
      return { badInput: this === publishAt } as ValidityState
    })
    await userEvent.click(dialog.getByRole('button', { name: 'Send announcement' }))
    expect(await dialog.findByText('Complete this field or clear it')).toBeDefined()
    expect(screen.queryByLabelText('Your password')).toBeNull()
    validity.mockRestore()
    await userEvent.click(dialog.getByRole('button', { name: 'Send announcement' }))
    await enterPassword('Send announcement')
    await waitFor(() => expect(inputsOf('admin.announce')).toHaveLength(1))
  })

  it('finds challenges beyond the first page by a search, and keeps the choice', async () => {
    const all = Array.from({ length: 130 }, (_, index) => aChallenge(index + 1))
    const { inputsOf } = await open({
      'admin.listChallenges': ({ search }) => {
        const found = search === undefined ? all : all.filter(({ title }) => title.endsWith(search))
        return {
          challenges: found.slice(0, 100),
          totals: { total: 130, active: 130, expired: 0, points: 100 },
          pagination: aPagination(found.length),
        }
      },
    })
    const dialog = await write()
    await userEvent.selectOptions(dialog.getByLabelText('Audience'), 'A challenge’s teams')
    expect(await dialog.findByText('100 of 130 challenges shown')).toBeDefined()
    const search = dialog.getByLabelText('Search challenges')
    await userEvent.type(search, '129{Enter}')
    await userEvent.selectOptions(
      dialog.getByLabelText('Challenge'),
      await dialog.findByRole('option', { name: 'Challenge 129' }),
    )
    await userEvent.clear(search)
    await dialog.findByRole('option', { name: 'Challenge 100' })
    expect(dialog.getByLabelText<HTMLSelectElement>('Challenge').selectedOptions[0]?.text).toBe('Challenge 129')
    expect(screen.queryByLabelText('Your password')).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Send announcement' }))
    await enterPassword('Send announcement')
    await waitFor(() => expect(inputsOf('admin.announce')).toMatchObject([{ challengeId: all[128]?.id }]))
  })

  /** Opens the dialog again with a draft for a challenge beyond the first page. */
  async function restoreDraft() {
    const { inputsOf } = await open({
      'admin.listChallenges': ({ search }) => ({
        challenges: search === undefined ? [aChallenge(2)] : [tram],
        totals: { total: 130, active: 130, expired: 0, points: 100 },
        pagination: aPagination(130),
      }),
      'challenges.get': () => ({ challenge: tram }),
    })
    let dialog = await write()
    await userEvent.selectOptions(dialog.getByLabelText('Audience'), 'A challenge’s teams')
    await userEvent.type(await dialog.findByLabelText('Search challenges'), 'Tram')
    await dialog.findByRole('option', { name: tram.title })
    await userEvent.selectOptions(dialog.getByLabelText('Challenge'), tram.title)
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(screen.getByRole('button', { name: 'New announcement' }))
    dialog = within(await screen.findByRole('dialog', { name: 'New announcement' }))
    await dialog.findByRole('option', { name: tram.title })
    return { dialog, inputsOf }
  }

  it('keeps the focus when another challenge is chosen in a restored draft', async () => {
    const { dialog } = await restoreDraft()
    await userEvent.selectOptions(dialog.getByLabelText('Challenge'), 'Challenge 2')
    expect(document.activeElement).toBe(dialog.getByLabelText('Challenge'))
  })

  it('shows the challenge of a restored draft, also beyond the first page', async () => {
    const { dialog, inputsOf } = await restoreDraft()
    expect(dialog.getByLabelText<HTMLSelectElement>('Challenge').selectedOptions[0]?.text).toBe(tram.title)
    await userEvent.click(dialog.getByRole('button', { name: 'Send announcement' }))
    await enterPassword('Send announcement')
    await waitFor(() => expect(inputsOf('admin.announce')).toMatchObject([{ challengeId: tram.id }]))
  })

  it.each([
    ['sending', '2020-01-01T00:00:00.000Z', 'Being sent'],
    ['scheduled', '2020-01-01T00:00:00.000Z', 'Scheduled'],
  ] as const)('shows when one is sent that was %s', async (state, publishAt, label) => {
    let announcement = anAnnouncement({ state, publishAt })
    await open({ 'admin.announcements': () => ({ announcements: [announcement], pagination: aPagination(1) }) })
    expect(await screen.findByText(label)).toBeDefined()
    announcement = anAnnouncement({ state: 'sent', publishAt })
    expect(await screen.findByText('Sent')).toBeDefined()
  })

  it('cancels a scheduled one with the password', async () => {
    const scheduled = anAnnouncement({ state: 'scheduled' })
    const { inputsOf } = await open({
      'admin.announcements': () => ({ announcements: [scheduled], pagination: aPagination(1) }),
      'admin.cancelAnnouncement': () => ({}),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel announcement' }))
    expect(await screen.findByRole('button', { name: 'Back' })).toBeDefined()
    await enterPassword('Cancel announcement')
    expect((await screen.findAllByText('Announcement cancelled')).length).toBeGreaterThan(0)
    expect(inputsOf('admin.cancelAnnouncement')).toEqual([{ id: scheduled.id, password: ADMIN_PASSWORD }])
  })
})
