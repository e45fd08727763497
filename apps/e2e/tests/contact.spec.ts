import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { expectSound } from './sound.ts'
import { call, registerMember } from './steps.ts'
import { looksOf, openIn } from './team-steps.ts'

for (const look of looksOf('finds the links'))
  test(`visitor, ${look.name}: finds the links, the answers and the way in`, async ({ browser }) => {
    const { settings } = await call<{ settings: { links: Record<string, string> } }>('GET /settings')
    const { page, complaints, say } = await openIn(browser, look)
    const contact = page.locator('#contact')
    for (const [name, href] of [
      ['WhatsApp group', settings.links.chatGroup],
      ['Discord server', settings.links.chatServer],
      ['Support by email', `mailto:${settings.links.supportEmail}`],
    ] as const)
      await expect(contact.getByRole('link', { name: say(name) })).toHaveAttribute('href', href ?? '')

    await expect(contact.locator('summary')).toHaveCount(6)
    await contact.locator('summary').first().focus()
    for (let question = 0; question < 6; question++) {
      await page.keyboard.press('Enter')
      await expect(contact.locator('details').nth(question)).toHaveAttribute('open', '')
      await page.keyboard.press('Tab')
    }
    await expect(contact.getByText('80/100')).toBeVisible()
    await expectSound(page)

    await contact.getByRole('button', { name: say('Get Started') }).click()
    await expect(page.getByRole('dialog').getByRole('tab', { name: say('Sign Up'), selected: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await contact.getByRole('button', { name: say('Sign In') }).click()
    await expect(page.getByRole('dialog').getByRole('tab', { name: say('Sign In'), selected: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await contact.getByRole('button', { name: say('Create Team') }).click()
    await expect(page.getByRole('dialog', { name: say('Create New Team') })).toBeVisible()
    expect(complaints).toEqual([])
  })

for (const look of looksOf('is offered a team'))
  test(`member, ${look.name}: is offered a team, not an account`, async ({ browser }) => {
    const person = await registerMember()
    const { page, complaints, say } = await openIn(browser, look, { as: person })
    const contact = page.locator('#contact')
    await expect(contact.getByRole('button', { name: say('Get Started') })).toHaveCount(0)
    await contact.getByRole('button', { name: say('Create Team') }).click()
    await expect(page.getByRole('dialog', { name: say('Create New Team') })).toBeVisible()
    expect(complaints).toEqual([])
  })
