import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { dialogOf } from '../walk/scene.ts'
import { openApp } from '../tests/steps.ts'
import { comeBack } from '../tests/team-steps.ts'
import type { House, Who } from './house.ts'
import { type Line, lineOf, SAID, type Trouble, TROUBLES } from './trouble.ts'

/** Reads are tried three times before they are given up. */
export const PATIENT = { timeout: 20_000 }

/** A toast's title, and its words. */
export type Toast = readonly [title: string, words: string]
export interface Told {
  toast?: Toast
  /** In place of what was wanted, or beside what was entered. */
  words: readonly string[]
}

/** Something that is read: where it stands, a failure takes its place and can be tried again. */
export interface Read {
  kind: 'read'
  as: Who
  /** From a page just loaded to the place. */
  open: (page: Page, house: House) => Promise<unknown>
  within: (page: Page) => Locator
  /** What stands there once it was read. */
  there: (page: Page, house: House) => Locator
  told: (trouble: Trouble) => Told
  /** Where the failure stands: the place's alert unless told. */
  failed?: (within: Locator) => Locator
  /** There is something to look at before it comes. */
  isShownAtOnce?: true
}

/** Something that is sent. */
export interface Write {
  kind: 'write'
  /** From a visitor's page to the button, everything filled in. */
  reach: (page: Page, house: House) => Promise<Filled>
}
export interface Filled {
  send: () => Promise<unknown>
  told: (trouble: Trouble) => Told
  /** Where the words stand and the work shows: the dialog on top unless told. */
  within?: Locator
  /** Fields, and what they hold. */
  kept: readonly (readonly [field: Locator, value: string])[]
  /** It was taken. */
  done: () => Promise<unknown>
}

/** Something whose failure takes nothing from its reader, and is not worth a word. */
export interface Quiet {
  kind: 'quiet'
  /** Why nothing is said. */
  why: string
  as: Who
  open: (page: Page, house: House) => Promise<unknown>
  /** What is there all the same. */
  stays: (page: Page, house: House) => Locator
}

/** Something with a way of its own. */
export interface Own {
  kind: 'own'
  as: Who
  run: (page: Page, line: Line, house: House) => Promise<unknown>
}
export type Place = Read | Write | Quiet | Own

/** Loads the page anew, until it listens. */
export async function loadAnew(page: Page): Promise<void> {
  await page.reload()
  await expect(page.locator('header button').first()).toBeVisible()
}

/** No part of the page is gone. */
export async function expectWholePage(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeVisible()
  await expect(page.locator('main')).toHaveText(/\S/)
  // The page of the external sign-in's code has no header.
  if (!page.url().includes('/auth/')) await expect(page.locator('header').first()).toBeVisible()
  await expect(page.getByText('This part of the page stopped working')).toHaveCount(0)
}

export async function expectToast(page: Page, [title, words]: Toast): Promise<void> {
  const toast = page.locator('.toast').filter({ hasText: title }).last()
  await expect(toast).toBeVisible(PATIENT)
  await expect(toast).toContainText(words)
}

/** What is said next is not to be taken for what was said before. */
export async function closeToasts(page: Page): Promise<void> {
  const toasts = page.locator('.toast')
  await expect(async () => {
    // One may go by itself before it is pressed, and another come.
    if (await toasts.count()) await toasts.last().getByRole('button', { name: 'Close' }).click({ timeout: 1000 })
    await expect(toasts).toHaveCount(0, { timeout: 500 })
  }).toPass(PATIENT)
}

/** An alert, or the line under a field. */
const IN_PLACE = '[role=alert]:not(.toast *), [aria-live=polite]'
const inPlace = (within: Locator): Locator => within.locator('[role=alert]:not(.toast *)').first()

