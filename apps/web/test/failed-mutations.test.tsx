import {
  Announcement,
  contract,
  DEFAULT_NOTIFICATION_SETTINGS,
  PersonalToken,
  Profile,
  routesOf,
  type Team,
  Webhook,
  WebhookDelivery,
} from '@community/contract'
import {
  aChallenge,
  aCursorPagination,
  aDashboard,
  aMember,
  aPagination,
  aSubmission,
  aTeam,
  aUser,
  exampleOf,
  publicSettings,
  ROLES,
  sampledForTier,
} from '@community/testing'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Dialogs } from '../src/app/dialogs.tsx'
import { UserMenu } from '../src/app/user-menu.tsx'
import { EmailPreferencesPage } from '../src/features/account/email-preferences-page.tsx'
import { AdminDashboard } from '../src/features/admin/index.tsx'
import { endCooldown } from '../src/features/auth/cooldown.ts'
import { GoogleOtpPage } from '../src/features/auth/google-otp-page.tsx'
import { ChallengesSection } from '../src/features/challenges/index.tsx'
import { NotificationsPage } from '../src/features/notifications/index.tsx'
import { openDialog } from '../src/lib/dialogs.ts'
import { emit } from '../src/lib/events.ts'
import { NETWORK_TEXT, unreadableResponse } from '../src/lib/failure.ts'
import { currentUser } from '../src/lib/session.ts'
import { tabStore } from '../src/lib/storage.ts'
import { toast } from '../src/lib/toasts.ts'
import { anAccount } from './admin-steps.tsx'
import { type Handlers, fakeBackend } from './fake-backend.ts'
import { pressTwice } from './fill.ts'
import { aNotification } from './inbox.ts'
import { PUSH_ENDPOINT, stubPush } from './push-browser.ts'
import { renderWithProviders } from './render-with-providers.tsx'
import { signIn } from './sign-in.ts'
import { sources } from './sources.ts'

const INTERNAL = 'Something went wrong. Please try again.'
const internal = { success: false, code: 'INTERNAL', message: INTERNAL, errors: [] }

const FORMAT_TEXT = unreadableResponse().message

/** The ways a request may fail, and the message that the client shows. */
const FAILURES = {
  serverError: {
    message: INTERNAL,
    respond: () => Response.json({ error: { message: INTERNAL, code: -32_603, data: { failure: internal } } }),
  },
  disconnected: { message: NETWORK_TEXT, respond: () => Promise.reject(new TypeError('Failed to fetch')) },
  htmlPage: { message: FORMAT_TEXT, respond: () => new Response('<!doctype html><h1>Free wifi</h1>') },
}
type FailureKind = keyof typeof FAILURES
const failureKinds = Object.keys(FAILURES) as FailureKind[]

/** The texts shown for a failure; null for none. */
interface ShownTexts {
  toast: string | null
  inPlace: string | null
}
type ExpectedTexts = (failure: FailureKind) => ShownTexts

const inBoth: ExpectedTexts = (failure) => ({ toast: FAILURES[failure].message, inPlace: FAILURES[failure].message })
const inPlaceOnly: ExpectedTexts = (failure) => ({ ...inBoth(failure), toast: null })
const inToast: ExpectedTexts = (failure) => ({ ...inBoth(failure), inPlace: null })
// The specification's text if the password dialog gets HTML instead of JSON.
const NO_ENDPOINT = 'Password verification endpoint not available'
const inPasswordDialog: ExpectedTexts = (failure) =>
  failure === 'htmlPage' ? { toast: FORMAT_TEXT, inPlace: NO_ENDPOINT } : inBoth(failure)
const inPasswordDialogOnly: ExpectedTexts = (failure) => ({ ...inPasswordDialog(failure), toast: null })
/** The fallback text, except for a broken connection, which has its own text. */
const fallbackUnlessOffline =
  (fallback: string, inPlace: string | null = fallback): ExpectedTexts =>
  (failure) => {
    if (failure !== 'disconnected') return { toast: fallback, inPlace }
    return { toast: NETWORK_TEXT, inPlace: inPlace && NETWORK_TEXT }
  }

/** The name of a button or choice to press, fields to fill by their labels, or a function to call. */
type Step = string | Record<string, string> | (() => unknown)

