import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { test } from '../test.ts'
import { dialogOf, emit, openAccountSettings } from '../crawl/crawler.ts'
import { registerAdmin } from './admin-steps.ts'
import { findChallenge, PIXEL } from './challenge-steps.ts'
import { type Fault, FAULT_NAMES, MESSAGE_OF_FAULT, intercept } from './fault-injection.ts'
import { createChallenge, createTeam, openApp, registerMember, RETRY_TIMEOUT } from './steps.ts'
import { createTeamOfThree, findTeam } from './team-steps.ts'

const INLINE_ALERT = '[role=alert]:not(.toast *)'

async function expectPageIntact(page: Page): Promise<void> {
  await expect(page.locator('header').first()).toBeVisible()
  await expect(page.locator('main h1').first()).toBeVisible()
  await expect(page.getByText('This part of the page stopped working')).toHaveCount(0)
}

interface Read {
  target: string
  isForMembers: boolean
  /** Opens the view. Returns its container and an element that appears once the data has loaded. */
  show: (page: Page) => Promise<{ container: Locator; content: Locator }>
  title: string
}

const READS: readonly Read[] = [
  {
    target: 'teams.list',
    isForMembers: false,
    show: async (page) => {
      await createTeam(await registerMember())
      const container = page.locator('#teams')
      await container.scrollIntoViewIfNeeded()
      return { container, content: container.getByRole('listitem').first() }
    },
    title: 'Failed to load teams',
  },
  {
    target: 'teams.get',
    isForMembers: true,
    show: async (page) => {
      const { name } = await createTeam(await registerMember())
      await findTeam(page, name, (text) => text)
      return { container: dialogOf(page), content: dialogOf(page).getByRole('button', { name: 'Join This Team' }) }
    },
    title: 'Failed to load the team',
  },
]

for (const { target, isForMembers, show, title } of sampledForTier(READS, 1, 'faults of reads'))
  test(`${target}: shows a server error, a network error or invalid JSON in place, and Try Again loads it`, async ({
    browser,
  }) => {
    const { page, prepared: intercepted } = await openApp(browser, {
      ...(isForMembers && { as: await registerMember() }),
      prepare: async (newPage) => {
        const interception = await intercept(newPage, target)
        interception.fail('serverError')
        return interception
      },
    })
    const { container, content } = await show(page)
    const alert = container.locator(INLINE_ALERT).first()
    const retry = alert.getByRole('button', { name: 'Try Again' })
    for (const fault of FAULT_NAMES) {
      intercepted.fail(fault)
      // The first request fails on load; later ones need a retry.
      if (fault !== 'serverError') await retry.click()
      for (const text of [title, MESSAGE_OF_FAULT[fault]]) await expect(alert).toContainText(text, RETRY_TIMEOUT)
      await expectPageIntact(page)
    }
    intercepted.hold()
    await retry.click()
    await expect(container.locator('[aria-busy=true]').first()).toBeVisible()
    intercepted.release()
    await expect(content).toBeVisible()
    await expect(retry).toHaveCount(0)
  })

interface Write {
  target: string
  /** Opens the form and fills it in, without submitting. */
  open: (browser: Browser) => Promise<Form>
  /** The message beside the form; by default the fault’s own. */
  messageOf?: (fault: Fault) => string
  successText: string
}
interface Form {
  page: Page
  container: Locator
  submit: Locator
  expectedValues: readonly (readonly [field: Locator, value: string])[]
}

