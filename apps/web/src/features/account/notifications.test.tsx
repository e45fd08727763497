import {
  DEFAULT_NOTIFICATION_SETTINGS,
  NOTIFICATION_KIND_NAMES,
  notificationKindOf,
  type NotificationSettings,
} from '@community/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { appError, fakeBackend, type Handlers } from '../../../test/fake-backend.ts'
import { pressInToast } from '../../../test/press-in-toast.ts'
import { renderWithProviders } from '../../../test/render-with-providers.tsx'
import { signIn } from '../../../test/sign-in.ts'
import { currentUser } from '../../lib/session.ts'
import { AccountDialog } from './index.tsx'

const defaults = () => ({
  preferences: NOTIFICATION_KIND_NAMES.map((kind) => {
    const { channels, isSafety } = notificationKindOf(kind)
    return { kind, ...channels, isSafety }
  }),
  settings: DEFAULT_NOTIFICATION_SETTINGS,
  mailPausedAt: null as string | null,
})

function open(handlers: Handlers = {}, isWide = true) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: isWide, media: query, addEventListener() {}, removeEventListener() {} }) as never,
  )
  const user = signIn()
  let stored = defaults()
  const backend = fakeBackend({
    'users.profile': () => ({ user: currentUser() ?? user }),
    'notifications.preferences': () => stored,
    'notifications.push': () => ({ publicKey: null, endpoint: null }),
    'notifications.setPreferences': ({ preferences = [], settings }) => {
      stored = {
        ...stored,
        preferences: stored.preferences.map((one) => ({
          ...one,
          ...preferences.find(({ kind }) => kind === one.kind),
        })),
        settings: { ...stored.settings, ...settings } as NotificationSettings,
      }
      return stored
    },
    ...handlers,
  })
  renderWithProviders(<AccountDialog initialTab="notifications" onClose={() => undefined} />)
  return backend
}

const inApp = () => screen.findByRole<HTMLInputElement>('checkbox', { name: 'A member joins: in the app' })
const byEmail = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'A member joins: by email' })