interface Mutation {
  /** Null for a visitor. */
  user: Partial<Profile> | null
  /** Rendered next to the dialogs. */
  page?: ReactNode
  adminTab?: string
  steps: Step[]
  /** The submit button. */
  submit: string
  expectedTexts: ExpectedTexts
  /** Shown in place after success; otherwise a toast is. */
  successText?: string
  /** Responses that differ from the default ones. */
  answers?: Handlers
}

const mutationBy =
  (user: Mutation['user'], where: Pick<Mutation, 'page' | 'adminTab'> = {}) =>
  (steps: Step[], submit: string, expectedTexts = inBoth): Mutation => ({
    user,
    ...where,
    steps,
    submit,
    expectedTexts,
  })

const EMAIL = 'sara@example.ma'
const PASSWORD = 'Zellige-2026'
const ADMIN = { id: anAccount(0).id, role: 'admin' } as const

const me = aUser()
const chef = aMember(9, { userId: me.id, name: me.name, isChef: true })
const lions = aTeam(1, 'Atlas Lions', { members: [chef, aMember(2, { name: 'Lina' })] })
const makers = aTeam(2, 'Rif Makers', { members: [aMember(1, { isChef: true }), { ...chef, isChef: false }] })
const strangers = aTeam(3, 'Code Fassi')
const teams = [lions, makers, strangers, aTeam(4, 'Oudaya', { isActive: false })]
const sara = anAccount(1, { name: 'Sara' })
const omar = anAccount(2, { name: 'Omar', isBanned: true })
const rejected = aSubmission(2, { status: 'rejected', feedback: 'Please add the source.' })
const { admin: adminRoutes, auth: authRoutes } = contract
const warning = exampleOf(adminRoutes.warnings.output.shape.warnings.element)
const blocked = exampleOf(adminRoutes.blacklist.output.shape.blacklist.element)
const archiveImport = { ...exampleOf(adminRoutes.startImport.output.shape.import), received: 0, partSize: 8 }
const mail = exampleOf(adminRoutes.mails.output.shape.mails.element)
const device = exampleOf(authRoutes.sessions.output.shape.sessions.element)
const token = { ...exampleOf(PersonalToken), name: 'Backup' }
const hookUrl = 'https://hooks.example/'
const webhook: Webhook = { ...exampleOf(Webhook), teamId: lions.id, url: hookUrl, events: ['submission.approved'] }
const delivery = { ...exampleOf(WebhookDelivery), event: 'ping' as const, nextAttemptAt: null }

