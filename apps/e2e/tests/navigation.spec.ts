import { expect } from '@playwright/test'
import { ADMIN } from '@community/testing/server'
import { test } from '../test.ts'
import { currentLink, expectSectionsRendered, scrollSectionTo, topOf } from './section-steps.ts'
import { createChallenge, holdRequests, openApp, PHONE, registerMember } from './steps.ts'
import { createTeamOfThree } from './team-steps.ts'

test('a section becomes current once its top is within 100 px of the window’s', async ({ browser }) => {
  const { page } = await openApp(browser)
  await expectSectionsRendered(page)
  await expect(currentLink(page)).toHaveText('Home')
  await scrollSectionTo(page, 'challenges', 101)
  await expect(currentLink(page)).toHaveText('Teams')
  await scrollSectionTo(page, 'challenges', 99)
  await expect(currentLink(page)).toHaveText('Challenges')
  await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
  await expect(currentLink(page)).toHaveText('Community')
})

for (const [from, delay] of [
  ['the page', 150],
  ['the dashboard', 300],
] as const)
  test(`a link to a section scrolls ${delay} ms after it is pressed on ${from}`, async ({ browser }) => {
    const isOnPage = delay === 150
    const { page } = await openApp(browser, isOnPage ? {} : { as: await registerMember(), at: '/#dashboard' })
    if (isOnPage) await expectSectionsRendered(page)
    else await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
    // From here on the page's clock advances only by `runFor`.
    await page.clock.install()
    // In the future of the page's clock, however slow the machine is: it fails for the past.
    await page.clock.pauseAt(Date.now() + 10_000)
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Leaderboard' }).click()
    await expect(page).toHaveURL(/#leaderboard$/)
    await page.clock.runFor(delay - 1)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.clock.runFor(2)
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(200)
  })

test('a hash in the URL opens its section; a member cannot open the admin area', async ({ browser }) => {
  const { page } = await openApp(browser, { at: '/#works' })
  await expectSectionsRendered(page)
  await expect(currentLink(page)).toHaveText('Works')
  await expect.poll(() => topOf(page, 'works')).toBeLessThanOrEqual(100)
  await page.reload()
  await expectSectionsRendered(page)
  await expect(currentLink(page)).toHaveText('Works')
  const member = await openApp(browser, { as: await registerMember(), at: '/#admin' })
  await expect(member.page.getByRole('heading', { level: 1, name: /Form a team/ })).toBeVisible()
  await expect(member.page.getByRole('heading', { name: 'Admin Dashboard' })).toHaveCount(0)
})

test('back and reload restore the view: sections, dashboard and admin area', async ({ browser }) => {
  const { page } = await openApp(browser, { as: ADMIN })
  await expectSectionsRendered(page)
  const nav = page.getByRole('navigation', { name: 'Sections' })
  await nav.getByRole('link', { name: 'Works' }).click()
  await expect(currentLink(page)).toHaveText('Works')
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToAdmin')))
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/#works$/)
  await expect(currentLink(page)).toHaveText('Works')
  await expect.poll(() => topOf(page, 'works')).toBeLessThanOrEqual(100)
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToChallenges')))
  await expect(page).toHaveURL(/#challenges$/)
  await expect(currentLink(page)).toHaveText('Challenges')
})

test('a reload restores the scroll position, not the start of the section', async ({ browser }) => {
  const { page } = await openApp(browser, { viewport: PHONE })
  await expectSectionsRendered(page)
  await scrollSectionTo(page, 'works', -150)
  // What is read stays: sections above have their heights only near the window.
  const topOfHeading = () =>
    page
      .locator('#works h2')
      .first()
      .evaluate((heading) => heading.getBoundingClientRect().top)
  const before = await topOfHeading()
  await page.reload()
  await expectSectionsRendered(page)
  await expect.poll(async () => Math.abs((await topOfHeading()) - before)).toBeLessThan(60)
})

test('back from the dashboard restores the scroll position, even without a section in the URL', async ({ browser }) => {
  // The content above is long. One by one: each is created with the administrator's password, and a server on a busy machine rejects
  // what waits too long to be hashed.
  for (let count = 0; count < 6; count++) await createChallenge()
  const { page } = await openApp(browser, { viewport: PHONE, as: await registerMember() })
  await expectSectionsRendered(page)
  await scrollSectionTo(page, 'works', -150)
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.goBack()
  await expectSectionsRendered(page)
  await expect.poll(() => topOf(page, 'works')).toBe(-150)
})

test('a reload restores the dashboard’s tab and scroll position, even if its data and then the footer arrive late', async ({
  browser,
}) => {
  const { chef } = await createTeamOfThree()
  const { page } = await openApp(browser, { viewport: PHONE, as: chef, at: '/#dashboard' })
  await page.getByRole('tab', { name: /^Members/ }).click()
  const footer = page.getByRole('contentinfo')
  await expect(footer).toBeAttached()
  const last = page.locator('main').getByRole('article').last()
  await last.evaluate((element) => element.scrollIntoView({ block: 'start', behavior: 'instant' }))
  const topOfLast = () => last.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await topOfLast()
  const releaseData = await holdRequests(page, '**/trpc/*users.dashboard*')
  // Near the end of the page the position cannot be reached without it.
  const releaseFooter = await holdRequests(page, '**/assets/later-*.js')
  await page.reload()
  // By then the page has restored its position once, without the data.
  await page.waitForFunction(() => performance.now() > 2000)
  releaseData()
  await expect(page.getByRole('tab', { name: /^Members/, selected: true })).toBeVisible()
  releaseFooter()
  await expect(footer).toBeAttached()
  await expect.poll(async () => Math.abs((await topOfLast()) - before)).toBeLessThan(60)
})
