import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { callApi, registerMember } from './steps.ts'
import { sampledVariants, openVariant } from './team-steps.ts'

for (const variant of sampledVariants('visitor'))
  test(`visitor, ${variant.name}: sees the links and answers, and can sign up`, async ({ browser }) => {
    const { settings } = await callApi<{ settings: { links: Record<string, string> } }>('GET /settings')
    const { page, consoleErrors, t } = await openVariant(browser, variant)
    const contact = page.locator('#contact')
    for (const [name, href] of [
      ['WhatsApp group', settings.links.chatGroup],
      ['Discord server', settings.links.chatServer],
      ['Support by email', `mailto:${settings.links.supportEmail}`],
    ] as const)
      await expect(contact.getByRole('link', { name: t(name) })).toHaveAttribute('href', href ?? '')

    await expect(contact.locator('summary')).toHaveCount(6)
    await contact.locator('summary').first().focus()
    for (let question = 0; question < 6; question++) {
      await page.keyboard.press('Enter')
      await expect(contact.locator('details').nth(question)).toHaveAttribute('open', '')
      await page.keyboard.press('Tab')
    }
    await expect(contact.getByText('80/100')).toBeVisible()
    await expectAccessible(page)

    await contact.getByRole('button', { name: t('Get Started') }).click()
    await expect(page.getByRole('dialog').getByRole('tab', { name: t('Sign Up'), selected: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await contact.getByRole('button', { name: t('Sign In') }).click()
    await expect(page.getByRole('dialog').getByRole('tab', { name: t('Sign In'), selected: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await contact.getByRole('button', { name: t('Create Team') }).click()
    await expect(page.getByRole('dialog', { name: t('Create New Team') })).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('member'))
  test(`member, ${variant.name}: sees a button to create a team instead of an account`, async ({ browser }) => {
    const person = await registerMember()
    const { page, consoleErrors, t } = await openVariant(browser, variant, { as: person })
    const contact = page.locator('#contact')
    await expect(contact.getByRole('button', { name: t('Get Started') })).toHaveCount(0)
    await contact.getByRole('button', { name: t('Create Team') }).click()
    await expect(page.getByRole('dialog', { name: t('Create New Team') })).toBeVisible()
    expect(consoleErrors).toEqual([])
  })