const mailed = { requiresOTP: true, email: EMAIL, name: 'Sara', expirationMinutes: 5 } as const
/** Responses to all queries, and to the first step of sign-in, registration and password reset. */
const DEFAULT_ANSWERS: Handlers = {
  'auth.login': () => ({ ...mailed, signInId: 'id' }),
  'auth.register': () => ({ ...mailed, registrationId: 'id' }),
  'auth.forgotPassword': () => ({ expirationMinutes: 5, resetId: 'id' }),
  'system.settings': () => publicSettings(),
  'roles.list': () => ({ roles: ROLES }),
  'teams.get': ({ id }) => ({ team: teams.find((team) => team.id === id) ?? lions }),
  'teams.list': () => ({ teams, pagination: aPagination(teams.length) }),
  'users.profile': () => ({ user: currentUser() ?? me }),
  'users.dashboard': () => aDashboard({ teams: [lions] }),
  'users.teams': () => ({ teams: [lions], pagination: aPagination(1) }),
  'users.get': () => ({ user: { visibility: 'full', ...exampleOf(Profile), ...sara, teams: [], works: [] } }),
  'users.list': () => ({ users: [sara, omar], pagination: aPagination(2) }),
  'auth.sessions': () => ({
    sessions: [
      { ...device, isCurrent: true },
      { ...device, id: sara.id, browser: 'Chrome', system: 'Windows' },
    ],
    pagination: aPagination(2),
  }),
  'users.tokens': () => ({ tokens: [token] }),
  'webhooks.list': () => ({ webhooks: [webhook], pagination: { limit: 100, nextCursor: null } }),
  'webhooks.deliveries': () => ({ deliveries: [delivery], pagination: aPagination(1) }),
  'challenges.list': () => ({ challenges: [aChallenge(1)], pagination: aPagination(1) }),
  'challenges.get': () => ({ challenge: aChallenge(1) }),
  'challenges.myTeamApplications': () => ({ applications: [], pagination: aPagination(0) }),
  'challenges.reminders': () => ({ teamIds: [] }),
  'submissions.list': () => ({
    submissions: [aSubmission(2, { status: 'approved', score: 91 }), aSubmission(1)],
    pagination: aPagination(2),
  }),
  'submissions.pending': () => ({ submissions: [], pagination: aPagination(0) }),
  'admin.settings': () => ({ settings: { teamCreationEnabled: true } }),
  'system.page': () => ({ page: { markdown: '# Privacy', isDefault: true } }),
  'admin.archiveImport': () => ({ isPossible: true, import: { ...archiveImport, status: 'receiving', fault: null } }),
  'admin.startImport': () => ({ import: archiveImport }),
  'admin.mails': () => ({ mails: [mail], pagination: aPagination(1) }),
  'admin.warnings': () => ({ warnings: [warning], pagination: aPagination(1) }),
  'admin.blacklist': () => ({ blacklist: [blocked], pagination: aPagination(1) }),
  'notifications.list': () => ({ notifications: [aNotification(1)], unread: 1, pagination: aCursorPagination() }),
  'notifications.read': () => ({ changed: 1, readAt: '2026-11-01T10:00:00.000Z', unread: 0 }),
  'notifications.preferences': () => ({ preferences: [], settings: DEFAULT_NOTIFICATION_SETTINGS, mailPausedAt: null }),
  'notifications.linkedPreferences': () => ({
    email: 's•••@example.ma',
    preferences: [],
    settings: DEFAULT_NOTIFICATION_SETTINGS,
    mailPausedAt: null,
  }),
  'notifications.push': () => ({ publicKey: 'AQ', endpoint: null }),
  'admin.announcements': () => ({
    announcements: [{ ...exampleOf(Announcement), state: 'scheduled' }],
    pagination: aPagination(1),
  }),
  'admin.countRecipients': () => ({ recipients: 12 }),
  'admin.listChallenges': () => ({
    challenges: [aChallenge(1), aChallenge(2, { isActive: false })],
    totals: { total: 2, active: 1, expired: 0, points: 400 },
    pagination: aPagination(2),
  }),
}

const visitor = mutationBy(null)
const member = mutationBy({})
/** A member whose profile has the details that teams require. */
const applicant = mutationBy({ phone: '0612345678', experience: 'Advanced' })
const admin = mutationBy(ADMIN)
const inTab = (adminTab: string) => mutationBy(ADMIN, { page: <AdminDashboard />, adminTab })
const [users, allTeams, challenges] = [inTab('users'), inTab('teams'), inTab('challenges')]
const [submissions, blacklist, settings] = [inTab('submissions'), inTab('blacklist'), inTab('settings')]
const announcements = inTab('announcements')
const atNotifications = mutationBy({}, { page: <NotificationsPage /> })
const atChallenges = mutationBy({}, { page: <ChallengesSection /> })
const atGoogleCode = mutationBy(null, { page: <GoogleOtpPage /> })

const byEmail = (mode: 'login' | 'register' | 'forgot') => () => emit('openAuthModal', { mode })
const LOGIN = [byEmail('login'), 'Continue with Email', { Email: EMAIL, Password: PASSWORD }]
const PERSON = { 'Full Name': 'Sara', Email: EMAIL, Password: PASSWORD, 'Confirm Password': PASSWORD }
const REGISTER = [byEmail('register'), 'Continue with Email', PERSON]
const FORGOT = [byEmail('forgot'), { Email: EMAIL }]
const CODE = { 'Verification Code': '123456' }
const canResend = (purpose: 'login' | 'register') => () => endCooldown(purpose, EMAIL)
const NEW_PASSWORD = { 'New Password': 'Majorelle-2027', 'Confirm New Password': 'Majorelle-2027' }
const CHANGE = { 'Current Password': PASSWORD, ...NEW_PASSWORD }
const CONFIRM = { 'Your password': PASSWORD }
const notSignedIn = fallbackUnlessOffline("We couldn't sign you in. Please try again.")
const notRegistered = fallbackUnlessOffline("We couldn't create your account. Please try again.")
const notVerified = fallbackUnlessOffline("We couldn't verify your code. Please check your connection and try again.")
const notMailed = fallbackUnlessOffline(
  "We couldn't send the verification code. Please try again.",
  'Failed to send reset OTP',
)
const notResent = fallbackUnlessOffline("We couldn't send a new verification code. Please try again.", null)
const notReset: ExpectedTexts = (failure) => ({
  ...fallbackUnlessOffline('Failed to reset password')(failure),
  toast: null,
})
const notCreated = fallbackUnlessOffline('Failed to create team')
const notJoined = fallbackUnlessOffline('Failed to join team. Please try again.')

