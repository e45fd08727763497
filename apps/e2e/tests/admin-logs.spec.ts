import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { sampledAdminVariants, registerAdmin, openAdmin, searchIn } from './admin-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { adminToken, callApi, registerMember, randomWord } from './steps.ts'

for (const variant of sampledAdminVariants('blacklist'))
  test(`admin logs, ${variant.name}: adds an address to the blacklist and removes it; the audit log lists both`, async ({
    browser,
  }) => {
    const admin = await registerAdmin(`Idriss ${randomWord()}`)
    const { page, t, main, row, dialog, confirm, expectToast, openTab, consoleErrors } = await openAdmin(
      browser,
      variant,
      admin,
      'Blacklist',
    )
    const name = `spam${randomWord()}`
    await main.getByRole('button', { name: t('Add address') }).click()
    const form = dialog('Add to the blacklist')
    const submit = form.getByRole('button', { name: t('Add address') })
    await form.getByLabel(t('Reason')).fill('   ')
    await submit.click()
    await expect(form.getByText(t('This field is required'))).toBeVisible()
    await form.getByLabel(t('Email')).fill(`${name}+shop@example.ma`)
    await form.getByLabel(t('Reason')).fill(`Casino links ${name}`)
    await expectAccessible(page)
    await submit.click()
    await expectToast('Address added to the blacklist')
    await expect(form).toBeHidden()
    await searchIn(main.getByLabel(t('Search the blacklist')), name)
    await expect(row(name)).toContainText(`Casino links ${name}`)
    await expectAccessible(page)

    await main.getByRole('button', { name: t('Add address') }).click()
    await form.getByLabel(t('Email')).fill(`${name}@example.ma`)
    await form.getByLabel(t('Reason')).fill('Once more')
    await submit.click()
    await expect(form.getByText(t('This address is already on the blacklist')).first()).toBeVisible()
    await form.getByRole('button', { name: t('Cancel') }).click()

    await row(name)
      .getByRole('button', { name: t('Remove') })
      .click()
    await confirm('Remove from the blacklist?', 'Remove')
    await expectToast('Address removed from the blacklist')
    await expect(main.getByText(t('No addresses found'))).toBeVisible()

    await openTab('Audit log')
    const search = main.getByLabel(t('Search the audit log'))
    await search.fill(admin.name.toUpperCase())
    const entries = row(admin.name)
    // Their actions, and their promotion to administrator.
    await expect(entries).toHaveCount(3)
    await expect(entries.first()).toContainText(t('Removed an address from the blacklist'))
    await search.fill(`casino links ${name}`)
    await expect(entries).toHaveCount(2)
    await main.getByLabel(t('Action')).selectOption({ label: t('Added an address to the blacklist') })
    await expect(entries).toHaveCount(1)
    await entries.getByText(t('Show'), { exact: true }).click()
    await expect(entries).toContainText('127.0.0.1')
    await expectAccessible(page)
    await search.fill('')
    await main.getByLabel(t('Action')).selectOption({ label: t('Removed an address from the blacklist') })
    await entries.getByRole('button', { name: admin.name }).click()
    await expect(entries).toHaveCount(1)
    await expect(main.getByRole('button', { name: t('Clear filter: {name}', { name: admin.name }) })).toBeVisible()
    await search.fill('nothing is called so')
    await expect(main.getByText(t('No entries found'))).toBeVisible()
    await main.getByRole('button', { name: t('Clear filters'), exact: true }).click()
    await expect(search).toHaveValue('')
    await expect(row(admin.name).first()).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

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
