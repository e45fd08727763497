import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listenLocally, sampledForTier } from '@community/testing'
import { ADMIN } from '@community/testing/server'
import { type Browser, expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { signInAt, storeSession } from '../api.ts'
import { createChallenge, createTeam, DESKTOP, registerMember, RETRY_TIMEOUT, url } from './steps.ts'

const STOPPED_TEXT = 'This part of the page stopped working'
const OFFLINE_TEXT = 'You are offline.'

interface Target {
  /** `challenge-` is completed with an id. */
  hash: string
  /** The script that renders it. */
  script: 'sections' | 'dashboard' | 'admin'
  container: string
  /** The specification requires an empty section without a message while the backend is unavailable. */
  isEmptyOnError?: boolean
}

const TARGETS: readonly Target[] = [
  { hash: 'teams', script: 'sections', container: '#teams' },
  { hash: 'challenges', script: 'sections', container: '#challenges' },
  { hash: 'challenge-', script: 'sections', container: '#challenges' },
  { hash: 'works', script: 'sections', container: '#works' },
  { hash: 'leaderboard', script: 'sections', container: '#leaderboard', isEmptyOnError: true },
  { hash: 'contact', script: 'sections', container: '#contact' },
  { hash: 'dashboard', script: 'dashboard', container: 'main' },
  { hash: 'admin', script: 'admin', container: 'main' },
]

async function openTarget(browser: Browser, { hash, script }: Target, prepare: (page: Page) => Promise<unknown>) {
  const context = await browser.newContext({ baseURL: url, viewport: DESKTOP, locale: 'en-GB' })
  if (script !== 'sections') {
    const user = script === 'admin' ? ADMIN : await registerMember()
    await context.addInitScript(storeSession, await signInAt({ url }, user))
  }
  const page = await context.newPage()
  await prepare(page)
  await page.goto(hash === 'challenge-' ? `/#challenge-${(await createChallenge()).id}` : `/#${hash}`)
  await expect(page.getByRole('banner')).toBeVisible()
  return page
}

/** Goes offline at the first request whose URL matches, but not before boot.js has run. */
const goOfflineAt = (page: Page, requested: RegExp) =>
  page.route(requested, async (route) => {
    await page.waitForFunction(() => 'showStartError' in window)
    await page.context().setOffline(true)
    await route.abort()
  })

/** `failsFirst` is the URL of the request that fails once more: connections often work only seconds after `online`. */
async function expectLoadedOnceOnline(page: Page, { container }: Target, failsFirst?: RegExp): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  if (failsFirst) await page.route(failsFirst, (route) => route.abort(), { times: 1 })
  await page.context().setOffline(false)
  const part = page.locator(container)
  await expect(page.getByText(OFFLINE_TEXT)).toHaveCount(0)
  await expect(part.getByRole('alert')).toHaveCount(0, RETRY_TIMEOUT)
  await expect(part.locator('h1, h2').first()).toBeVisible()
  await expect(part.locator('[aria-busy=true]')).toHaveCount(0, RETRY_TIMEOUT)
}

for (const target of sampledForTier(TARGETS, 2, 'lost scripts'))
  test(`#${target.hash}, connection lost before its script: shows an error, and loads once online`, async ({
    browser,
  }) => {
    const script = new RegExp(`/assets/${target.script}-[^/]+\\.js$`)
    const page = await openTarget(browser, target, (newPage) => goOfflineAt(newPage, script))
    const error = page.locator(target.container).getByRole('alert').filter({ hasText: STOPPED_TEXT })
    await expect(error).toBeInViewport()
    await expect(error.getByRole('button', { name: 'Try Again' })).toBeVisible()
    await expect(page.getByText(OFFLINE_TEXT)).toBeVisible()
    await expectLoadedOnceOnline(page, target, script)
  })