const chooseArchive = () =>
  fireEvent.change(screen.getByLabelText('Archive'), { target: { files: [new File(['zip'], 'season.zip')] } })
const openAccount = () => openDialog({ name: 'account' })
const PROFILE = { Phone: '0612345678', Portfolio: 'https://sara.example.ma/' }
const followLink = () => {
  window.location.hash = '#email-preferences-token'
}
const TOKEN = { 'Token name': 'Weekly report', 'Current Password': PASSWORD }
const openWebhooks = () => openDialog({ name: 'webhooks', team: lions })
const WEBHOOK = { 'URL of your server': 'https://hooks.example/community' }
const SECRET_TEXT = 'Copy the signing secret now. It will not be shown again.'
const openTeam = (opened: Team) => () => openDialog({ name: 'team', teamId: opened.id })
const openWizard = () => emit('openCreateTeamModal')
const TEAM = { 'Team name': 'Oudaya', Description: 'We build small things.', 'Team experience level': 'Expert' }
const ROLE = { Role: ROLES[0]?.id ?? '' }
const openReapply = () => openDialog({ name: 'reapply', application: rejected, isChef: true })
const WORK = { 'Project link': 'https://github.com/atlas-lions/tram', Notes: 'First version' }
const openCreateChallenge = () => emit('openCreateChallengeModal')
const openEditChallenge = () => emit('openEditChallengeModal', { challengeId: aChallenge(1).id })
const CHALLENGE = { Title: 'Tram', Description: 'For all.', 'Requirement 1': 'Offline', Deadline: '2026-11-09T10:00' }
const ANNOUNCEMENT = { Title: 'The jury meets on Friday', Text: 'Submit by Thursday.' }
const menuAction = (name: string, action: string) => [`Actions for ${name}`, action]
const REASON = [{ Reason: 'Rude words' }, 'Continue']
const findQuestion = () => screen.findByRole('alertdialog')

