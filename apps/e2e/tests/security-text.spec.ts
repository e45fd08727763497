import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Page, type Route } from '@playwright/test'
import { ADMIN_TABS } from '../crawl/admin.ts'
import { dialogOf, emit, openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { payloadAt, payloadText, PAYLOADS } from './security-payloads.ts'
import { type HostileContent, createHostileContent, LINK_ORIGIN } from './hostile-content.ts'
import { searchIn } from './admin-steps.ts'
import { openApp, type OpenOptions } from './steps.ts'
import { findTeam } from './team-steps.ts'

// The content is made once for all tests of this file.
test.describe.configure({ mode: 'default' })
test.use({ keepsContent: true })
let content: HostileContent
test.beforeAll(async () => {
  content = await createHostileContent()
})

interface Reader {
  page: Page
  /** Checks that hostile content is shown as text and does not act. */
  inspect: (view: string) => Promise<void>
  /** The views that showed hostile text. */
  viewsWithPayload: string[]
  violations: () => string[]
}

/** The elements that our own code does not create, and dangerous links. */
function findInjectedElements({ links }: { links: string }): string[] {
  const own = window.location.origin
  const urlAttributes = new Set(['href', 'src', 'xlink:href', 'action', 'formaction', 'data', 'poster'])
  const isExecutable = ({ name, value }: Attr) =>
    name.startsWith('on') ||
    name === 'srcdoc' ||
    (urlAttributes.has(name) && /^\s*(?:javascript|vbscript|data:text)/i.test(value))
  const executable = [...document.querySelectorAll('*')].filter((element) => [...element.attributes].some(isExecutable))
  const foreign = document.querySelectorAll(
    'script:not([src]), body style, iframe, object, embed, base, marquee, math, video, audio, body meta, body link',
  )
  const badLinks = [...document.querySelectorAll('a')].filter((link) => {
    if (!link.hasAttribute('href')) return false
    if (!['http:', 'https:', 'mailto:', 'tel:'].includes(link.protocol)) return true
    if (link.target === '_blank' && !(link.relList.contains('noopener') && link.relList.contains('noreferrer')))
      return true
    const isExternal = link.protocol.startsWith('http') && link.origin !== own
    return (
      (isExternal && link.target !== '_blank') || (link.href.startsWith(links) && !link.relList.contains('nofollow'))
    )
  })
  return [...executable, ...foreign, ...badLinks].map((element) => element.outerHTML.slice(0, 200))
}

async function openReader(browser: Browser, options: OpenOptions<unknown> = {}): Promise<Reader> {
  const dialogs: string[] = []
  const reportViolations = () =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`blocked by the policy: ${violatedDirective} ${blockedURI}`),
    )
  const { page, consoleErrors } = await openApp(browser, {
    ...options,
    prepare: async (newPage) => {
      await newPage.addInitScript(reportViolations)
      newPage.on('dialog', (dialog) => {
        dialogs.push(`a dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      await options.prepare?.(newPage)
    },
  })
  const viewsWithPayload: string[] = []
  const inspect = async (view: string) => {
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await page.evaluate(findInjectedElements, { links: LINK_ORIGIN }), view).toEqual([])
    if ((await page.locator('body').innerText()).includes('alert(1)')) viewsWithPayload.push(view)
  }
  return { page, inspect, viewsWithPayload, violations: () => [...dialogs, ...consoleErrors] }
}

async function closeOverlays(page: Page): Promise<void> {
  const open = page.locator('[role=dialog], [role=alertdialog], [role=menu]')
  for (let remaining = await open.count(); remaining > 0; remaining = await open.count()) {
    await page.keyboard.press('Escape')
    await expect(open).not.toHaveCount(remaining)
  }
}

/** Inspects the dialog that `open` opens, and each of its tabs. */
async function inspectDialog({ page, inspect }: Reader, name: string, open: () => Promise<void>): Promise<void> {
  await open()
  await expect(dialogOf(page)).toBeVisible()
  await inspect(name)
  for (const tab of await dialogOf(page).getByRole('tab').all()) {
    await tab.click()
    await inspect(`${name}, ${await tab.innerText()}`)
  }
  await closeOverlays(page)
}

async function inspectSections({ page, inspect }: Reader): Promise<void> {
  for (const section of ['teams', 'challenges', 'works', 'leaderboard', 'contact']) {
    await page.locator(`#${section}`).scrollIntoViewIfNeeded()
    await expect(page.locator(`#${section} h2`).first()).toBeVisible()
    await inspect(section)
  }
  for (const section of ['teams', 'works']) {
    await page.locator(`#${section}`).getByRole('searchbox').fill(payloadAt(1))
    await inspect(`${section}, searched`)
  }
  const challenges = page.locator('#challenges')
  for (const { title } of content.challenges) {
    await challenges.getByRole('searchbox').fill(title)
    await challenges.getByRole('button', { name: 'Apply Filters' }).click()
    const found = challenges.locator('h3 button')
    await expect(found).toHaveText([title])
    await found.click()
    await expect(dialogOf(page)).toBeVisible()
    for (const tab of await dialogOf(page).getByRole('tab').all()) {
      await tab.click()
      await inspect(`a challenge, ${await tab.innerText()}`)
    }
    await closeOverlays(page)
  }
}

async function inspectTeams(reader: Reader): Promise<void> {
  for (const { name } of content.teams.slice(0, 2))
    await inspectDialog(reader, 'a team', () => findTeam(reader.page, name, (text) => text))
}

const expectNoViolations = ({ viewsWithPayload, violations }: Reader, minViews: number) => {
  expect(violations()).toEqual([])
  // Sanity check: the hostile text was shown.
  expect(viewsWithPayload.length, viewsWithPayload.join(', ')).toBeGreaterThanOrEqual(minViews)
}

test('the inspection detects an injected element', async ({ browser }) => {
  const { page, inspect, violations } = await openReader(browser)
  await inspect('the page')
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>'))
  await expect(inspect('the page')).rejects.toThrow('onerror')
  await expect.poll(() => violations().join()).toContain('blocked by the policy: script-src')
})

test('shows hostile text as text to a visitor', async ({ browser }) => {
  const reader = await openReader(browser)
  await inspectSections(reader)
  expectNoViolations(reader, 8)
})

test('shows hostile text in a URL as text', async ({ browser }) => {
  const reader = await openReader(browser)
  const { page, inspect } = reader
  for (let from = 0; from < PAYLOADS.length; from += 10) {
    // The page shows at most the maximum length of a name.
    for (const nth of sampledForTier([from, from + 3, from + 6], 1, 'payloads of a URL')) {
      const email = encodeURIComponent(payloadAt(nth))
      await page.goto(`/auth/google-otp?email=${email}@x.ma&name=${encodeURIComponent(payloadText(100, nth))}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await inspect('the page of a mailed code')
    }
    const text = payloadText(600, from)
    await page.goto(`/?team=${encodeURIComponent(text)}#${encodeURIComponent(text)}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inspect('the page')
  }
  expectNoViolations(reader, 4)
})

test('shows hostile text as text to a chef', async ({ browser }) => {
  const reader = await openReader(browser, { as: content.chef })
  const { page, inspect } = reader
  await inspectSections(reader)
  await inspectTeams(reader)
  await page.locator('#challenges').getByRole('tab', { name: 'My Applications' }).click()
  await inspect('my applications')
  await inspectDialog(reader, 'account settings', () => openAccountSettings(page))
  await inspectDialog(reader, 'a new team', () => emit(page, 'openCreateTeamModal'))
  await emit(page, 'navigateToDashboard')
  await expect(page.locator('main h1')).toBeVisible()
  await inspect('the dashboard')
  expectNoViolations(reader, 10)
})

const SEARCHED_TABS = new Set<string>(['Users', 'Teams', 'Challenges', 'Submissions', 'Blacklist', 'Audit log'])
const TABS_WITH_DETAILS = new Set<string>(['Users', 'Submissions'])

test('shows hostile text as text to an administrator', async ({ browser }) => {
  const reader = await openReader(browser, { as: ADMIN })
  const { page, inspect } = reader
  await inspectTeams(reader)
  for (const { id } of content.challenges)
    await inspectDialog(reader, 'a challenge to edit', () => emit(page, 'openEditChallengeModal', { challengeId: id }))
  await emit(page, 'navigateToAdmin')
  await expect(page.locator('main h1')).toBeVisible()
  const main = page.locator('main')
  for (const tab of ADMIN_TABS) {
    await main.getByRole('tab', { name: tab, exact: true }).click()
    await inspect(`administration, ${tab}`)
    if (!SEARCHED_TABS.has(tab)) continue
    await searchIn(main.getByRole('searchbox'), 'alert(1)')
    await inspect(`administration, ${tab}, searched`)
    if (!TABS_WITH_DETAILS.has(tab)) continue
    await main
      .getByRole('button', { name: /^(View Details|Details)/ })
      .and(page.locator(':visible'))
      .first()
      .click()
    await expect(dialogOf(page)).toBeVisible()
    await inspect(`administration, ${tab}, one of them`)
    await closeOverlays(page)
  }
  expectNoViolations(reader, 9)
})

test('does not render a hostile link that passed the server', async ({ browser }) => {
  let changedResponses = 0
  const makeHostile = async (route: Route) => {
    const response = await route.fetch()
    const body = await response.text()
    const hostile = body.replaceAll(`${LINK_ORIGIN}/`, 'javascript:alert(1)//')
    if (hostile !== body) changedResponses += 1
    await route.fulfill({ response, body: hostile })
  }
  const prepare = (page: Page) => page.route('**/trpc/**', makeHostile)
  const reader = await openReader(browser, { as: content.chef, prepare })
  const { page, inspect } = reader
  await inspectSections(reader)
  await inspectTeams(reader)
  await page.locator('#challenges').getByRole('tab', { name: 'My Applications' }).click()
  await inspect('my applications')
  expect(changedResponses).toBeGreaterThan(2)
  expectNoViolations(reader, 4)
})
