import { type InputOf, PASSWORD, sampledForTier, validInput } from '@community/testing'
import { type Browser, type BrowserContextOptions, expect, type Locator, type Page } from '@playwright/test'
import { sendRequest, signInAt, storeSession } from '../api.ts'
import { newestCode } from '../inbox.ts'
import { ADMIN } from '@community/testing/server'
import { inboxUrl, url } from '../site.ts'

export { PASSWORD } from '@community/testing'
export { inboxUrl, url } from '../site.ts'

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1280, height: 900 }

const DEVICES = [
  { device: 'a phone', viewport: PHONE },
  { device: 'a wide screen', viewport: DESKTOP },
] as const
/** The screens that a journey is repeated on: one of them in the quick tier. */
export const sampledDevices = (journey: string) => sampledForTier(DEVICES, 1, journey)

export const randomWord = () => Math.random().toString(36).slice(2, 8)

export interface TestUser {
  name: string
  email: string
  password: string
}
export const newTestUser = (name = 'Sara El Amrani'): TestUser => ({
  name,
  email: `${randomWord()}${randomWord()}@example.ma`,
  password: PASSWORD,
})

type Credentials = Pick<TestUser, 'email' | 'password'>

export interface OpenOptions<Prepared> extends BrowserContextOptions {
  /** The signed-in user; the session is stored before the page loads. */
  as?: Credentials
  /** The path and hash to open. */
  at?: string
  /** Runs before the page loads; what it returns is `prepared`. */
  prepare?: (page: Page) => Promise<Prepared>
}

/** Runs in the page: moves the pointer as soon as the headline is there, as most of the page waits for a user who moves. */
function moveOnceRendered(): void {
  let headline: Element | null = null
  new MutationObserver(() => {
    const before = headline
    headline = document.querySelector('main h1')
    if (headline && headline !== before) window.dispatchEvent(new Event('pointermove'))
  }).observe(document, { childList: true, subtree: true })
}

/** Opens the app in a browser context of its own. Errors of the page and its console are collected in `consoleErrors`. */
export async function openApp<Prepared = unknown>(
  browser: Browser,
  { as, at = '/', prepare, ...options }: OpenOptions<Prepared> = {},
) {
  const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, reducedMotion: 'reduce', ...options })
  await context.addInitScript(moveOnceRendered)
  const page = await context.newPage()
  const consoleErrors: string[] = []
  page.on('pageerror', (error) => consoleErrors.push(error.message))
  page.on('console', (message) => {
    // The browser logs each rejected request: expected where a journey is rejected on purpose.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) consoleErrors.push(message.text())
  })
  const session = as && (await signInAt({ url: options.baseURL ?? url }, as))
  const stored = session && (await context.addInitScript(storeSession, session))
  const prepared = (await prepare?.(page)) as Prepared
  await page.goto(at)
  // The session is the app's own from here on: a reload after signing out must not bring it back.
  await stored?.dispose()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return { page, consoleErrors, session, prepared }
}

const isNarrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 800

/** The container of the account's buttons: the phone menu, otherwise the page. */
async function accountContainer(page: Page): Promise<Locator | Page> {
  if (!isNarrow(page)) return page
  await page.getByRole('button', { name: 'Menu' }).click()
  return page.getByRole('dialog', { name: 'Menu' })
}

async function openAuth(page: Page, mode: 'Sign In' | 'Sign Up'): Promise<void> {
  const container = isNarrow(page) ? await accountContainer(page) : page.getByRole('banner')
  await container.getByRole('button', { name: mode, exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /continue with email/i })
    .click()
}

/** Fills the fields of the open dialog by their labels, and presses a button. */
async function submitDialog(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value)
  await dialog.getByRole('button', { name: button, exact: true }).click()
}

