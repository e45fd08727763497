import { deflateSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { openAccountSettings } from '../crawl/crawler.ts'
import { translatorFor } from '../crawl/texts.ts'
import { test } from '../test.ts'
import { sampledDevices, callApi, createTeam, openApp, PHONE, registerMember } from './steps.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Account settings' })
const save = (page: Page) => dialogOf(page).getByRole('button', { name: 'Save', exact: true })

function crc(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length)
  frame.writeUInt32BE(crc(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A PNG of one colour. */
function png(side: number, colour: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.from([0, ...Array.from({ length: side }, () => colour).flat()])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

for (const { device, viewport } of sampledDevices('profile'))
  test(`on ${device}: the profile can be edited, and Arabic switches the page to right-to-left at once`, async ({
    browser,
  }) => {
    const person = await registerMember()
    const { page, consoleErrors } = await openApp(browser, { viewport, as: person })
    await openAccountSettings(page)
    const dialog = dialogOf(page)
    await dialog.getByLabel('Full Name').fill('S')
    await dialog.getByLabel('Phone').fill('0412345678')
    await dialog.getByLabel('Portfolio').fill('javascript:alert(1)')
    await save(page).click()
    await expect(dialog.getByText('Name must be at least 2 characters')).toBeVisible()
    await expect(dialog.getByText('Please enter a valid link (http or https)')).toBeVisible()
    await expect(dialog.getByLabel('Full Name')).toBeFocused()

    await dialog.getByLabel('Full Name').fill('سارة العمراني')
    await dialog.getByLabel('Phone').fill('06 12 34 56 78')
    await dialog.getByLabel('GitHub').fill('https://github.com/sara')
    await dialog.getByLabel('Portfolio').fill('https://sara.example.ma')
    await save(page).click()
    await expect(page.getByText('Profile updated').first()).toBeVisible()
    const { user } = await callApi<{ user: Record<string, string> }>('GET /users/profile', person.token)
    expect(user).toMatchObject({
      name: 'سارة العمراني',
      phone: '0612345678',
      github: 'https://github.com/sara',
      portfolio: 'https://sara.example.ma/',
      language: 'en',
    })

    await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    await dialog.getByLabel('Language').selectOption('ar')
    await save(page).click()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.getByRole('dialog', { name: 'إعدادات الحساب' })).toBeVisible()
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
    expect(consoleErrors).toEqual([])
  })

test('saving the profile does not change the page’s language', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser, { as: person })
  await page.getByRole('banner').getByLabel('Language').selectOption('fr')
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
  await openAccountSettings(page, translatorFor('fr'))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Langue')).toHaveValue('fr')
  await dialog.getByLabel('Téléphone').fill('0612345678')
  await dialog.getByRole('button', { name: 'Enregistrer' }).click()
  await expect(page.getByText('Profil mis à jour').first()).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
})

test('an uploaded picture is shown in the header and in the team, and can be removed', async ({ browser }) => {
  const person = await registerMember('Nadia Tazi')
  const team = await createTeam(person)
  const { page, consoleErrors } = await openApp(browser, { as: person })
  await openAccountSettings(page)
  const dialog = dialogOf(page)
  await expect(dialog.getByLabel('Full Name'), 'not the hidden file input').toBeFocused()
  const picture = dialog.getByLabel('Profile picture')

  await picture.setInputFiles({ name: 'me.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await expect(dialog.getByText('Please choose a JPEG, PNG or GIF picture')).toBeVisible()
  await picture.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') })
  await expect(dialog.getByRole('alert').or(dialog.locator('p.text-bad')).first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Add a picture' })).toBeEnabled()

  await picture.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: png(64, [200, 60, 20]) })
  await expect(page.getByText('Picture changed').first()).toBeVisible()
  const headerPicture = page.locator('header img')
  await expect(headerPicture).toHaveCount(1)
  await expect.poll(() => headerPicture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  await page.keyboard.press('Escape')
  await page.getByLabel('Search teams').fill(team.name)
  await page.getByRole('button', { name: team.name, exact: true }).click()
  const member = page.getByRole('dialog').locator('img').first()
  await expect(member).toBeVisible()
  expect(await member.getAttribute('src')).toBe(await headerPicture.getAttribute('src'))
  await page.keyboard.press('Escape')

  await openAccountSettings(page)
  const remove = dialog.getByRole('button', { name: 'Remove picture' })
  await remove.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Picture removed').first()).toBeVisible()
  await expect(headerPicture).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Add a picture' })).toBeFocused()
  expect(consoleErrors).toEqual([])
})

test('an account can be deleted with its password, after an explanation', async ({ browser }) => {
  const person = await registerMember('Omar Idrissi')
  const team = await createTeam(person)
  const { page, consoleErrors } = await openApp(browser, { as: person, at: '/#dashboard' })
  await openAccountSettings(page)
  await page.getByRole('tab', { name: 'Security' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByText(`${team.name}: will have no members and become inactive`)).toBeVisible()
  await expect(dialog.getByText('Your name, picture, contact details and sessions are deleted.')).toBeVisible()
  const opener = dialog.getByRole('button', { name: 'Delete account' })
  await opener.focus()
  await page.keyboard.press('Enter')

  const question = page.getByRole('dialog', { name: 'Delete your account?' })
  const password = question.getByLabel('Your password')
  await expect(password).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(password).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question.getByText('Password is required')).toBeVisible()
  await page.keyboard.type('Wrong-2026')
  await page.keyboard.press('Enter')
  await expect(question.getByText('The password you entered is incorrect.').first()).toBeVisible()
  await expect(password).toBeFocused()
  await password.fill(person.password)
  const reloaded = page.waitForEvent('load')
  await page.keyboard.press('Enter')
  await reloaded

  await expect(page.getByText('Your account was deleted').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Get Started Free' })).toBeVisible()
  await expect(page).not.toHaveURL(/dashboard/)
  await expect(
    callApi('POST /auth/login', undefined, { email: person.email, password: person.password }),
  ).rejects.toThrow('The email or password you entered is incorrect')
  expect(consoleErrors).toEqual([])
})

test('codes at sign-in are turned on at once, and off only with the password', async ({ browser }) => {
  const person = await registerMember()
  const { page } = await openApp(browser, { viewport: PHONE, as: person })
  await openAccountSettings(page)
  await page.getByRole('tab', { name: 'Security' }).click()
  const codeSwitch = dialogOf(page).getByRole('switch', { name: /Require a code at every sign-in/ })
  await codeSwitch.focus()
  await page.keyboard.press('Space')
  await expect(codeSwitch).toBeChecked()
  const isOn = async () =>
    (await callApi<{ user: { signInOtp: boolean } }>('GET /users/profile', person.token)).user.signInOtp
  await expect.poll(isOn).toBe(true)
  // Another press during saving does nothing.
  await expect(codeSwitch).not.toHaveAttribute('aria-busy')

  await page.keyboard.press('Space')
  const question = page.getByRole('dialog', { name: 'Turn off the code at sign-in?' })
  const password = question.getByLabel('Your password')
  await expect(password).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(codeSwitch).toBeFocused()
  await expect(codeSwitch).toBeChecked()

  await page.keyboard.press('Space')
  await password.fill('Wrong-2026')
  await page.keyboard.press('Enter')
  await expect(question.getByText('The current password is incorrect.').first()).toBeVisible()
  expect(await isOn()).toBe(true)
  await password.fill(person.password)
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(codeSwitch).not.toBeChecked()
  expect(await isOn()).toBe(false)
})
