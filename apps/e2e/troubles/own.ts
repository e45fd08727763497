import { expect, type Locator, type Page } from '@playwright/test'
import { startMailStub } from '../mail-stub.ts'
import { ADMIN, startServer } from '@community/testing/server'
import { someone, word } from '../tests/steps.ts'
import { comeBack, resume, type Session } from '../tests/team-steps.ts'
import { ask, dialogOf, openBy } from '../walk/scene.ts'
import { bring, toTab } from './reads.ts'
import { closeToasts, expectToast, expectWholePage, loadAnew, type Own, PATIENT, type Place } from './place.ts'
import { SAID, TROUBLES } from './trouble.ts'

const own = (place: Omit<Own, 'kind'>): Own => ({ kind: 'own', ...place })
const account = (page: Page) => page.getByRole('button', { name: /^Account of / })

async function signOut(page: Page): Promise<void> {
  await account(page).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
}
const isSignedOut = (page: Page) => expect(page.getByRole('button', { name: 'Get Started Free' })).toBeVisible()

/** Shows the settings of a server of its own, where one mail could not be sent. Answers that mail's button. */
async function withUnsentMail(page: Page, run: (again: Locator) => Promise<void>): Promise<void> {
  const mails = await startMailStub()
  const server = await startServer({ SMTP_URL: mails.url })
  const house = { ...server, admin: ADMIN }
  const { name, email, password } = someone()
  const isGivenUp = (session: Session) => async () =>
    JSON.stringify(await ask(house, 'GET /admin/mails', session.token)).includes(email)
  try {
    mails.refuses = true
    await ask(house, 'POST /auth/register', null, { name, email, password, confirmPassword: password })
    const login = { email: ADMIN.email, password: ADMIN.password }
    const session = await ask<Session>(house, 'POST /auth/login', null, login)
    await expect.poll(isGivenUp(session), PATIENT).toBe(true)
    mails.refuses = false
    await page.goto(server.url)
    await resume(page, session)
    await toTab(page, 'Settings')
    await run(page.getByRole('row').filter({ hasText: email }).getByRole('button', { name: 'Send again' }))
  } finally {
    await page.goto('about:blank')
    await server.stop()
    await mails.stop()
  }
}