const WRITES: readonly Write[] = [
  {
    target: 'users.updateProfile',
    open: async (browser) => {
      const { page } = await openApp(browser, { as: await registerMember() })
      await openAccountSettings(page)
      const container = dialogOf(page)
      await container.getByRole('tab', { name: 'Profile' }).click()
      const phone = container.getByLabel('Phone', { exact: true })
      await phone.fill('0612345678')
      const submit = container.getByRole('button', { name: 'Save', exact: true })
      return { page, container, submit, expectedValues: [[phone, '0612345678']] }
    },
    successText: 'Profile updated',
  },
  {
    target: 'teams.leave',
    open: async (browser) => {
      const { members, team } = await createTeamOfThree()
      const { page } = await openApp(browser, { as: members[0] })
      await findTeam(page, team.name, (text) => text)
      await dialogOf(page).getByRole('button', { name: 'Leave Team' }).click()
      const container = page.getByRole('alertdialog')
      return {
        page,
        container,
        submit: container.getByRole('button', { name: 'Leave Team', exact: true }),
        expectedValues: [],
      }
    },
    successText: 'Left Team',
  },
  {
    target: 'admin.deleteTeam',
    open: async (browser) => {
      const [admin, team] = await Promise.all([registerAdmin(), registerMember().then((chef) => createTeam(chef))])
      const { page } = await openApp(browser, { as: admin, at: '/#admin' })
      await page.getByRole('tab', { name: 'Teams', exact: true }).click()
      await page.locator('main').getByLabel('Search teams').fill(team.name)
      await page.getByRole('button', { name: `Actions for ${team.name}` }).click()
      await page.getByRole('menuitem', { name: 'Delete Team', exact: true }).click()
      const container = page.getByRole('dialog', { name: 'Delete Team' })
      const password = container.getByLabel('Your password', { exact: true })
      await password.fill(admin.password)
      const submit = container.getByRole('button', { name: 'Delete Team', exact: true })
      return { page, container, submit, expectedValues: [[password, admin.password]] }
    },
    messageOf: (fault) =>
      fault === 'invalidJson' ? 'Password verification endpoint not available' : MESSAGE_OF_FAULT[fault],
    successText: 'Team deleted successfully',
  },
  {
    target: '/api/upload/single',
    open: async (browser) => {
      const [chef, { title }] = await Promise.all([registerMember(), createChallenge()])
      await createTeam(chef)
      const { page } = await openApp(browser, { as: chef })
      // Accept native alert() and confirm() dialogs.
      page.on('dialog', (alert) => void alert.accept())
      const card = await findChallenge(page, title, (text) => text)
      await card.getByRole('button', { name: `Apply to ${title}` }).click()
      const container = page.getByRole('dialog', { name: 'Apply to Challenge' })
      await container.getByRole('radio', { name: /^Upload/ }).check()
      const file = { name: 'screen.png', mimeType: 'image/png', buffer: PIXEL }
      await container.locator('input[type=file]').setInputFiles(file)
      const notes = container.getByLabel('Notes')
      await notes.fill('First version')
      const submit = container.getByRole('button', { name: /^(Submit Application|Try Again)$/ })
      return { page, container, submit, expectedValues: [[notes, 'First version']] }
    },
    messageOf: (fault) =>
      `File upload failed${fault === 'invalidJson' ? '. Please try again.' : `: ${MESSAGE_OF_FAULT[fault]}`}`,
    successText: 'Application submitted successfully!',
  },
]

for (const { target, open, messageOf = (fault: Fault) => MESSAGE_OF_FAULT[fault], successText } of sampledForTier(
  WRITES,
  2,
  'faults of writes',
))
  test(`${target}: the form shows each failure and keeps its fields; a double click submits once`, async ({
    browser,
  }) => {
    const { page, container, submit, expectedValues } = await open(browser)
    const intercepted = await intercept(page, target)
    for (const fault of FAULT_NAMES) {
      const before = intercepted.requests()
      intercepted.fail(fault)
      await submit.click()
      await expect(
        container
          .locator(`${INLINE_ALERT}, [aria-live=polite]`)
          .filter({ hasText: messageOf(fault) })
          .first(),
      ).toBeVisible()
      for (const [field, value] of expectedValues) await expect(field).toHaveValue(value)
      await expectPageIntact(page)
      expect(intercepted.requests() - before).toBe(1)
    }
    const before = intercepted.requests()
    intercepted.hold()
    await submit.dblclick()
    await expect(container.locator('[aria-busy=true]').first()).toBeVisible()
    intercepted.release()
    await expect(page.getByText(successText).first()).toBeVisible()
    expect(intercepted.requests() - before).toBe(1)
  })

test('while every read fails, each section and dialog of a member offers to try again', async ({ browser }) => {
  const chef = await registerMember()
  await createTeam(chef)
  const { page } = await openApp(browser, {
    as: chef,
    prepare: (newPage) => newPage.route('**/trpc/**', (route) => route.abort()),
  })
  const offersRetry = (container: Locator) =>
    expect(container.locator(INLINE_ALERT).getByRole('button', { name: 'Try Again' }).first()).toBeVisible(
      RETRY_TIMEOUT,
    )
  const sections = ['teams', 'challenges', 'works', 'contact'].map((id) => page.locator(`#${id}`))
  // All of them first, so that their automatic retries run at the same time.
  for (const section of sections) await section.scrollIntoViewIfNeeded()
  for (const section of sections) await offersRetry(section)
  await page.locator('#challenges').getByRole('tab', { name: 'My Applications' }).click()
  await offersRetry(page.locator('#challenges').getByRole('tabpanel'))
  await openAccountSettings(page)
  await dialogOf(page).getByRole('tab', { name: 'Devices' }).click()
  await offersRetry(dialogOf(page))
  await page.keyboard.press('Escape')
  await emit(page, 'navigateToDashboard')
  await offersRetry(page.locator('main'))
  await expectPageIntact(page)
})

test('signing out ends the session in this browser, whatever the server answers', async ({ browser }) => {
  const person = await registerMember()
  // Each fault: apps/web/test/failed-mutations.test.tsx.
  for (const fault of sampledForTier(FAULT_NAMES, 1, 'faults of signing out')) {
    const { page } = await openApp(browser, { as: person })
    const intercepted = await intercept(page, 'auth.logout')
    intercepted.fail(fault)
    await page.getByRole('button', { name: /^Account of / }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await expect(page.getByRole('button', { name: 'Get Started Free' })).toBeVisible()
    await expectPageIntact(page)
  }
})
