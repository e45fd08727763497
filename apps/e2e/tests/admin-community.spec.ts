import { type Browser, expect } from '@playwright/test'
import { test } from '../test.ts'
import { type MailStub, startMailStub } from '../mail-stub.ts'
import { ADMIN, type RunningServer, startServer } from '@community/testing/server'
import { ADMIN_LOOKS, type AdminLook, openAdmin, type Tab } from './admin-steps.ts'
import { expectSound } from './sound.ts'
import { openApp, PASSWORD, word } from './steps.ts'
import type { Session } from './team-steps.ts'

// What changes the whole community has a server of its own, and comes one after the other.
test.describe.configure({ mode: 'serial' })
let mails: MailStub
let server: RunningServer
test.beforeAll(async () => {
  mails = await startMailStub()
  server = await startServer({ SMTP_URL: mails.url })
})
test.afterAll(async () => {
  await server.stop()
  await mails.stop()
})

interface Answer<T> {
  success: boolean
  message: string
  data: T
}

/** One REST call to this server. */
async function ask<T>(line: string, token: string | null, body?: object): Promise<Answer<T>> {
  const [method = 'GET', path = ''] = line.split(' ')
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Answer<T>
}

const ADMIN_LOGIN = { email: ADMIN.email, password: ADMIN.password }

const newcomer = (email: string) => ({ name: 'Sara El Amrani', email, password: PASSWORD })
const register = (email: string) => ask('POST /auth/register', null, { ...newcomer(email), confirmPassword: PASSWORD })

/** Answers the token of a member of this server. */
async function aMember(): Promise<string> {
  const email = `${word()}${word()}@example.ma`
  await register(email)
  const otp = await mails.codeTo(email)
  const { data } = await ask<{ token: string }>('POST /auth/verify-registration-otp', null, { ...newcomer(email), otp })
  return data.token
}

async function found(token: string): Promise<Answer<{ team: { id: string } }>> {
  const { data } = await ask<{ roles: { id: string }[] }>('GET /roles', null)
  return ask('POST /teams', token, {
    name: `Team ${word()} ${word()}`,
    description: 'We build small, useful things and ship them every week.',
    rolesNeeded: [{ id: data.roles[0]?.id }],
    maxMembers: 5,
    experience: 'Intermediate',
    userInfo: { firstName: 'Sara', email: 'sara@example.ma', phone: '0612345678', personalExperience: 'Advanced' },
  })
}

async function openHere(browser: Browser, look: AdminLook, tab: Tab) {
  const { data } = await ask<Session>('POST /auth/login', null, ADMIN_LOGIN)
  return openAdmin(browser, look, ADMIN, tab, { baseURL: server.url, session: data })
}

for (const look of ADMIN_LOOKS) {
  test(`admin settings, ${look.name}: team creation off hides the button and refuses it, on brings both back`, async ({
    browser,
  }) => {
    const { page, say, main, dialog, givePassword, told, complaints } = await openHere(browser, look, 'Settings')
    await expect(main.getByText(say('More settings will appear here.'))).toBeVisible()
    await expectSound(page)
    const toggle = main.getByRole('switch', { name: say('Team Creation') })
    await expect(toggle).toBeChecked()
    await toggle.click()
    const question = dialog('Disable Team Creation')
    await question.getByRole('button', { name: say('Cancel') }).click()
    await expect(toggle).toBeChecked()
    await toggle.click()
    await givePassword('Disable Team Creation', 'Disable')
    await told('Team creation disabled successfully')
    await expect(toggle).not.toBeChecked()
    await expect(main.getByText(say('Disabled'), { exact: true })).toBeVisible()

    const chef = await aMember()
    expect(await found(chef)).toMatchObject({ success: false })
    const visitor = await openApp(browser, { baseURL: server.url, locale: 'en-GB' })
    const settings = visitor.page.waitForResponse((response) => response.url().includes('system.settings'))
    await visitor.page.reload()
    await settings
    await expect(visitor.page.locator('#teams').getByRole('searchbox')).toBeVisible()
    await expect(visitor.page.getByRole('button', { name: 'Create New Team' })).toHaveCount(0)

    await toggle.click()
    await givePassword('Enable Team Creation', 'Enable')
    await told('Team creation enabled successfully')
    await expect(toggle).toBeChecked()
    expect(await found(chef)).toMatchObject({ success: true })
    await visitor.page.reload()
    await expect(visitor.page.getByRole('button', { name: 'Create New Team' }).first()).toBeVisible()
    expect([...complaints, ...visitor.complaints]).toEqual([])
  })

  test(`admin teams, ${look.name}: cleaned up, the counts are told`, async ({ browser }) => {
    const chef = await aMember()
    const { data } = await found(chef)
    await ask(`POST /teams/${data.team.id}/leave`, chef)
    const { main, say, sayYes, told } = await openHere(browser, look, 'Teams')
    await main.getByRole('button', { name: say('Clean up teams') }).click()
    await sayYes('Clean up teams', 'Clean up')
    await told('Teams cleaned up: {deactivated} deactivated, {deleted} deleted', { deactivated: 0, deleted: 1 })
    expect(await ask(`GET /teams/${data.team.id}`, chef)).toMatchObject({ success: false })
  })

  test(`admin settings, ${look.name}: a mail that could not be sent is urgent, and sent again`, async ({ browser }) => {
    const email = `${word()}${word()}@example.ma`
    mails.refuses = true
    await register(email)
    const { data: session } = await ask<{ token: string }>('POST /auth/login', null, ADMIN_LOGIN)
    await expect
      .poll(async () => {
        const { data } = await ask<{ mails: { recipient: string }[] }>('GET /admin/mails', session.token)
        return data.mails.map(({ recipient }) => recipient)
      })
      .toContain(email)
    mails.refuses = false
    const { page, main, row, say, told, complaints } = await openHere(browser, look, 'Overview')
    await main.getByRole('button', { name: say('See mails') }).click()
    await expect(row(email)).toContainText('550')
    await expectSound(page)
    await row(email)
      .getByRole('button', { name: say('Send again') })
      .click()
    await told('The mail will be sent again')
    await expect(main.getByText(say('All mails were sent.'))).toBeVisible()
    expect(await mails.codeTo(email)).toMatch(/^\d{6}$/)
    expect(complaints).toEqual([])
  })
}