/** What has a way of its own through trouble. */
export const OWN: Record<string, Place> = {
  // Who comes back is known from before; any answer at the start but their profile ends that.
  'users.profile': own({
    as: 'chef',
    run: async (page, line, { chef }) => {
      line.fail('cut')
      await loadAnew(page)
      await expect(account(page)).toBeVisible()
      for (const trouble of ['refused', 'html'] as const) {
        line.fail(trouble)
        await loadAnew(page)
        await isSignedOut(page)
        await expectWholePage(page)
        line.heal()
        await comeBack(page, chef)
      }
    },
  }),
  // Signed out whatever the server answers: the page forgets the session itself.
  'auth.logout': own({
    as: 'chef',
    run: async (page, line, { chef }) => {
      for (const trouble of TROUBLES) {
        const before = line.asked()
        line.fail(trouble)
        await signOut(page)
        await isSignedOut(page)
        expect(line.asked() - before).toBe(1)
        await expectWholePage(page)
        line.heal()
        await comeBack(page, chef)
      }
      line.hold()
      await signOut(page)
      await expect(account(page)).toHaveAttribute('aria-busy', 'true')
      line.heal()
      await isSignedOut(page)
    },
  }),
  // The roles are written down in the page too; only their ids are the server's.
  'roles.list': own({
    as: 'mate',
    run: async (page, line) => {
      const role = dialogOf(page).getByLabel('Backend Developer')
      const fill = async () => {
        const next = dialogOf(page).getByRole('button', { name: 'Next' })
        await openBy(page, 'openCreateTeamModal')
        await dialogOf(page).getByLabel('Phone').fill('0612345678')
        await dialogOf(page).getByLabel('Experience').selectOption({ index: 2 })
        await next.click()
        await dialogOf(page).getByLabel('Team Name').fill(`Rif ${word()} ${word()}`)
        await dialogOf(page).getByLabel('Description').fill('We build small, useful things and ship them.')
        await dialogOf(page).getByLabel('Team Experience Level').selectOption('Intermediate')
        await next.click()
        await role.check()
      }
      const create = dialogOf(page).getByRole('button', { name: 'Create Team' })
      line.hold()
      await loadAnew(page)
      await fill()
      for (const trouble of TROUBLES) {
        line.fail(trouble)
        line.letGo()
        await create.click()
        const words = trouble === 'cut' ? SAID.cut : 'Failed to create team'
        await expectToast(page, ['Team Creation Failed', words])
        await expect(dialogOf(page).locator('[role=alert]:not(.toast *)')).toContainText(words)
        await expect(role).toBeChecked()
        await expectWholePage(page)
        await closeToasts(page)
      }
      line.heal()
      await create.click()
      await expect(page.getByText('Team Created!').first()).toBeVisible()
    },
  }),
  // Without a backend the board is empty without a word, and asks by itself; a refusal is told.
  'teams.leaderboard': own({
    as: 'visitor',
    run: async (page, line) => {
      const board = page.locator('#leaderboard')
      await page.clock.install()
      line.hold()
      await loadAnew(page)
      await bring('leaderboard')(page)
      await expect(board.locator('[aria-busy=true]').first()).toBeAttached()
      line.fail('refused')
      line.letGo()
      await expectToast(page, ['Leaderboard Error', SAID.refused])
      const alert = board.getByRole('alert')
      await expect(alert).toContainText('Failed to load leaderboard data.')
      await expect(alert).toContainText(SAID.refused)
      for (const trouble of ['html', 'cut'] as const) {
        const before = line.asked()
        line.fail(trouble)
        if (trouble === 'html') await alert.getByRole('button', { name: 'Try Again' }).click()
        else await page.clock.fastForward('00:31')
        await expect.poll(line.asked, PATIENT).toBeGreaterThan(before)
        await expect(alert).toHaveCount(0)
        await expect(board.locator('dd').first()).toHaveText('–', PATIENT)
        await expectWholePage(page)
      }
      line.heal()
      await expect(async () => {
        await page.clock.fastForward('00:31')
        await expect(board.getByRole('table').first()).toBeVisible({ timeout: 2000 })
      }).toPass(PATIENT)
    },
  }),
  'admin.retryMail': own({
    as: 'visitor',
    run: (page, line) =>
      withUnsentMail(page, async (again) => {
        for (const trouble of TROUBLES) {
          line.fail(trouble)
          await again.click()
          await expectToast(page, ['Error', SAID[trouble]])
          await expectWholePage(page)
          await closeToasts(page)
        }
        line.hold()
        await again.click()
        await expect(again).toHaveAttribute('aria-busy', 'true')
        line.heal()
        await expect(page.getByText('The mail will be sent again').first()).toBeVisible()
      }),
  }),
  // Who comes back with a token that is over stays who they are, until the server says otherwise.
  '/api/auth/refresh': own({
    as: 'chef',
    run: async (page, line) => {
      await page.evaluate(() => localStorage.setItem('authToken', 'spent-spent-spent-spent'))
      for (const trouble of TROUBLES) {
        line.fail(trouble)
        const before = line.asked()
        await loadAnew(page)
        await page.evaluate(() => window.dispatchEvent(new CustomEvent('navigateToDashboard')))
        await expect.poll(line.asked).toBeGreaterThan(before)
        const alert = page.locator('main').getByRole('alert').first()
        await expect(alert).toContainText('Failed to load dashboard data', PATIENT)
        await expect(account(page)).toBeVisible()
        await expectWholePage(page)
      }
      line.hold()
      await page.locator('main').getByRole('button', { name: 'Try Again' }).first().click()
      await expect(page.locator('main [aria-busy=true]').first()).toBeVisible()
      line.heal()
      await expect(page.locator('main').getByRole('heading', { level: 2 }).first()).toBeVisible()
      await expect(page.locator('main').getByRole('alert')).toHaveCount(0)
    },
  }),
}
