import { sampledForTier } from '@community/testing'
import {
  type Browser,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
  type Response,
} from '@playwright/test'
import { signInAt, storeSession } from '../api.ts'
import { newestCode } from '../inbox.ts'
import { inboxUrl, url } from '../site.ts'
import type { TestUser } from './entities.ts'

export { PASSWORD } from '@community/testing'
export { inboxUrl, url } from '../site.ts'
export * from './entities.ts'

export const PHONE = { width: 390, height: 844 }
export const DESKTOP = { width: 1280, height: 900 }

const DEVICES = [
  { device: 'a phone', viewport: PHONE },
  { device: 'a wide screen', viewport: DESKTOP },
] as const
/** The screens that a journey is repeated on: one of them in the quick tier. */
export const sampledDevices = (journey: string) => sampledForTier(DEVICES, 1, journey)

/** For what appears only after retries: a query fails after three attempts, and the start page is requested again after five seconds. */
export const RETRY_TIMEOUT = { timeout: 20_000 }

type Credentials = Pick<TestUser, 'email' | 'password'>

export interface OpenOptions<Prepared> extends BrowserContextOptions {
  /** The signed-in user; the session is stored before the page loads. */
  as?: Credentials
  /** The path and hash to open. */
  at?: string
  /** Runs before the page loads; what it returns is `prepared`. */
  prepare?: (page: Page) => Promise<Prepared>
}

/** Where a part is drawn in the window, in px. */
export async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (!box) throw new Error('It is not drawn')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

const eventStreams = new WeakMap<Page, Promise<unknown>>()
/** Resolves once a page of `openApp` has its event stream, which it opens at some time after it has loaded. */
export const waitForEventStream = (page: Page): Promise<unknown> | undefined => eventStreams.get(page)

/** Call it after `setOffline(false)`: Chromium may still fail the first requests after the page's event `online`. */
export async function waitForNetwork(page: Page): Promise<void> {
  const isOnline = () =>
    page.evaluate(() =>
      fetch('/api/health').then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  await expect.poll(isOnline).toBe(true)
}

/** Opens the app in a browser context of its own. Errors of the page and its console are collected in `consoleErrors`. */
export async function openApp<Prepared = unknown>(
  browser: Browser,
  { as, at = '/', prepare, ...options }: OpenOptions<Prepared> = {},
) {
  const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const isEventStream = (response: Response) => response.url().endsWith('/api/events') && response.ok()
  // Rejects when the page is closed before, in a journey that does not wait for it.
  eventStreams.set(
    page,
    page.waitForEvent('response', { predicate: isEventStream, timeout: 0 }).catch(() => {}),
  )
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

/** Loads the server's embedded identity provider: on a busy machine that takes longer than the four seconds for which a sign-in waits. */
export async function loadIdentityProvider(): Promise<void> {
  const start = () => fetch(`${url}/auth/google`, { redirect: 'manual' })
  await expect.poll(async () => (await start()).headers.get('location'), { timeout: 30_000 }).toContain('client_id=')
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
