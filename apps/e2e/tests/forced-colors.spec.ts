import { expect, type Locator } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { openApp } from './steps.ts'

const computedStyle = (container: Locator, property: string): Promise<string> =>
  container.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)

test('selected tabs, filled squares, chart lines, bars and the thumb of a switch stay visible in forced colours', async ({
  browser,
  demo,
}) => {
  const { page } = await openApp(browser, {
    baseURL: demo.url,
    forcedColors: 'active',
    colorScheme: 'dark',
    as: ADMIN,
  })
  const textColor = await computedStyle(page.locator('h1'), 'color')
  const backgroundColor = await computedStyle(page.locator('html'), 'background-color')
  expect(textColor).not.toBe(backgroundColor)
  const primary = page.locator('#home').getByRole('button', { name: 'Join a Team Now' })
  await expect(primary).toHaveCSS('border-top-width', '1px')
  expect(await computedStyle(primary, 'border-top-color')).not.toBe(backgroundColor)

  const challenges = page.locator('#challenges')
  await challenges.scrollIntoViewIfNeeded()
  const tab = (isSelected: boolean) => challenges.getByRole('tab', { selected: isSelected }).first()
  await expect(tab(false)).toHaveCSS('border-bottom-color', backgroundColor)
  expect(await computedStyle(tab(true), 'border-bottom-color')).not.toBe(backgroundColor)
  const difficultySquares = challenges.locator('.border-current')
  expect(await computedStyle(difficultySquares.and(page.locator('.bg-current')).first(), 'background-color')).toBe(
    textColor,
  )
  expect(
    await computedStyle(difficultySquares.and(page.locator(':not(.bg-current)')).first(), 'background-color'),
  ).not.toBe(textColor)

  const board = page.locator('#leaderboard')
  await board.getByRole('heading', { name: 'Highlights' }).scrollIntoViewIfNeeded()
  // The chart of points; its last five paths are the lines of the leaders.
  const lines = board.getByRole('img').last().locator('path')
  await expect(lines.last()).toBeAttached()
  const strokes = await lines.evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke))
  expect(new Set(strokes.slice(-5))).toEqual(new Set([textColor]))

  await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToAdmin')))
  await expect(page.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
  const bars = page.locator('rect.fill-primary')
  await expect(bars.first()).toBeAttached()
  expect(await computedStyle(bars.first(), 'fill')).toBe(textColor)
  await page.getByRole('tab', { name: 'Settings' }).click()
  const track = page.getByRole('switch')
  const thumb = track.locator('+ span')
  await expect(track).toBeVisible()
  expect(await computedStyle(thumb, 'background-color')).not.toBe(await computedStyle(track, 'background-color'))
})
