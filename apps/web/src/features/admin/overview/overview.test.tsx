import { aPagination } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { anAccount, anAuditEntry, openAdmin, expectText, adminStats, openTab } from '../../../../test/admin-steps.tsx'
import { type Handlers, appError } from '../../../../test/fake-backend.ts'
import { signIn } from '../../../../test/sign-in.ts'

vi.setConfig({ testTimeout: 20_000 })

beforeEach(() => {
  signIn({ role: 'admin' })
})
const tileText = (name: string) => screen.getByText(name, { selector: 'dt' }).parentElement?.textContent

async function open(handlers: Handlers = {}) {
  const backend = openAdmin({
    'submissions.list': () => ({ submissions: [], pagination: aPagination(0) }),
    'users.list': () => ({ users: [anAccount(1)], pagination: aPagination(1) }),
    'admin.audit': () => ({ entries: [anAuditEntry(1)], pagination: aPagination(1) }),
    ...handlers,
  })
  await screen.findByText('Total Users')
  return backend
}

describe('the overview', () => {
  it('shows eight statistics, with a trend if there are earlier figures', async () => {
    await open()
    expect(tileText('Total Users')).toBe('Total Users12028 in the last 30 days (\u2066+12%\u2069)')
    expect(tileText('Active Teams')).toBe('Active Teams12of 14 teams')
    expect(tileText('Total Submissions')).toBe('Total Submissions303 in the last 30 days')
    expect(tileText('Pending Reviews')).toBe('Pending Reviews4')
    expect(tileText('Banned Users')).toBe('Banned Users3')
    expect(tileText('Warning Logs')).toBe('Warning Logs7')
    expect(tileText('Approved')).toBe('Approved20Average score 71.5')
    expect(tileText('System Status')).toBe('System StatusOnline')
  })

  it('names the services that do not respond', async () => {
    await open({
      'admin.stats': () => ({ stats: adminStats({ system: { database: true, storage: false, mail: false } }) }),
    })
    expect(tileText('System Status')).toBe('System StatusDegradedNot responding: Storage, Mail')
  })

  it('links urgent items to their tabs', async () => {
    const { inputsOf } = await open({ 'admin.mails': () => ({ mails: [], pagination: aPagination(2) }) })
    expect(await screen.findByText('2 emails could not be sent')).toBeDefined()
    expect(screen.getByText('4 submissions to review')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Review submissions' }))
    await waitFor(() =>
      expect(inputsOf('submissions.list')).toContainEqual({ page: 1, limit: 100, sort: 'oldest', status: 'pending' }),
    )
    // The pressed button went with the panel of the overview.
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Submissions' }))
    await openTab('Overview')
    await userEvent.click(screen.getByRole('button', { name: 'See banned users' }))
    await waitFor(() => expect(inputsOf('users.list').at(-1)).toMatchObject({ status: 'banned' }))
    await openTab('Overview')
    await userEvent.click(screen.getByRole('button', { name: 'See warned users' }))
    await waitFor(() => expect(inputsOf('users.list').at(-1)).toMatchObject({ sort: 'warnings', order: 'desc' }))
  })

  it('shows that nothing is urgent', async () => {
    await open({
      'admin.stats': () => ({ stats: adminStats({ pendingSubmissions: 0, warningCount: 0, bannedUsers: 0 }) }),
    })
    expect(await screen.findByText('Nothing needs your attention.')).toBeDefined()
  })

  it('does not show that nothing is urgent while the mails load', async () => {
    let respond = () => {}
    const responded = new Promise<void>((resolve) => {
      respond = resolve
    })
    await open({
      'admin.stats': () => ({ stats: adminStats({ pendingSubmissions: 0, warningCount: 0, bannedUsers: 0 }) }),
      'admin.mails': async () => {
        await responded
        return { mails: [], pagination: aPagination(1) }
      },
    })
    expect(screen.getByRole('heading', { name: 'Urgent items' })).toBeDefined()
    expect(screen.queryByText('Nothing needs your attention.')).toBeNull()
    respond()
    expect(await screen.findByText('1 email could not be sent')).toBeDefined()
  })

  it('does not show that nothing is urgent when the mails could not be loaded', async () => {
    let isUnavailable = true
    await open({
      'admin.stats': () => ({ stats: adminStats({ pendingSubmissions: 0, warningCount: 0, bannedUsers: 0 }) }),
      'admin.mails': () => {
        if (isUnavailable) throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
        return { mails: [], pagination: aPagination(0) }
      },
    })
    await expectText('Data Error')
    expect(screen.queryByText('Nothing needs your attention.')).toBeNull()
    isUnavailable = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText('Nothing needs your attention.')).toBeDefined()
  })

  it('describes each chart in text, and has all data in tables', async () => {
    await open()
    expect(
      screen.getByRole('img', { name: 'Registrations per week: 66 in total, with a high of 11 in the week of 26 Oct' }),
    ).toBeDefined()
    for (const name of [/^Applications per week/, /^Approvals per week/, /^Points per week/]) {
      expect(screen.getByRole('img', { name })).toBeDefined()
    }
    expect(screen.getByRole('img', { name: 'Scores in Tram for all: 12 approved, mostly 81–90' })).toBeDefined()
    const weeks = within(screen.getByRole('table', { name: 'Per week' }))
    expect(weeks.getAllByRole('row')).toHaveLength(13)
    expect(weeks.getAllByRole('row').at(-1)?.textContent).toBe('26 Oct11211,100')
    const scores = within(screen.getByRole('table', { name: 'Approved work by score' }))
    expect(scores.getAllByRole('row').at(-1)?.textContent).toBe('Tram for all0000120351')
  })

  it('shows the latest actions, and links to the audit log', async () => {
    await open()
    const line = screen.getByText('Banned a user:').closest('span')
    expect(line?.textContent).toBe('Banned a user: Sara El Amrani · Spam')
    await userEvent.click(screen.getByRole('button', { name: 'See the audit log' }))
    expect(await screen.findByRole('table', { name: 'Audit log' })).toBeDefined()
  })

  it('shows that it could not be loaded', async () => {
    openAdmin({
      'admin.stats': () => {
        throw appError('UNAVAILABLE', 'The service is unavailable right now. Please try again.')
      },
    })
    await expectText('Data Error')
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeDefined()
  })
})
