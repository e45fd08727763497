import { createHmac } from 'node:crypto'
import { startWebhookReceiver } from '@community/testing/webhook-receiver'
import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { openAdmin, registerAdmin, sampledAdminVariants, submitPassword } from './admin-steps.ts'
import { createTeam, registerMember } from './steps.ts'
import { joinTeam, openVariant, sampledVariants } from './team-steps.ts'

/** The signature that a receiver computes, by Standard Webhooks. */
const sign = (secret: string, { headers, body }: { headers: Record<string, unknown>; body: string }) =>
  createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update([headers['webhook-id'], headers['webhook-timestamp'], body].join('.'))
    .digest('base64')

for (const variant of sampledVariants('webhooks'))
  test(`chef, ${variant.name}: creates a webhook, tries it, sends a lost message again and deletes it`, async ({
    browser,
  }) => {
    const receiver = await startWebhookReceiver()
    const chef = await registerMember()
    const team = await createTeam(chef)
    const { page, consoleErrors, t } = await openVariant(browser, variant, { at: '/#dashboard', as: chef })
    await page.getByRole('button', { name: t('Webhooks') }).click()
    const dialog = page.getByRole('dialog', { name: t('Webhooks') })
    await expect(dialog.getByText(t('There are no webhooks yet.'))).toBeVisible()

    await dialog.getByRole('button', { name: t('New webhook') }).focus()
    await page.keyboard.press('Enter')
    await expect(dialog.getByLabel(t('URL of your server'))).toBeFocused()
    await page.keyboard.type(receiver.url)
    await dialog.getByLabel('team.member.joined').check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: t('Create webhook') }).click()
    const shown = dialog.getByLabel(t('Signing secret'))
    await expect(shown).toBeFocused()
    const secret = await shown.inputValue()
    await dialog.getByRole('button', { name: t('I’ve saved it') }).click()

    await dialog.getByRole('button', { name: t('Send ping') }).click()
    const log = dialog.getByRole('list', { name: t('Deliveries') }).getByRole('listitem')
    await expect(log.filter({ hasText: t('{delivery, select, other {Delivered}}') })).toHaveCount(1)
    const [ping] = receiver.received
    expect(ping && ping.headers['webhook-signature']).toBe(ping && `v1,${sign(secret, ping)}`)

    receiver.status = 500
    const member = await registerMember('Lina')
    await joinTeam(team, member)
    await dialog.getByRole('button', { name: t('All webhooks') }).click()
    await dialog.getByRole('button', { name: t('Deliveries') }).click()
    const joined = log.filter({ hasText: 'team.member.joined' })
    await expect(joined.getByText(t('Response code {code}', { code: '500' }))).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
    receiver.status = 204
    await joined.getByRole('button', { name: t('Send again') }).click()
    await expect(joined.getByText(t('{delivery, select, other {Delivered}}'))).toBeVisible()
    const ids = receiver.received.slice(1).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)

    await dialog.getByRole('button', { name: t('All webhooks') }).click()
    const actions = dialog.getByRole('button', { name: t('Actions for {name}', { name: receiver.url }) })
    await actions.click()
    await expect(page.getByRole('menu')).toBeVisible()
    // Closes the menu, not the dialog around it.
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toBeHidden()
    const choose = async (action: string) => {
      await actions.click()
      await page.getByRole('menuitem', { name: t(action) }).click()
      const question = page.getByRole('alertdialog')
      await question.getByRole('button', { name: t(action) }).click()
      await expect(question).toBeHidden()
    }
    await choose('Replace secret')
    await expect(shown).toBeFocused()
    await dialog.getByRole('button', { name: t('I’ve saved it') }).click()
    await choose('Delete')
    await expect(dialog.getByText(t('There are no webhooks yet.'))).toBeVisible()
    await expect(dialog.locator(':focus')).toBeVisible()
    expect(consoleErrors).toEqual([])
    await receiver.close()
  })

for (const variant of sampledAdminVariants('webhooks'))
  test(`administrator, ${variant.name}: creates and pauses a webhook of the community by password`, async ({
    browser,
  }) => {
    const admin = await registerAdmin()
    const { page, consoleErrors, t } = await openAdmin(browser, variant, admin, 'Webhooks')
    const main = page.getByRole('main')
    await main.getByRole('button', { name: t('New webhook') }).click()
    const target = `https://hooks.example/${admin.id}`
    await main.getByLabel(t('URL of your server')).fill(target)
    await main.getByLabel('user.banned').check()
    await main.getByRole('button', { name: t('Create webhook') }).click()
    await submitPassword(page.getByRole('dialog'), t, admin.password, 'Create webhook')
    await main.getByRole('button', { name: t('I’ve saved it') }).click()
    const row = main.getByRole('listitem').filter({ hasText: target })
    await row.getByRole('button', { name: t('Actions for {name}', { name: target }) }).click()
    await page.getByRole('menuitem', { name: t('Pause') }).click()
    await submitPassword(page.getByRole('dialog'), t, admin.password, 'Continue')
    await expect(row.getByText(t('{webhook, select, other {Paused}}'))).toBeVisible()
    await expectAccessible(page)
    expect(consoleErrors).toEqual([])
  })
