import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { sampledDevices, openApp, registerMember, randomWord } from './steps.ts'

for (const { device, viewport } of sampledDevices('create a team'))
  test(`on ${device}: a team is created in three steps, each of which shows its missing fields`, async ({
    browser,
  }) => {
    const chef = await registerMember('Sara El Amrani')
    const name = `Atlas ${randomWord()} ${randomWord()}`

    const { page, consoleErrors } = await openApp(browser, { viewport, as: chef })
    await page.getByRole('button', { name: 'Create New Team' }).click()
    const wizard = page.getByRole('dialog')
    await expect(wizard.getByLabel('Full Name')).toHaveValue(chef.name)
    await wizard.getByLabel('Phone').fill('0812345678')
    await wizard.getByLabel('Experience').selectOption({ index: 2 })
    await wizard.getByRole('button', { name: 'Next' }).click()
    await expect(wizard.getByText('Phone number must be in format 0612345678 or +212612345678')).toBeVisible()
    await wizard.getByLabel('Phone').fill('06 12 34 56 78')
    await wizard.getByRole('button', { name: 'Next' }).click()

    await wizard.getByLabel('Team name').fill(name)
    await wizard.getByLabel('Description').fill('We build small, useful things and ship them every week.')
    await wizard.getByLabel('Team experience level').selectOption('Intermediate')
    await wizard.getByRole('button', { name: 'Next' }).click()

    await wizard.getByRole('button', { name: 'Create Team' }).click()
    await expect(wizard.getByText('Please select at least one role')).toBeVisible()
    await wizard.getByLabel('Backend Developer').check()
    await wizard.getByRole('button', { name: 'Create Team' }).click()
    await expect(page.getByText('Team Created!').first()).toBeVisible()
    await expect(wizard).toBeHidden()
    expect(consoleErrors).toEqual([])
  })
