import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { sampledAdminVariants, registerAdmin, openAdmin, searchIn } from './admin-steps.ts'
import { expectAccessible } from './accessibility.ts'
import { randomWord } from './steps.ts'

for (const variant of sampledAdminVariants('blacklist'))
  test(`admin blacklist, ${variant.name}: adds an address to the blacklist and removes it; the audit log lists both`, async ({
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