export async function signUp(page: Page, { name, email, password }: TestUser): Promise<void> {
  await openAuth(page, 'Sign Up')
  const fields = { 'Full Name': name, Email: email, Password: password, 'Confirm Password': password }
  await submitDialog(page, fields, 'Create Account')
  await expect(page.getByRole('dialog', { name: 'Check Your Email' })).toBeVisible()
  // The sixth digit submits the code.
  await page.getByLabel('Verification Code').fill(await newestCode(inboxUrl, email))
  await expect(page.getByText('Welcome to the community!').first()).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
}

export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await openAuth(page, 'Sign In')
  await submitDialog(page, { Email: email, Password: password }, 'Sign In')
  await expect(page.getByRole('dialog')).toBeHidden()
}

/** Signs out, which reloads the page. */
export async function signOut(page: Page, name: string): Promise<void> {
  const container = await accountContainer(page)
  if (!isNarrow(page)) await page.getByRole('button', { name: `Account of ${name}` }).click()
  const reloaded = page.waitForEvent('load')
  await container.getByRole(isNarrow(page) ? 'button' : 'menuitem', { name: 'Sign Out' }).click()
  await reloaded
  await expect(page.getByRole('button', { name: 'Get Started Free' })).toBeVisible()
}

/** Holds back a page's requests to matching URLs until the returned function is called. */
export async function holdRequests(page: Page, urlPattern: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(urlPattern, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** One REST request to the worker's server, for what a journey needs but does not show. */
export const callApi = <T>(
  endpoint: string,
  token?: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<T> => sendRequest<T>({ url }, endpoint, token, body, headers)

export interface SignedInUser extends TestUser {
  id: string
  token: string
}

let registrations = 0
/** A client address for each registration, because registrations are limited per address. */
const newClientAddress = () => {
  registrations += 1
  const worker = Number(process.env.TEST_WORKER_INDEX ?? 0)
  return { 'x-forwarded-for': [10, worker % 256, registrations >> 8, registrations % 256].join('.') }
}

interface Named {
  id: string
  name: string
}

/** Registers a member over REST. */
export async function registerMember(name?: string): Promise<SignedInUser> {
  const person = newTestUser(name)
  const address = newClientAddress()
  await callApi('POST /auth/register', undefined, { ...person, confirmPassword: person.password }, address)
  const otp = await newestCode(inboxUrl, person.email)
  const verify = 'POST /auth/verify-registration-otp'
  const { user, token } = await callApi<{ user: Named; token: string }>(verify, undefined, { ...person, otp }, address)
  return { ...person, id: user.id, token }
}

export const adminToken = async (): Promise<string> => (await signInAt({ url }, ADMIN)).token

/** Creates a team over REST that needs one role. */
export async function createTeam(
  chef: SignedInUser,
  name = `Team ${randomWord()} ${randomWord()}`,
  fields: Partial<InputOf<'teams.create'>> = {},
): Promise<Named & { role: string }> {
  const { roles } = await callApi<{ roles: Named[] }>('GET /roles')
  const [role] = roles
  if (!role) throw new Error('There are no roles')
  const { userInfo } = validInput('teams.create')
  const input = validInput('teams.create', {
    name,
    rolesNeeded: [{ id: role.id }],
    maxMembers: 5,
    userInfo: { ...userInfo, firstName: chef.name, email: chef.email },
    ...fields,
  })
  const { team } = await callApi<{ team: Named }>('POST /teams', chef.token, input)
  return { ...team, role: role.name }
}

/** Creates a challenge over REST, open for five days. */
export async function createChallenge(
  fields: Partial<InputOf<'admin.createChallenge'>> = {},
): Promise<{ id: string; title: string }> {
  const input = validInput('admin.createChallenge', {
    title: `Bus times ${randomWord()} ${randomWord()}`,
    deadline: new Date(Date.now() + 5 * 86_400_000).toISOString(),
    points: 200,
    password: ADMIN.password,
    ...fields,
  })
  const token = await adminToken()
  return (await callApi<{ challenge: { id: string; title: string } }>('POST /admin/challenges', token, input)).challenge
}
