import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { ADMIN } from '@community/testing/server'
import { adminLooksOf, registerAdmin, openAdmin } from './admin-steps.ts'
import { expectSound } from './sound.ts'
import { adminToken, call, registerMember, word } from './steps.ts'

for (const look of adminLooksOf('blacklist'))
  test(`admin logs, ${look.name}: an address goes on the blacklist and off again, and the audit log finds both`, async ({
    browser,
  }) => {
    const boss = await registerAdmin(`Idriss ${word()}`)
    const { page, say, main, row, dialog, confirm, expectToast, toTab, complaints } = await openAdmin(
      browser,
      look,
      boss,
      'Blacklist',
    )
    const name = `spam${word()}`
    await main.getByRole('button', { name: say('Add address') }).click()
    const form = dialog('Add to the blacklist')
    const send = form.getByRole('button', { name: say('Add address') })
    await form.getByLabel(say('Reason')).fill('   ')
    await send.click()
    await expect(form.getByText(say('This field is required'))).toBeVisible()
    await form.getByLabel(say('Email')).fill(`${name}+shop@example.ma`)
    await form.getByLabel(say('Reason')).fill(`Casino links ${name}`)
    await expectSound(page)
    await send.click()
    await expectToast('Address added to the blacklist')
    await expect(form).toBeHidden()
    await main.getByLabel(say('Search the blacklist')).fill(name)
    await expect(row(name)).toContainText(`Casino links ${name}`)
    await expectSound(page)

    await main.getByRole('button', { name: say('Add address') }).click()
    await form.getByLabel(say('Email')).fill(`${name}@example.ma`)
    await form.getByLabel(say('Reason')).fill('Once more')
    await send.click()
    await expect(form.getByText(say('This address is on the blacklist already')).first()).toBeVisible()
    await form.getByRole('button', { name: say('Cancel') }).click()

    await row(name)
      .getByRole('button', { name: say('Remove') })
      .click()
    await confirm('Remove from the blacklist?', 'Remove')
    await expectToast('Address removed from the blacklist')
    await expect(main.getByText(say('No address found'))).toBeVisible()

    await toTab('Audit log')
    const search = main.getByLabel(say('Search the audit log'))
    await search.fill(boss.name.toUpperCase())
    const both = row(boss.name)
    // What they did, and that they were made an administrator.
    await expect(both).toHaveCount(3)
    await expect(both.first()).toContainText(say('Removed an address from the blacklist'))
    await search.fill(`casino links ${name}`)
    await expect(both).toHaveCount(2)
    await main.getByLabel(say('Action')).selectOption({ label: say('Added an address to the blacklist') })
    await expect(both).toHaveCount(1)
    await both.getByText(say('Show'), { exact: true }).click()
    await expect(both).toContainText('127.0.0.1')
    await expectSound(page)
    await search.fill('')
    await main.getByLabel(say('Action')).selectOption({ label: say('Removed an address from the blacklist') })
    await both.getByRole('button', { name: boss.name }).click()
    await expect(both).toHaveCount(1)
    await expect(main.getByRole('button', { name: say('Only by {name}: show all', { name: boss.name }) })).toBeVisible()
    await search.fill('nothing is called so')
    await expect(main.getByText(say('No entries found'))).toBeVisible()
    await main.getByRole('button', { name: say('Clear filters') }).click()
    await expect(search).toHaveValue('')
    await expect(row(boss.name).first()).toBeVisible()
    expect(complaints).toEqual([])
  })

const ban = (token: string, userId: string) =>
  call('POST /admin/ban', token, { userId, reason: 'Spam', password: ADMIN.password })

for (const look of adminLooksOf('overview'))
  test(`admin overview, ${look.name}: figures, what is urgent and the way there, charts and their tables, refresh`, async ({
    browser,
  }) => {
    const [boss, person, other] = await Promise.all([
      registerAdmin(),
      registerMember(`Rude ${word()}`),
      registerMember(),
    ])
    const token = await adminToken()
    await ban(token, person.id)
    const { page, say, main, row, toTab, complaints } = await openAdmin(browser, look, boss, 'Overview')
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
          .filter({ hasText: say(name) })
          .first(),
      ).toContainText(/\d/)
    await expect(main.locator('dl > div').filter({ hasText: say('System Status') })).toContainText(say('Online'))
    await expectSound(page)

    for (const name of ['Registrations', 'Applications', 'Approvals', 'Points'])
      await expect(main.getByRole('img', { name: new RegExp(`^${say(name)} `) })).toBeVisible()
    await main.getByText(say('Show as a table')).first().click()
    const table = main.getByRole('table', { name: say('Per week') })
    await expect(table.getByRole('row')).toHaveCount(13)
    await expect(table.getByRole('columnheader')).toHaveText(
      ['Week of', 'Registrations', 'Applications', 'Approvals', 'Points'].map((name) => say(name)),
    )
    await expect(table.getByRole('row').last().getByRole('cell').first()).toHaveText(/[1-9]/)
    await expectSound(page)

    const banned = main
      .locator('dl > div')
      .filter({ hasText: say('Banned Users') })
      .locator('dd')
      .first()
    const before = await banned.innerText()
    await ban(token, other.id)
    await main.getByRole('button', { name: say('Refresh') }).click()
    await expect(banned).not.toHaveText(before)
    await expect(main.getByText(new RegExp(say('Last updated: {time}', { time: '[\\d:]+' })))).toBeVisible()

    await main.getByRole('button', { name: say('See banned users') }).click()
    await expect(main.getByLabel(say('Status'))).toHaveValue('banned')
    await main.getByLabel(say('Search users')).fill(person.email)
    await expect(row(person.email)).toContainText(say('Banned'))
    await toTab('Overview')
    await main.getByRole('button', { name: say('See the audit log') }).click()
    await expect(main.getByLabel(say('Search the audit log'))).toBeVisible()
    expect(complaints).toEqual([])
  })
