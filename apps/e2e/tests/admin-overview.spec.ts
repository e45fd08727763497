import { expect } from '@playwright/test'
import { ADMIN } from '@community/testing/server'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { openAdmin, registerAdmin, sampledAdminVariants } from './admin-steps.ts'
import { adminToken, callApi, randomWord, registerMember } from './steps.ts'

const ban = (token: string, userId: string) =>
  callApi('POST /admin/ban', token, { userId, reason: 'Spam', password: ADMIN.password })

for (const variant of sampledAdminVariants('overview'))
  test(`admin overview, ${variant.name}: shows statistics, urgent items with links, charts with tables, and refreshes`, async ({
    browser,
  }) => {
    const [admin, person, other] = await Promise.all([
      registerAdmin(),
      registerMember(`Rude ${randomWord()}`),
      registerMember(),
    ])
    const token = await adminToken()
    await ban(token, person.id)
    const { page, t, main, row, openTab, consoleErrors } = await openAdmin(browser, variant, admin, 'Overview')
    for (const name of [
      'Total Users',
      'Active Teams',
      'Total Submissions',
      'Pending Reviews',
      'Banned Users',
      'Warning Logs',
      'Approved',
    ])
      await expect(
        main
          .locator('dl > div')
          .filter({ hasText: t(name) })
          .first(),
      ).toContainText(/\d/)
    // A service counts as down after two seconds without an answer: mail for 15 s, and the page shows it until it is refreshed.
    await expect(async () => {
      await main.getByRole('button', { name: t('Refresh') }).click()
      const status = main.locator('dl > div').filter({ hasText: t('System Status') })
      await expect(status).toContainText(t('Online'), { timeout: 2000 })
    }).toPass({ timeout: 30_000 })
    await expectAccessible(page)

    for (const name of ['Registrations', 'Applications', 'Approvals', 'Points'])
      await expect(main.getByRole('img', { name: new RegExp(`^${t(name)} `) })).toBeVisible()
    await main.getByText(t('Show as a table')).first().click()
    const table = main.getByRole('table', { name: t('Per week') })
    await expect(table.getByRole('row')).toHaveCount(13)
    await expect(table.getByRole('columnheader')).toHaveText(
      ['Week of', 'Registrations', 'Applications', 'Approvals', 'Points'].map((name) => t(name)),
    )
    await expect(table.getByRole('row').last().getByRole('cell').first()).toHaveText(/[1-9]/)
    await expectAccessible(page)

    const banned = main
      .locator('dl > div')
      .filter({ hasText: t('Banned Users') })
      .locator('dd')
      .first()
    const before = await banned.innerText()
    await ban(token, other.id)
    await main.getByRole('button', { name: t('Refresh') }).click()
    await expect(banned).not.toHaveText(before)
    await expect(main.getByText(new RegExp(t('Last updated: {time}', { time: '[\\d:]+' })))).toBeVisible()

    await main.getByRole('button', { name: t('See banned users') }).click()
    await expect(main.getByLabel(t('Status'))).toHaveValue('banned')
    await main.getByLabel(t('Search users')).fill(person.email)
    await expect(row(person.email)).toContainText(t('Banned'))
    await openTab('Overview')
    await main.getByRole('button', { name: t('See the audit log') }).click()
    await expect(main.getByLabel(t('Search the audit log'))).toBeVisible()
    expect(consoleErrors).toEqual([])
  })