/** The steps to every mutation whose failure the client shows. */
const MUTATIONS: Record<string, Mutation> = {
  'auth.login': visitor(LOGIN, 'Sign In', notSignedIn),
  'auth.verifyOtp': visitor([...LOGIN, 'Sign In', CODE], 'Verify Code', notVerified),
  'auth.resendOtp': visitor([...LOGIN, 'Sign In', canResend('login')], 'Resend Code', notResent),
  'auth.register': visitor(REGISTER, 'Create Account', notRegistered),
  'auth.verifyRegistrationOtp': visitor([...REGISTER, 'Create Account', CODE], 'Verify Code', notVerified),
  'auth.resendRegistrationOtp': visitor(
    [...REGISTER, 'Create Account', canResend('register')],
    'Resend Code',
    notResent,
  ),
  'auth.verifyGoogleOtp': atGoogleCode([CODE], 'Verify Code', notVerified),
  'auth.forgotPassword': visitor(FORGOT, 'Send Code', notMailed),
  'auth.resetPassword': visitor([...FORGOT, 'Send Code', { ...CODE, ...NEW_PASSWORD }], 'Reset Password', notReset),
  'auth.changePassword': member([openAccount, 'Security', CHANGE], 'Change password'),
  'auth.endSession': member([openAccount, 'Devices'], 'Sign out Chrome on Windows', inToast),
  'auth.endSessions': member([openAccount, 'Devices'], 'Sign out everywhere else', inToast),
  'users.updateProfile': member([openAccount, PROFILE], 'Save'),
  'users.remove': member([openAccount, 'Security', 'Delete account', CONFIRM], 'Delete account', inPasswordDialogOnly),
  'users.createToken': {
    ...member([openAccount, 'Access tokens', 'New access token', TOKEN], 'Create access token', inPlaceOnly),
    successText: 'Copy the token now. It will not be shown again.',
  },
  'users.revokeToken': member([openAccount, 'Access tokens', 'Revoke Backup'], 'Revoke'),
  'teams.create': applicant([openWizard, 'Next', TEAM, 'Next', 'UX Designer'], 'Create Team', notCreated),
  'teams.join': applicant([openTeam(strangers), 'Join This Team', ROLE], 'Join Team', notJoined),
  'teams.leave': member([openTeam(makers), 'Leave Team'], 'Leave Team'),
  'teams.update': member([openTeam(lions), 'Edit', { Description: 'We build quiet things.' }], 'Save', inPlaceOnly),
  'teams.remove': member([openTeam(lions), 'Delete'], 'Delete'),
  'teams.removeMember': member([openTeam(lions), 'Remove Member Lina'], 'Remove Member'),
  'teams.transferOwnership': member([openTeam(lions), 'Transfer Ownership', 'Lina'], 'Transfer'),
  'challenges.applyTo': atChallenges(['Apply to Challenge 1', WORK], 'Submit Application'),
  'challenges.submit': atChallenges(['Challenge 1', 'Submit Project', WORK], 'Submit Project'),
  'challenges.remind': atChallenges(['Challenge 1'], 'Remind me', inToast),
  'challenges.stopReminding': {
    ...atChallenges(['Challenge 1'], 'Remind me', inToast),
    answers: { 'challenges.reminders': () => ({ teamIds: [lions.id] }) },
  },
  'submissions.setStatus': member([openReapply], 'Re-apply'),
  'submissions.evaluate': submissions(['Evaluate', { Score: '87', Feedback: 'Clear.' }], 'Submit Evaluation'),
  'submissions.resetEvaluation': submissions(['Details', 'Reset evaluation'], 'Reset evaluation'),
  'submissions.remove': submissions(['Delete Submission', CONFIRM], 'Delete Submission', inPasswordDialog),
  'notifications.read': atNotifications([], 'Mark all as read', inToast),
  'notifications.setPreferences': member([openAccount, 'Profile', 'Notifications'], 'Save times'),
  'notifications.resumeMail': {
    ...member([openAccount, 'Profile', 'Notifications'], 'Send emails again', inToast),
    answers: {
      'notifications.preferences': () => ({
        preferences: [],
        settings: DEFAULT_NOTIFICATION_SETTINGS,
        mailPausedAt: '2026-11-20T10:00:00.000Z',
      }),
    },
  },
  'notifications.setLinkedPreferences': mutationBy(null, { page: <EmailPreferencesPage /> })(
    [followLink],
    'Save times',
  ),
  'notifications.subscribePush': member(
    [stubPush, openAccount, 'Profile', 'Notifications'],
    'Turn on push messages',
    inToast,
  ),
  'notifications.unsubscribePush': {
    ...member([stubPush, openAccount, 'Profile', 'Notifications'], 'Turn off push messages', inToast),
    answers: {
      'notifications.push': () => ({ publicKey: 'AQ', endpoint: PUSH_ENDPOINT }),
    },
  },
  'webhooks.create': {
    ...member([openWebhooks, 'New webhook', WEBHOOK, 'team.member.joined'], 'Create webhook', inPlaceOnly),
    successText: SECRET_TEXT,
  },
  'webhooks.update': member([openWebhooks, ...menuAction(hookUrl, 'Edit'), WEBHOOK], 'Save changes', inPlaceOnly),
  'webhooks.remove': member([openWebhooks, ...menuAction(hookUrl, 'Delete')], 'Delete'),
  'webhooks.rotateSecret': {
    ...member([openWebhooks, ...menuAction(hookUrl, 'Replace secret')], 'Replace secret'),
    successText: SECRET_TEXT,
  },
  'webhooks.ping': member([openWebhooks], `Send ping ${hookUrl}`, inToast),
  'webhooks.redeliver': member([openWebhooks, `Deliveries ${hookUrl}`], 'Send again ping', inToast),
  'admin.warn': users([...menuAction('Sara', 'Give Warning'), ...REASON, CONFIRM], 'Give Warning', inPasswordDialog),
  'admin.takeWarningBack': users(['View Details', 'Remove warning'], 'Remove warning'),
  'admin.ban': users([...menuAction('Sara', 'Ban User'), ...REASON, CONFIRM], 'Ban User', inPasswordDialog),
  'admin.unban': users([...menuAction('Omar', 'Unban User'), CONFIRM], 'Unban User', inPasswordDialog),
  'admin.setRole': users([...menuAction('Sara', 'Make Admin'), CONFIRM], 'Make Admin', inPasswordDialog),
  'admin.deleteUser': users([...menuAction('Sara', 'Delete User'), CONFIRM], 'Delete User', inPasswordDialog),
  'admin.renameTeam': allTeams(
    [...menuAction('Atlas Lions', 'Rename Team'), { 'Team name': 'Oudaya' }, 'Continue', CONFIRM],
    'Rename Team',
    inPasswordDialog,
  ),
  'admin.deactivateTeam': allTeams(menuAction('Atlas Lions', 'Deactivate Team'), 'Deactivate'),
  'admin.activateTeam': allTeams(menuAction('Oudaya', 'Activate Team'), 'Activate'),
  'admin.deleteTeam': allTeams([...menuAction('Atlas Lions', 'Delete Team'), CONFIRM], 'Delete Team', inPasswordDialog),
  'admin.cleanupTeams': allTeams(['Clean up teams'], 'Clean up'),
  'admin.removeTeamMember': allTeams(['Members', 'Remove', CONFIRM], 'Remove', inPasswordDialog),
  'admin.createChallenge': admin(
    [openCreateChallenge, CHALLENGE, 'Create Challenge', findQuestion, 'Create Challenge', CONFIRM],
    'Create Challenge',
    inPasswordDialog,
  ),
  'admin.updateChallenge': admin(
    [openEditChallenge, { Points: '300' }, 'Save changes', CONFIRM],
    'Save changes',
    inPasswordDialog,
  ),
  'admin.deactivateChallenge': challenges(
    [...menuAction('Challenge 1', 'Deactivate'), CONFIRM],
    'Deactivate',
    inPasswordDialog,
  ),
  'admin.activateChallenge': challenges(
    [...menuAction('Challenge 2', 'Activate'), CONFIRM],
    'Activate',
    inPasswordDialog,
  ),
  'admin.deleteChallenge': challenges(
    [...menuAction('Challenge 1', 'Delete'), 'Delete Challenge', CONFIRM],
    'Delete Challenge',
    inPasswordDialog,
  ),
  'admin.addToBlacklist': blacklist(['Add address', { Email: EMAIL, Reason: 'Casino links' }], 'Add address'),
  'admin.removeFromBlacklist': blacklist(['Remove'], 'Remove'),
  'admin.announce': announcements(
    ['New announcement', ANNOUNCEMENT, 'Send announcement', CONFIRM],
    'Send announcement',
    inPasswordDialog,
  ),
  'admin.cancelAnnouncement': announcements(['Cancel announcement', CONFIRM], 'Cancel announcement', inPasswordDialog),
  'admin.setTeamCreation': settings(['Team Creation', CONFIRM], 'Disable', inPasswordDialog),
  'admin.setPage': settings(['Save', CONFIRM], 'Save', inPasswordDialogOnly),
  'admin.startImport': settings(['Import', chooseArchive, 'Import', CONFIRM], 'Import', inPasswordDialogOnly),
  'admin.cancelImport': settings(['Cancel import'], 'Cancel import', inToast),
  'admin.retryMail': settings([], 'Resend', inToast),
}