async function tryRead(page: Page, line: Line, place: Read, house: House): Promise<void> {
  const within = place.within(page)
  await place.open(page, house)
  if (!place.isShownAtOnce) await expect(within.locator('[aria-busy=true]').first()).toBeVisible()
  line.heal()
  await expect(place.there(page, house)).toBeVisible()

  line.fail('refused')
  await loadAnew(page)
  await place.open(page, house)
  const failed = (place.failed ?? inPlace)(within)
  const retry = failed.getByRole('button', { name: 'Try Again' })
  for (const trouble of TROUBLES) {
    line.fail(trouble)
    // The first failure came by itself.
    if (trouble !== 'refused') await retry.click()
    const { words, toast } = place.told(trouble)
    for (const one of words) await expect(failed).toContainText(one, PATIENT)
    if (toast) await expectToast(page, toast)
    await expectWholePage(page)
    await closeToasts(page)
  }
  line.heal()
  await retry.click()
  await expect(place.there(page, house)).toBeVisible()
  await expect(retry).toHaveCount(0)
}

async function tryWrite(page: Page, line: Line, place: Write, house: House): Promise<void> {
  const { send, told, kept, done, within = dialogOf(page) } = await place.reach(page, house)
  await closeToasts(page)
  for (const trouble of TROUBLES) {
    const before = line.asked()
    line.fail(trouble)
    await send()
    const { words, toast } = told(trouble)
    if (toast) await expectToast(page, toast)
    for (const one of words) await expect(within.locator(IN_PLACE).filter({ hasText: one }).first()).toBeVisible()
    for (const [field, value] of kept) await expect(field).toHaveValue(value)
    await expectWholePage(page)
    expect(line.asked() - before, 'requests of one press').toBe(1)
    await closeToasts(page)
  }
  line.hold()
  await send()
  await expect(within.locator('[aria-busy=true]').first()).toBeVisible()
  line.heal()
  await done()
}

async function tryQuiet(page: Page, line: Line, place: Quiet, house: House): Promise<void> {
  const look = async () => {
    const before = line.asked()
    await loadAnew(page)
    await place.open(page, house)
    await expect.poll(line.asked, PATIENT).toBeGreaterThan(before)
    await expect(place.stays(page, house)).toBeVisible()
    await expectWholePage(page)
  }
  for (const trouble of TROUBLES) {
    line.fail(trouble)
    await look()
  }
  line.hold()
  await look()
  line.heal()
  await page.waitForLoadState('networkidle')
  await expect(place.stays(page, house)).toBeVisible()
}

/**
 * One call in every trouble there is, one after the other on one page: each is told, takes nothing away and leaves a way
 * to try again, which meets the next; the last is only slow, and then all is well. Nothing but the network's own lines
 * may stand in the console.
 */
export async function tryCall(browser: Browser, call: string, place: Place, house: House): Promise<void> {
  const { page, complaints } = await openApp(browser)
  const line = await lineOf(page, call)
  // What is read is watched from the first moment on.
  if (place.kind === 'read') line.hold()
  const who = 'as' in place ? place.as : 'visitor'
  if (who === 'visitor') await loadAnew(page)
  else await comeBack(page, house[who])
  await expect(page.locator('header button').first()).toBeVisible()
  if (place.kind === 'read') await tryRead(page, line, place, house)
  else if (place.kind === 'write') await tryWrite(page, line, place, house)
  else if (place.kind === 'quiet') await tryQuiet(page, line, place, house)
  else await place.run(page, line, house)
  expect(complaints.filter((one) => !one.startsWith('Failed to load resource'))).toEqual([])
}

/** In the failure's own words, under a title where there is one. */
export const plainly =
  (...titles: string[]) =>
  (trouble: Trouble): Told => ({ words: [...titles, SAID[trouble]] })
/** In a toast of this title alone, in the failure's own words. */
export const byToast =
  (title = 'Error') =>
  (trouble: Trouble): Told => ({ toast: [title, SAID[trouble]], words: [] })
/** Both. */
export const twice =
  (title = 'Error', ...titles: string[]) =>
  (trouble: Trouble): Told => ({ ...plainly(...titles)(trouble), toast: [title, SAID[trouble]] })
