import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Page, type Route } from '@playwright/test'
import { dialogOf, emit } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { manyOf, PAYLOADS } from './security-payloads.ts'
import { type HostileContent, createHostileContent, LINKS } from './security-content.ts'
import { openApp, type OpenOptions } from './steps.ts'

// The content is made once for all tests of this file.
test.describe.configure({ mode: 'default' })
let content: HostileContent
test.beforeAll(async () => {
  content = await createHostileContent()
})

interface Reader {
  page: Page
  /** Checks that hostile content is shown as text and does not act. */
  inspect: (where: string) => Promise<void>
  /** The views that showed hostile text. */
  seen: string[]
  alarms: () => string[]
}

/** The elements that our own code does not create, and dangerous links. */
function strangers({ links }: { links: string }): string[] {
  const own = window.location.origin
  const leading = new Set(['href', 'src', 'xlink:href', 'action', 'formaction', 'data', 'poster'])
  const isActing = ({ name, value }: Attr) =>
    name.startsWith('on') ||
    name === 'srcdoc' ||
    (leading.has(name) && /^\s*(?:javascript|vbscript|data:text)/i.test(value))
  const acting = [...document.querySelectorAll('*')].filter((element) => [...element.attributes].some(isActing))
  const foreign = document.querySelectorAll(
    'script:not([src]), body style, iframe, object, embed, base, marquee, math, video, audio, body meta, body link',
  )
  const badLinks = [...document.querySelectorAll('a')].filter((link) => {
    if (!link.hasAttribute('href')) return false
    if (!['http:', 'https:', 'mailto:', 'tel:'].includes(link.protocol)) return true
    if (link.target === '_blank' && !(link.relList.contains('noopener') && link.relList.contains('noreferrer')))
      return true
    const isAway = link.protocol.startsWith('http') && link.origin !== own
    return (isAway && link.target !== '_blank') || (link.href.startsWith(links) && !link.relList.contains('nofollow'))
  })
  return [...acting, ...foreign, ...badLinks].map((element) => element.outerHTML.slice(0, 200))
}

