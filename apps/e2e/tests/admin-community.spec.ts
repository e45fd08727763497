import { createTeam } from '@community/testing/community'
import { type Browser, expect } from '@playwright/test'
import { clientOf, sendRequest, type Session, signInAt } from '../api.ts'
import { test } from '../test.ts'
import { type MailSink, openMailSink } from '@community/testing/mail-sink'
import { ADMIN, type RunningServer, startStandaloneServer } from '@community/testing/server'
import type { Tab } from '../crawl/admin.ts'
import { type AdminVariant, sampledAdminVariants, openAdmin } from './admin-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { openApp, PASSWORD, randomWord } from './steps.ts'

// These tests change the whole community: they have their own server and run in order.
test.describe.configure({ mode: 'serial' })
let mails: MailSink
let server: RunningServer
test.beforeAll(async () => {
  mails = await openMailSink()
  server = await startStandaloneServer({ SMTP_URL: mails.url })
})
test.afterAll(async () => {
  await server.stop()
  await mails.close()
})

const newcomer = (email: string) => ({ name: 'Sara El Amrani', email, password: PASSWORD })
const register = (email: string) =>
  sendRequest(server, 'POST /auth/register', null, { ...newcomer(email), confirmPassword: PASSWORD })

/** Returns the token of a new member of this server. */
async function registerNewMember(): Promise<string> {
  const email = `${randomWord()}${randomWord()}@example.ma`
  await register(email)
  const otp = await mails.codeFor(email)
  return (await sendRequest<Session>(server, 'POST /auth/verify-registration-otp', null, { ...newcomer(email), otp }))
    .token
}

const createTeamAs = (token: string) => createTeam(clientOf(server), { token })

async function openAdminTab(browser: Browser, variant: AdminVariant, tab: Tab) {
  return openAdmin(browser, variant, ADMIN, tab, { baseURL: server.url })
}

for (const variant of sampledAdminVariants('settings')) {
  test(`admin settings, ${variant.name}: turning team creation off hides the button and rejects requests; turning it on restores both`, async ({
    browser,
  }) => {
    const { page, t, main, dialog, confirmWithPassword, expectToast, consoleErrors } = await openAdminTab(
      browser,
      variant,
      'Settings',
    )
    await expect(main.getByText(t('More settings will appear here.'))).toBeVisible()
    await expectAccessible(page)
    const toggle = main.getByRole('switch', { name: t('Team Creation') })
    await expect(toggle).toBeChecked()
    await toggle.click()
    const question = dialog('Disable Team Creation')
    await question.getByRole('button', { name: t('Cancel') }).click()
    await expect(toggle).toBeChecked()
    await toggle.click()
    await confirmWithPassword('Disable Team Creation', 'Disable')
    await expectToast('Team creation disabled successfully')
    await expect(toggle).not.toBeChecked()
    await expect(main.getByText(t('Disabled'), { exact: true })).toBeVisible()

    const chef = await registerNewMember()
    await expect(createTeamAs(chef)).rejects.toThrow('POST /teams')
    const visitor = await openApp(browser, {
      baseURL: server.url,
      prepare: async (newPage) => ({
        settings: newPage.waitForResponse((response) => response.url().includes('system.settings')),
      }),
    })
    await visitor.prepared.settings
    await expect(visitor.page.locator('#teams').getByRole('searchbox')).toBeVisible()
    await expect(visitor.page.getByRole('button', { name: 'Create New Team' })).toHaveCount(0)

    await toggle.click()
    await confirmWithPassword('Enable Team Creation', 'Enable')
    await expectToast('Team creation enabled successfully')
    await expect(toggle).toBeChecked()
    await createTeamAs(chef)
    await visitor.page.reload()
    await expect(visitor.page.getByRole('button', { name: 'Create New Team' }).first()).toBeVisible()
    expect([...consoleErrors, ...visitor.consoleErrors]).toEqual([])
  })

  test(`admin teams, ${variant.name}: cleaning up teams shows the count`, async ({ browser }) => {
    const chef = await registerNewMember()
    const team = await createTeamAs(chef)
    await sendRequest(server, `POST /teams/${team.id}/leave`, chef)
    const { main, t, confirm, expectToast } = await openAdminTab(browser, variant, 'Teams')
    await main.getByRole('button', { name: t('Clean up teams') }).click()
    await confirm('Clean up teams', 'Clean up')
    await expectToast('Teams cleaned up: {deleted} deleted', { deleted: 1 })
    await expect(sendRequest(server, `GET /teams/${team.id}`, chef)).rejects.toThrow('Team not found')
  })

  test(`admin settings, ${variant.name}: an unsent mail is listed as urgent and can be sent again`, async ({
    browser,
  }) => {
    const email = `${randomWord()}${randomWord()}@example.ma`
    mails.behaviour = 550
    await register(email)
    const { token } = await signInAt(server, ADMIN)
    const unsent = () => sendRequest<{ mails: { recipient: string }[] }>(server, 'GET /admin/mails', token)
    await expect.poll(async () => (await unsent()).mails.map(({ recipient }) => recipient)).toContain(email)
    mails.behaviour = 'accepts'
    const { page, main, row, t, expectToast, consoleErrors } = await openAdminTab(browser, variant, 'Overview')
    await main.getByRole('button', { name: t('See emails') }).click()
    await expect(row(email)).toContainText('550')
    await expectAccessible(page)
    await row(email)
      .getByRole('button', { name: t('Resend') })
      .click()
    await expectToast('The email will be sent again')
    await expect(main.getByText(t('All emails were sent.'))).toBeVisible()
    expect(await mails.codeFor(email)).toMatch(/^\d{6}$/)
    expect(consoleErrors).toEqual([])
  })
}