describe('account: notifications', () => {
  it('has a row for every kind', async () => {
    open()
    await inApp()
    expect(screen.getAllByRole('checkbox', { name: /: in the app$/ })).toHaveLength(NOTIFICATION_KIND_NAMES.length)
    expect(screen.getByRole('table', { name: 'Your work' })).toBeDefined()
  })

  it('saves each channel when it changes', async () => {
    const { inputsOf } = open()
    await userEvent.click(await inApp())
    await userEvent.selectOptions(byEmail(), 'Weekly digest')
    await waitFor(() => expect(inputsOf('notifications.setPreferences')).toHaveLength(2))
    expect(inputsOf('notifications.setPreferences')).toEqual([
      { preferences: [{ kind: 'team.member.joined', app: false, mail: 'daily', push: false }] },
      { preferences: [{ kind: 'team.member.joined', app: false, mail: 'weekly', push: false }] },
    ])
    expect((await screen.findAllByText('Preferences saved')).length).toBeGreaterThan(0)
    expect([(await inApp()).checked, byEmail().value]).toEqual([false, 'weekly'])
  })

  it('turns off all emails but those about safety at once, and turns them on again', async () => {
    const { inputsOf } = open()
    await inApp()
    const turnOff = screen.getByRole('button', { name: 'Turn off all emails' })
    await userEvent.click(turnOff)
    await screen.findByText('Emails turned off')
    const mailed = defaults().preferences.filter(({ mail, isSafety }) => mail !== 'off' && !isSafety)
    expect(inputsOf('notifications.setPreferences')).toEqual([
      { preferences: mailed.map(({ kind, app, push }) => ({ kind, app, push, mail: 'off' })) },
    ])
    expect(byEmail().value).toBe('off')
    expect(turnOff.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(await inApp())
    await pressInToast('Undo')
    await waitFor(() => expect(byEmail().value).toBe('daily'))
    expect((await inApp()).checked).toBe(false)
    expect(turnOff.getAttribute('aria-disabled')).not.toBe('true')
  })

  it('undoes it without changing what was chosen after another tab had been shown', async () => {
    open()
    await inApp()
    await userEvent.click(screen.getByRole('button', { name: 'Turn off all emails' }))
    await screen.findByText('Emails turned off')
    await userEvent.click(screen.getByRole('tab', { name: 'Profile' }))
    await userEvent.click(screen.getByRole('tab', { name: 'Notifications' }))
    await userEvent.click(await inApp())
    await pressInToast('Undo')
    await waitFor(() => expect(byEmail().value).toBe('daily'))
    expect((await inApp()).checked).toBe(false)
  })

  it('shows what is stored again after a failure', async () => {
    open({
      'notifications.setPreferences': () => {
        throw appError('INTERNAL', 'Something went wrong. Please try again.')
      },
    })
    await userEvent.click(await inApp())
    expect((await screen.findAllByText('Something went wrong. Please try again.')).length).toBeGreaterThan(0)
    await waitFor(async () => expect((await inApp()).checked).toBe(true))
  })

  it('cannot turn off mails about the safety of the account', async () => {
    open()
    await inApp()
    const mail = screen.getByRole<HTMLSelectElement>('combobox', { name: 'A sign-in from a new device: by email' })
    expect([mail.disabled, mail.value]).toEqual([true, 'instant'])
  })

  it('saves when mails are sent, with quiet hours', async () => {
    const { inputsOf } = open()
    await userEvent.selectOptions(await screen.findByLabelText('Digests at'), '18:00')
    await userEvent.selectOptions(screen.getByLabelText('Weekly digest on'), 'Friday')
    await userEvent.click(screen.getByRole('switch', { name: /^Quiet hours/ }))
    const until = await screen.findByLabelText('Until')
    await userEvent.clear(until)
    await userEvent.type(until, '22:00')
    const save = screen.getByRole('button', { name: 'Save times' })
    await userEvent.click(save)
    expect(await screen.findByText('Choose two different times')).toBeDefined()
    await userEvent.clear(until)
    await userEvent.type(until, '06:30')
    await userEvent.click(save)
    await waitFor(() =>
      expect(inputsOf('notifications.setPreferences')).toEqual([
        {
          settings: {
            digestHour: 18,
            digestWeekday: 5,
            quietHours: { from: '22:00', to: '06:30' },
            timeZone: 'Africa/Casablanca',
          },
        },
      ]),
    )
  })

  it('shows the server’s error at its field', async () => {
    open({
      'notifications.setPreferences': () => {
        throw appError('VALIDATION', 'Unknown time zone', {
          errors: [{ msg: 'Unknown time zone', path: 'settings.timeZone' }],
        })
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Save times' }))
    await waitFor(() => expect(screen.getByLabelText('Time zone').getAttribute('aria-invalid')).toBe('true'))
  })

  it('offers the time zone of the device', async () => {
    open()
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    await userEvent.click(await screen.findByRole('button', { name: `Use the time zone of this device: ${own}` }))
    const select = screen.getByLabelText<HTMLSelectElement>('Time zone')
    expect(select.value).toBe(own)
    expect([select.options[0]?.value, select.options[1]?.value]).toEqual([own, 'Africa/Casablanca'])
    const zones = [...select.options].map(({ value }) => value)
    expect(new Set(zones).size).toBe(zones.length)
  })

  it('unfolds one row per kind on a phone', async () => {
    const { inputsOf } = open({}, false)
    const work = within(await screen.findByRole('region', { name: 'Your work' }))
    expect(work.getByText(/^In the app · Email: Daily digest$/)).toBeDefined()
    await userEvent.click(work.getByText('Work is rejected'))
    const [, rejected] = work.getAllByRole('switch', { name: 'In the app', hidden: true })
    await userEvent.click(rejected as HTMLElement)
    await waitFor(() =>
      expect(inputsOf('notifications.setPreferences')).toEqual([
        { preferences: [{ kind: 'submission.rejected', app: false, mail: 'instant', push: true }] },
      ]),
    )
  })
})
