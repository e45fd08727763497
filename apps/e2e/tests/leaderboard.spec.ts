import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { sendRequest, signInAt } from '../api.ts'
import { test } from '../test.ts'
import { DEMO_PASSWORD, memberEmail } from '../crawl/crawler.ts'
import { expectAccessible } from './accessibility.ts'
import { openApp, type OpenOptions, RETRY_TIMEOUT } from './steps.ts'
import { type Variant, sampledVariants, openVariant } from './team-steps.ts'

// The demo is the same at every seeding: thirty teams, weeks of points, a tie.
const TOP_MEMBER = { email: memberEmail(40), password: DEMO_PASSWORD }
const LOWER_MEMBER = { email: memberEmail(90), password: DEMO_PASSWORD }
const INITIAL_ROWS = 20

interface Standing {
  rank: number
  name: string
}
interface Site {
  url: string
}

/** The standing of a member's best team. */
async function bestStanding(demo: Site, person: typeof TOP_MEMBER): Promise<Standing> {
  const { token } = await signInAt(demo, person)
  const { standings } = await sendRequest<{ standings: Standing[] }>(demo, 'GET /teams/standings', token)
  const [best] = standings
  if (!best) throw new Error('This member has no team on the leaderboard')
  return best
}

const fetchRows = async (demo: Site) =>
  (await sendRequest<{ leaderboard: { name: string; points: number }[] }>(demo, 'GET /teams/leaderboard?limit=100'))
    .leaderboard

async function openBoard(browser: Browser, variant: Variant, baseURL: string, options: OpenOptions<unknown> = {}) {
  const opened = await openVariant(browser, variant, { baseURL, ...options })
  return { ...opened, board: opened.page.locator('#leaderboard') }
}

/** The rank cell of a row. */
const rankIn = (row: Locator) => row.locator('td').first()

/** Scrolls to the chart, which loads lazily, and waits for it. */
async function scrollToChart(board: Locator, t: (id: string) => string): Promise<Locator> {
  await board.getByRole('heading', { name: t('Highlights') }).scrollIntoViewIfNeeded()
  const chart = board.getByRole('img').last()
  await expect(chart).toBeVisible()
  await chart.scrollIntoViewIfNeeded()
  return chart
}