/** The dialog or menu on top. */
const topLayer = (): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog], [role=alertdialog], [role=menu]')].at(-1) ?? document.body

/** A button of the top layer by its name, or else a field by its label. */
function findControl(name: string): HTMLElement {
  const found = [...topLayer().querySelectorAll<HTMLElement>('button, [role=menuitem]')].filter(
    (button) => (button.getAttribute('aria-label') ?? button.textContent).trim() === name,
  )
  const button = found.find((control) => control.getAttribute('role') !== 'tab') ?? found[0]
  return button ?? within(topLayer()).getByLabelText(name, { exact: false })
}

async function perform(step: Step): Promise<void> {
  if (typeof step === 'function') await act(async () => void (await step()))
  else if (typeof step === 'string') await userEvent.click(await waitFor(() => findControl(step)))
  else
    for (const [label, value] of Object.entries(step))
      fireEvent.change(await waitFor(() => within(topLayer()).getByLabelText(label)), { target: { value } })
}

const findEnabled = (name: string) =>
  waitFor(() => {
    const button = findControl(name)
    expect([button.getAttribute('aria-busy'), button.getAttribute('aria-disabled')]).not.toContain('true')
    return button
  })

/** The values of all fields. */
const fieldValues = () =>
  [...document.querySelectorAll<HTMLInputElement>('input, select, textarea')].map((field) => [
    field.value,
    field.checked,
  ])