async function openReader(browser: Browser, options: OpenOptions<unknown> = {}): Promise<Reader> {
  const dialogs: string[] = []
  const reportViolations = () =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`refused by the policy: ${violatedDirective} ${blockedURI}`),
    )
  const { page, consoleErrors } = await openApp(browser, {
    ...options,
    prepare: async (page) => {
      await page.addInitScript(reportViolations)
      page.on('dialog', (dialog) => {
        dialogs.push(`a dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      await options.prepare?.(page)
    },
  })
  const seen: string[] = []
  const inspect = async (where: string) => {
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    expect(await page.evaluate(strangers, { links: LINKS }), where).toEqual([])
    if ((await page.locator('body').innerText()).includes('alert(1)')) seen.push(where)
  }
  return { page, inspect, seen, alarms: () => [...dialogs, ...consoleErrors] }
}

async function close(page: Page): Promise<void> {
  const open = page.locator('[role=dialog], [role=alertdialog], [role=menu]')
  for (let remaining = await open.count(); remaining > 0; remaining = await open.count()) {
    await page.keyboard.press('Escape')
    await expect(open).not.toHaveCount(remaining)
  }
}

/** Opens a dialog by its event, and inspects it and each of its tabs. */
async function inspectDialog(
  { page, inspect }: Reader,
  name: string,
  event: string,
  detail: object | null,
): Promise<void> {
  await emit(page, event, detail)
  await expect(dialogOf(page)).toBeVisible()
  await inspect(name)
  for (const tab of await dialogOf(page).getByRole('tab').all()) {
    await tab.click()
    await inspect(`${name}, ${await tab.innerText()}`)
  }
  await close(page)
}

async function inspectSections({ page, inspect }: Reader): Promise<void> {
  for (const section of ['teams', 'challenges', 'works', 'leaderboard', 'contact']) {
    await page.locator(`#${section}`).scrollIntoViewIfNeeded()
    await expect(page.locator(`#${section} h2`).first()).toBeVisible()
    await inspect(section)
  }
  for (const section of ['teams', 'works']) {
    await page.locator(`#${section}`).getByRole('searchbox').fill(PAYLOADS[1])
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
    await close(page)
  }
}

async function lookAtTeams(reader: Reader): Promise<void> {
  for (const { id } of content.teams.slice(0, 2)) await inspectDialog(reader, 'a team', 'openTeam', { teamId: id })
}

const expectQuiet = ({ seen, alarms }: Reader, least: number) => {
  expect(alarms()).toEqual([])
  // Sanity check: the hostile text was shown.
  expect(seen.length, seen.join(', ')).toBeGreaterThanOrEqual(least)
}

test('T-H3 the inspection detects an injected element', async ({ browser }) => {
  const { page, inspect, alarms } = await openReader(browser)
  await inspect('the page')
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=alert(1)>'))
  await expect(inspect('the page')).rejects.toThrow('onerror')
  await expect.poll(() => alarms().join()).toContain('refused by the policy: script-src')
})

test('T-H3 shows hostile text as text to a visitor', async ({ browser }) => {
  const reader = await openReader(browser)
  await inspectSections(reader)
  await lookAtTeams(reader)
  expectQuiet(reader, 8)
})

test('T-H3 shows hostile text in an address as text', async ({ browser }) => {
  const reader = await openReader(browser)
  const { page, inspect } = reader
  for (let from = 0; from < PAYLOADS.length; from += 10) {
    // The page shows at most the maximum length of a name.
    for (const nth of sampledForTier([from, from + 3, from + 6], 1, 'payloads of an address')) {
      const email = encodeURIComponent(PAYLOADS[nth] ?? '')
      await page.goto(`/auth/google-otp?email=${email}@x.ma&name=${encodeURIComponent(manyOf(100, nth))}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await inspect('the page of a mailed code')
    }
    const text = manyOf(600, from)
    await page.goto(`/?team=${encodeURIComponent(text)}#${encodeURIComponent(text)}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await inspect('the page')
  }
  expectQuiet(reader, 4)
})

test('T-H3 shows hostile text as text to a chef', async ({ browser }) => {
  const reader = await openReader(browser, { as: content.chef })
  const { page, inspect } = reader
  await inspectSections(reader)
  await lookAtTeams(reader)
  await page.locator('#challenges').getByRole('tab', { name: 'My Applications' }).click()
  await inspect('my applications')
  for (const event of ['openAccount', 'openCreateTeamModal']) await inspectDialog(reader, event, event, null)
  await emit(page, 'navigateToDashboard')
  await expect(page.locator('main h1')).toBeVisible()
  await inspect('the dashboard')
  expectQuiet(reader, 10)
})

test('T-H3 shows hostile text as text to an administrator', async ({ browser }) => {
  const reader = await openReader(browser, { as: ADMIN })
  const { page, inspect } = reader
  await lookAtTeams(reader)
  for (const { id } of content.challenges)
    await inspectDialog(reader, 'a challenge to edit', 'openEditChallengeModal', { challengeId: id })
  await emit(page, 'navigateToAdmin')
  await expect(page.locator('main h1')).toBeVisible()
  const main = page.locator('main')
  for (const tab of ['Overview', 'Users', 'Teams', 'Challenges', 'Submissions', 'Blacklist', 'Audit log', 'Settings']) {
    await main.getByRole('tab', { name: tab, exact: true }).click()
    await inspect(`administration, ${tab}`)
    const search = main.getByRole('searchbox').and(page.locator(':visible'))
    if (!(await search.count())) continue
    await search.first().fill('alert(1)')
    await inspect(`administration, ${tab}, searched`)
    const details = main.getByRole('button', { name: /^(View Details|Details)/ }).and(page.locator(':visible'))
    if (!(await details.count())) continue
    await details.first().click()
    await expect(dialogOf(page)).toBeVisible()
    await inspect(`administration, ${tab}, one of them`)
    await close(page)
  }
  expectQuiet(reader, 9)
})

test('T-G1 does not render a hostile link that passed the server', async ({ browser }) => {
  let changed = 0
  const makeHostile = async (route: Route) => {
    const response = await route.fetch()
    const body = await response.text()
    const hostile = body.replaceAll(`${LINKS}/`, 'javascript:alert(1)//')
    if (hostile !== body) changed += 1
    await route.fulfill({ response, body: hostile })
  }
  const prepare = (page: Page) => page.route('**/trpc/**', makeHostile)
  const reader = await openReader(browser, { as: content.chef, prepare })
  const { page, inspect } = reader
  await inspectSections(reader)
  await lookAtTeams(reader)
  await page.locator('#challenges').getByRole('tab', { name: 'My Applications' }).click()
  await inspect('my applications')
  expect(changed).toBeGreaterThan(2)
  expectQuiet(reader, 4)
})