for (const target of sampledForTier(TARGETS, 2, 'lost data'))
  test(`#${target.hash}, connection lost before its data: shows an error or stays empty, and loads once online`, async ({
    browser,
  }) => {
    const page = await openTarget(browser, target, (newPage) => newPage.route('**/trpc/**', (route) => route.abort()))
    await page.context().setOffline(true)
    await expect(page.getByText(OFFLINE_TEXT)).toBeVisible()
    const part = page.locator(target.container)
    const retry = part.getByRole('alert').getByRole('button', { name: 'Try Again' }).first()
    if (target.isEmptyOnError) await expect(part.locator('[aria-busy=true]')).toHaveCount(0, RETRY_TIMEOUT)
    else await expect(retry).toBeVisible(RETRY_TIMEOUT)
    await expect(part.locator('h1, h2').first()).toBeVisible()
    await expectLoadedOnceOnline(page, target)
  })

// The app and its translations, which are loaded before the app renders.
for (const script of ['rolldown-runtime', 'base', 'en'])
  test(`connection lost before the script “${script}”: an error replaces the loading screen until online`, async ({
    browser,
  }) => {
    const page = await browser.newPage({ baseURL: url, locale: 'en-GB' })
    await goOfflineAt(page, new RegExp(`/assets/${script}-[^/]+\\.js$`))
    await page.goto('/#teams')
    const error = page.getByRole('alert')
    await expect(error).toContainText('Connection Error')
    await expect(page.getByText('Loading ...', { exact: true })).toBeHidden()
    const retryRequest = page.waitForEvent('requestfailed')
    await error.getByRole('button', { name: 'Try Again' }).click()
    await retryRequest
    await expect(error).toBeVisible()
    await page.unrouteAll()
    await page.route('**/api/health', (route) => route.abort(), { times: 1 })
    await page.context().setOffline(false)
    await expect(page.locator('#teams h2')).toBeVisible(RETRY_TIMEOUT)
    await page.close()
  })

/** Forwards to the server, but ends the connection after half of the response to the first `cuts` requests that match. */
async function openCuttingProxy(matching: RegExp, cuts: number) {
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, socket, url: path = '/' } = incoming
    const forwarded = request(new URL(path, url), { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      if (state.cutsLeft === 0 || !matching.test(path)) {
        response.pipe(outgoing)
        return
      }
      state.cutsLeft -= 1
      const writeHalf = (body: Buffer) => outgoing.write(body.subarray(0, body.length / 2), () => socket.destroy())
      void buffer(response).then(writeHalf)
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  const state = { cutsLeft: cuts, address: `http://127.0.0.1:${await listenLocally(proxy)}` }
  const close = () => {
    proxy.close()
    proxy.closeAllConnections()
  }
  return { state, close }
}

const SECTIONS_SCRIPT = /^\/assets\/sections-[^/]+\.js$/
const APP_SCRIPT = /^\/assets\/base-[^/]+\.js$/
const TEAMS = /^\/trpc\/teams\.list/

for (const [part, matching, cuts] of [
  ['the app’s script', APP_SCRIPT, Number.POSITIVE_INFINITY],
  ['the script of the sections', SECTIONS_SCRIPT, Number.POSITIVE_INFINITY],
  ['the teams', TEAMS, Number.POSITIVE_INFINITY],
  ['the teams, once', TEAMS, 1],
] as const)
  test(`connection lost in the middle of ${part}: loads again, by itself or by Try Again`, async ({ browser }) => {
    await createTeam(await registerMember())
    const { state, close } = await openCuttingProxy(matching, cuts)
    const page = await browser.newPage({ viewport: DESKTOP, locale: 'en-GB' })
    // Otherwise Try Again could be gone before the click: the event stream loads failed queries again when it opens, and a failed script
    // reloads the page once in ten minutes.
    await page.route('**/api/events', (route) => route.abort())
    await page.addInitScript(() => sessionStorage.setItem('reloadedForScriptsAt', String(Date.now())))
    await page.goto(`${state.address}/#teams`)
    if (cuts !== 1) {
      const retry = page.getByRole('alert').getByRole('button', { name: 'Try Again' }).first()
      await expect(retry).toBeVisible(RETRY_TIMEOUT)
      await expect(page.locator('#teams article')).toHaveCount(0)
      state.cutsLeft = 0
      await retry.click()
    }
    await expect(page.locator('#teams article').first()).toBeVisible(RETRY_TIMEOUT)
    await expect(page.getByRole('alert')).toHaveCount(0)
    expect(state.cutsLeft).toBe(0)
    await page.close()
    close()
  })
