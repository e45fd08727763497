import { expect, type Locator } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { openApp, signIn } from './steps.ts'

const drawn = (place: Locator, property: string): Promise<string> =>
  place.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

test('in the reader’s own few colours, what is chosen, on, filled or drawn can still be told', async ({
  browser,
  demo,
}) => {
  const { page } = await openApp(browser, { baseURL: demo.url, forcedColors: 'active', colorScheme: 'dark' })
  const ink = await drawn(page.locator('h1'), 'color')
  const ground = await drawn(page.locator('html'), 'background-color')
  expect(ink).not.toBe(ground)

  const challenges = page.locator('#challenges')
  await challenges.scrollIntoViewIfNeeded()
  const tab = (isChosen: boolean) => challenges.getByRole('tab', { selected: isChosen }).first()
  await expect(tab(false)).toHaveCSS('border-bottom-color', ground)
  expect(await drawn(tab(true), 'border-bottom-color')).not.toBe(ground)
  const squares = challenges.locator('.border-current')
  expect(await drawn(squares.and(page.locator('.bg-current')).first(), 'background-color')).toBe(ink)
  expect(await drawn(squares.and(page.locator(':not(.bg-current)')).first(), 'background-color')).not.toBe(ink)

  const board = page.locator('#leaderboard')
  await board.getByRole('heading', { name: 'Highlights' }).scrollIntoViewIfNeeded()
  const lines = board.getByRole('img').last().locator('path')
  await expect(lines.last()).toBeAttached()
  const strokes = await lines.evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke))
  expect(new Set(strokes.slice(-5))).toEqual(new Set([ink]))

  await signIn(page, ADMIN)
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  const bars = page.locator('rect.fill-primary')
  await expect(bars.first()).toBeAttached()
  expect(await drawn(bars.first(), 'fill')).toBe(ink)
  await page.getByRole('tab', { name: 'Settings' }).click()
  const track = page.getByRole('switch')
  const thumb = track.locator('+ span')
  await expect(track).toBeVisible()
  expect(await drawn(thumb, 'background-color')).not.toBe(await drawn(track, 'background-color'))
})
