import { type AdminStats, AuditEntry, User } from '@community/contract'
import { aPagination, exampleOf, publicSettings } from '@community/testing'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'
import { AdminDashboard } from '../src/features/admin/index.tsx'
import { type Handlers, fakeBackend, type RecordedRequest, appError } from './fake-backend.ts'
import { fill } from './fill.ts'
import { renderWithProviders } from './render-with-providers.tsx'

export const ADMIN_PASSWORD = 'Majorelle-2026'

/** Throws for a wrong password, like the server. */
export const assertAdminPassword = (password: string | undefined): void => {
  if (password !== ADMIN_PASSWORD)
    throw appError('WRONG_PASSWORD', 'The password you entered is incorrect.', { invalid: true })
}

const id = (number: number): string => `00000000-0000-4000-a000-${String(number).padStart(12, '0')}`

/** An account of the admin's list; number 0 is the administrator of these tests. */
export function anAccount(number: number, overrides: Partial<User> = {}): User {
  return {
    ...exampleOf(User),
    id: id(number),
    name: `Person ${number}`,
    email: `person${number}@example.ma`,
    role: 'member',
    ...overrides,
  }
}

export const anAuditEntry = (number: number, overrides: Partial<AuditEntry> = {}): AuditEntry => ({
  ...exampleOf(AuditEntry),
  id: id(number),
  actor: { id: id(0), name: 'Lalla Admin' },
  action: 'admin.ban',
  targetType: 'user',
  targetId: id(1),
  targetName: 'Sara El Amrani',
  details: { reason: 'Spam' },
  result: 'done',
  address: '192.0.2.1',
  requestId: 'req-1',
  tokenName: null,
  uses: 1,
  lastUsedAt: null,
  createdAt: '2026-11-01T09:00:00.000Z',
  ...overrides,
})

export const adminStats = (overrides: Partial<AdminStats> = {}): AdminStats => ({
  totalSubmissions: 30,
  pendingSubmissions: 4,
  approvedSubmissions: 20,
  rejectedSubmissions: 6,
  averageScore: 71.5,
  totalUsers: 120,
  activeUsers: 117,
  bannedUsers: 3,
  totalTeams: 14,
  activeTeams: 12,
  totalChallenges: 5,
  warningCount: 7,
  recentActivity: [anAuditEntry(1)],
  trends: {
    users: { last30Days: 28, before: 25, changePercent: 12 },
    submissions: { last30Days: 3, before: 0, changePercent: null },
  },
  weeks: Array.from({ length: 12 }, (_, week) => ({
    start: new Date(Date.UTC(2026, 7, 10 + 7 * week)).toISOString(),
    registrations: week,
    applications: 2,
    approvals: 1,
    points: 100 * week,
  })),
  scores: [{ challenge: { id: id(50), _id: id(50), title: 'Tram for all' }, counts: [0, 0, 0, 0, 1, 2, 0, 3, 5, 1] }],
  system: { database: true, storage: true, mail: true },
  ...overrides,
})

/** Renders the admin dashboard with empty responses, except those of the handlers. */
export function openAdmin(handlers: Handlers = {}) {
  const backend = fakeBackend({
    'system.settings': () => publicSettings(),
    'admin.settings': () => ({ settings: { teamCreationEnabled: true } }),
    'admin.stats': () => ({ stats: adminStats() }),
    'admin.mails': () => ({ mails: [], pagination: aPagination(0) }),
    ...handlers,
  })
  renderWithProviders(<AdminDashboard />)
  return backend
}

export const openTab = async (name: string): Promise<void> => userEvent.click(screen.getByRole('tab', { name }))

/** Expects the text in a toast or on the page. */
export const expectText = async (text: string): Promise<void> =>
  expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)

const findDialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

/** Fills in the prompt and submits it. */
export async function fillPrompt(title: string, label: string, text: string, button = 'Continue'): Promise<void> {
  const dialog = await findDialog(title)
  await fill(dialog.getByLabelText(label), text)
  await userEvent.click(dialog.getByRole('button', { name: button }))
}

/** Enters the password in the dialog with this title. */
export async function enterPassword(title: string, button = title, password = ADMIN_PASSWORD): Promise<void> {
  const label = 'Your password'
  // The previous prompt may have the same title.
  await waitFor(() => expect(screen.getByLabelText(label)).toBeDefined())
  const dialog = await findDialog(title)
  await fill(dialog.getByLabelText(label), password)
  await userEvent.click(dialog.getByRole('button', { name: button }))
}

/** Confirms a question. */
export const answerQuestion = async (button: string): Promise<void> =>
  userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: button }))

/** Waits until a list is loaded again after a mutation. */
export async function expectRefetch(made: readonly RecordedRequest[], write: string, list: string): Promise<void> {
  const lastIndexOf = (call: string) => made.findLastIndex(({ path }) => path === call)
  expect(lastIndexOf(write)).toBeGreaterThan(-1)
  await waitFor(() => expect(lastIndexOf(list)).toBeGreaterThan(lastIndexOf(write)))
}