for (const variant of sampledVariants('visitor'))
  test(`visitor, ${variant.name}: sees statistics, podium, ranks and the chart`, async ({ browser, demo }) => {
    const { page, consoleErrors, t, board } = await openBoard(browser, variant, demo.url)
    const rows = board.getByRole('table', { name: t('Teams by points') }).locator('tbody tr')
    await expect(rows).toHaveCount(INITIAL_ROWS)
    const leaderboard = await fetchRows(demo)
    await expect(board.getByRole('list', { name: t('Top three teams') }).locator('bdi')).toHaveText(
      leaderboard.slice(0, 3).map(({ name }) => name),
    )
    const second = leaderboard.findIndex(({ points }, position) => points === leaderboard[position - 1]?.points)
    expect(second).toBeGreaterThan(0)
    for (const position of [second - 1, second, second + 1])
      await expect(rankIn(rows.nth(position))).toHaveText(String(position + 1))
    await expect(board.getByText(t('Ties go to the team that got there first.'))).toBeVisible()
    await expect(board.getByRole('button', { name: t('Jump to my team') })).toHaveCount(0)
    await board.getByRole('button', { name: t('Show all {count} teams').replace('{count}', '30') }).click()
    await expect(rows).toHaveCount(30)

    const chart = await scrollToChart(board, t)
    await expect(chart).toHaveAttribute('aria-label', new RegExp(leaderboard[4]?.name ?? 'a fifth team'))
    // The labels at the ends of the lines do not overlap at twice the text size.
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
    const labelBoxes = await chart
      .locator('xpath=../following-sibling::div[1]/span')
      .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect()).toSorted((a, b) => a.y - b.y))
    expect(labelBoxes.length).toBeGreaterThan(1)
    for (const [position, { top }] of labelBoxes.entries()) {
      if (position > 0) expect(top).toBeGreaterThanOrEqual(labelBoxes[position - 1]?.bottom ?? 0)
    }
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    const slider = board.getByRole('slider', { name: t('Day') })
    const today = (await slider.getAttribute('aria-valuetext')) ?? ''
    await slider.focus()
    await page.keyboard.press('Home')
    await expect(slider).toHaveAttribute('aria-valuetext', / 0\u2069?([,،]|$)/)
    expect(await slider.getAttribute('aria-valuetext')).not.toBe(today)
    // Time runs left to right in every language, so the scale is on the left.
    const [plot, scale] = [
      await chart.boundingBox(),
      await board.getByText('500', { exact: true }).last().boundingBox(),
    ]
    expect(scale?.x ?? 0).toBeLessThan(plot?.x ?? 0)
    await board.getByText(t('Show as a table')).click()
    await expect(board.getByRole('table', { name: t('Points at the end of each day they changed') })).toBeVisible()
    await expectAccessible(page)
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('own team'))
  test(`member, ${variant.name}: jumps to their team among the rows`, async ({ browser, demo }) => {
    const { page, consoleErrors, t, board } = await openBoard(browser, variant, demo.url, { as: TOP_MEMBER })
    const best = await bestStanding(demo, TOP_MEMBER)
    expect(best.rank).toBeLessThanOrEqual(INITIAL_ROWS)
    await board.getByRole('button', { name: t('Jump to my team') }).press('Enter')
    const row = board.getByRole('row').filter({ has: page.getByText(best.name, { exact: true }) })
    await expect(row).toHaveCount(1)
    await expect(row).toBeFocused()
    await expect(row).toBeInViewport({ ratio: 1 })
    await expect(row.getByText(t('You'), { exact: true })).toBeVisible()
    await expect(rankIn(row)).toContainText(String(best.rank))
    const chart = await scrollToChart(board, t)
    await expect(chart).toHaveAttribute('aria-label', new RegExp(best.name))
    await expectAccessible(page)
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('own team pinned'))
  test(`member, ${variant.name}: sees their team pinned when its row is further down, and jumps to the row`, async ({
    browser,
    demo,
  }) => {
    const { page, consoleErrors, t, board } = await openBoard(browser, variant, demo.url, { as: LOWER_MEMBER })
    const best = await bestStanding(demo, LOWER_MEMBER)
    expect(best.rank).toBeGreaterThan(INITIAL_ROWS)
    const rows = board.getByRole('table', { name: t('Teams by points') }).locator('tbody tr')
    const ownRow = rows.filter({ has: page.getByText(best.name, { exact: true }) })
    await rows.first().scrollIntoViewIfNeeded()
    await rows.nth(3).scrollIntoViewIfNeeded()
    await expect(ownRow).toBeInViewport({ ratio: 0.9 })
    await expect(rows.nth(INITIAL_ROWS - 1)).not.toBeInViewport()
    await expect(rankIn(ownRow)).toHaveText(String(best.rank))
    await expectAccessible(page)
    await board.getByRole('button', { name: t('Jump to my team') }).click()
    await expect(ownRow).toHaveCount(1)
    await expect(ownRow).toBeFocused()
    await expect(ownRow).toBeInViewport({ ratio: 1 })
    await expect(rows).toHaveCount(30)
    expect(consoleErrors).toEqual([])
  })

/** Changes the leaderboard's responses: the last of the first rows comes first. */
async function overtake(page: Page, demo: Site): Promise<string> {
  const leaderboard = await fetchRows(demo)
  const [first, winner] = [leaderboard[0], leaderboard[INITIAL_ROWS - 1]]
  if (!first || !winner) throw new Error('The board is too short')
  const reordered = [{ ...winner, points: first.points + 1 }, ...leaderboard.filter((row) => row !== winner)]
  await page.route(/\/trpc\/.*teams\.leaderboard/, async (route) => {
    const response = await route.fetch()
    const procedures = new URL(route.request().url()).pathname.replace('/trpc/', '').split(',')
    const responses = (await response.json()) as { result: { data: object } }[]
    const index = procedures.indexOf('teams.leaderboard')
    responses[index] = { result: { data: { ...responses[index]?.result.data, leaderboard: reordered } } }
    await route.fulfill({ response, json: responses })
  })
  return winner.name
}

for (const [reducedMotion, durations] of [
  ['no-preference', [250]],
  ['reduce', []],
] as const)
  test(`a team that overtakes others moves to its new row, with motion: ${reducedMotion}`, async ({
    browser,
    demo,
  }) => {
    const { page, consoleErrors } = await openApp(browser, { baseURL: demo.url, reducedMotion })
    const rows = page.getByRole('table', { name: 'Teams by points' }).locator('tbody tr')
    await rows.first().scrollIntoViewIfNeeded()
    await page.evaluate(() => {
      const start = document.startViewTransition.bind(document)
      document.startViewTransition = (...args) => {
        const transition = start(...args)
        void transition.ready.then(() => {
          const groups = document
            .getAnimations()
            .filter(
              (animation) =>
                animation instanceof CSSAnimation && animation.animationName.startsWith('-ua-view-transition-group'),
            )
          const measured = new Set(groups.map(({ effect }) => effect?.getTiming().duration))
          document.documentElement.dataset.moved = JSON.stringify([...measured])
        })
        return transition
      }
    })
    const winner = await overtake(page, demo)
    await page.evaluate(() => window.dispatchEvent(new CustomEvent('teamCreated')))
    await expect(rows.first()).toContainText(winner)
    await expect(page.locator('html')).toHaveAttribute('data-moved', JSON.stringify(durations))
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('unavailable backend'))
  test(`${variant.name}: an unavailable backend leaves the board empty without a message`, async ({
    browser,
    demo,
  }) => {
    const prepare = (page: Page) =>
      page.route(/\/trpc\/.*teams\.leaderboard/, (route) => route.abort('connectionrefused'))
    const { t, board } = await openBoard(browser, variant, demo.url, { prepare })
    await expect(board.getByText('–', { exact: true })).toHaveCount(4, RETRY_TIMEOUT)
    await expect(board.getByRole('alert')).toHaveCount(0)
    for (const text of ['No teams on the leaderboard yet', 'No Teams Yet', 'Highlights', 'Points over time'])
      await expect(board.getByText(t(text))).toHaveCount(0)
    await expect(board.getByRole('table')).toHaveCount(0)
  })