function expectShown(expected: ShownTexts, failure: FailureKind): void {
  const all = [...document.querySelectorAll('[role=alert], [aria-live=polite]')]
  const [toasts, inPlace] = [true, false].map((isToast) =>
    all.filter((element) => (element.closest('.toast') !== null) === isToast).map(({ textContent }) => textContent),
  )
  expect(toasts).toEqual(expected.toast === null ? [] : [expect.stringContaining(expected.toast)])
  const text = expected.inPlace ?? FAILURES[failure].message
  expect(inPlace?.filter((shown) => shown.includes(text))).toHaveLength(expected.inPlace === null ? 0 : 1)
}

/** Stubs one procedure. `respond` may be replaced; if it returns null, the fake backend responds. */
function intercept(procedure: string) {
  const backend = fetch
  const stub = { calls: 0, respond: FAILURES.serverError.respond as () => Response | Promise<Response | null> }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (new URL(url, window.location.href).pathname !== `/trpc/${procedure}`) return backend(url, init)
    stub.calls += 1
    return (await stub.respond()) ?? backend(url, init)
  })
  return stub
}

const mutations = new Map(routesOf(contract).filter(([, { method }]) => method !== 'GET'))

function open(procedure: string, { user, page, adminTab = '', answers = {} }: Partial<Mutation>) {
  if (user) signIn(user)
  tabStore.write('adminTab', adminTab)
  const output = mutations.get(procedure)?.output
  fakeBackend({ [procedure]: () => output && exampleOf(output), ...DEFAULT_ANSWERS, ...answers })
  const stub = intercept(procedure)
  renderWithProviders(
    <>
      {page}
      <Dialogs />
    </>,
  )
  return stub
}

beforeEach(() => {
  vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  history.replaceState(null, '', `/auth/google-otp?email=${EMAIL}`)
})
describe('a mutation that fails', () => {
  it.each(Object.entries(MUTATIONS))(
    'is shown once, keeps the values, can be retried and ignores presses while pending: %s',
    async (procedure, mutation) => {
      const { steps, submit, expectedTexts, successText } = mutation
      const stub = open(procedure, mutation)
      for (const step of steps) await perform(step)
      for (const failure of sampledForTier(failureKinds, 1, procedure)) {
        const button = await findEnabled(submit)
        act(() => toast.clear())
        const [calls, valuesBefore] = [stub.calls, fieldValues()]
        stub.respond = FAILURES[failure].respond
        pressTwice(button)
        await waitFor(() => expectShown(expectedTexts(failure), failure))
        await findEnabled(submit)
        expect(stub.calls - calls).toBe(1)
        expect(fieldValues()).toEqual(valuesBefore)
      }
      act(() => toast.clear())
      const calls = stub.calls
      let resolveRequest = () => {}
      stub.respond = () =>
        new Promise((resolve) => {
          resolveRequest = () => resolve(null)
        })
      pressTwice(await findEnabled(submit))
      const busy = await waitFor(() => {
        const found = document.querySelector<HTMLElement>('button[aria-busy=true]')
        if (!found) throw new Error('No button is busy')
        return found
      })
      await waitFor(() => expect(stub.calls).toBeGreaterThan(calls))
      pressTwice(busy)
      act(() => resolveRequest())
      if (successText !== undefined) await screen.findByText(successText)
      else await waitFor(() => expect(document.querySelector('.toast')).not.toBeNull())
      expect(document.querySelector('.toast [role=alert]')).toBeNull()
      expect(stub.calls - calls).toBe(1)
    },
  )

  it.each(failureKinds)('still ends the session in this browser: auth.logout, %s', async (failure) => {
    const stub = open('auth.logout', { user: {}, page: <UserMenu user={me} /> })
    stub.respond = FAILURES[failure].respond
    await userEvent.click(screen.getByRole('button', { name: `Account of ${me.name}` }))
    await perform('Sign Out')
    await waitFor(() => expect(currentUser()).toBeNull())
    expect(stub.calls).toBe(1)
  })

  it('covers every mutation that the client uses', () => {
    const client = sources()
      .map(({ text }) => text)
      .join('\n')
    const used = [...mutations.keys()].filter((name) =>
      new RegExp(`\\.${name.replace('.', '\\s*\\.')}\\b`).test(client),
    )
    // The second reads.
    const others = ['auth.logout', 'notifications.linkedPreferences']
    expect([...Object.keys(MUTATIONS), ...others].toSorted()).toEqual(used.toSorted())
  })
})
