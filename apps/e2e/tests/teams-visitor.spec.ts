import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { createTeam, registerMember, randomWord } from './steps.ts'
import { findTeam, sampledVariants, openVariant } from './team-steps.ts'

for (const variant of sampledVariants('sees a card without details'))
  test(`visitor, ${variant.name}: sees a card without details, and is asked to sign in`, async ({ browser }) => {
    const team = await createTeam(await registerMember(), `Atlas ${randomWord()} ${randomWord()}`)
    const { page, consoleErrors, t } = await openVariant(browser, variant)
    await page.getByLabel(t('Search teams')).fill(team.name)
    const card = page.getByRole('article', { name: team.name })
    await expect(card).toBeVisible()
    await expect(page.locator('#teams').getByRole('article')).toHaveCount(1)
    await expect(card.getByText(t('Sign in to see this team'))).toBeVisible()
    await expect(card.getByText('We build small, useful things')).toBeHidden()
    await expect(card.getByText(t('Points'))).toBeHidden()
    await findTeam(page, team.name, t)
    await expect(page.getByRole('dialog').getByRole('tab', { name: t('Sign In'), selected: true })).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByLabel(t('Search teams')).fill('zzz nobody zzz')
    await expect(
      page.locator('#teams').getByText(t('No team matches your search. Try another word or role.')),
    ).toBeVisible()
    await page.getByRole('button', { name: t('Clear filters') }).click()
    await expect(page.locator('#teams').getByRole('article').first()).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('fills the wizard'))
  test(`visitor, ${variant.name}: fills in the wizard, closes it by mistake, reloads, and is asked to sign in at the end`, async ({
    browser,
  }) => {
    const name = `Draft ${randomWord()} ${randomWord()}`
    const { page, consoleErrors, t } = await openVariant(browser, variant)
    const wizard = page.getByRole('dialog', { name: t('Create New Team') })
    const next = () => wizard.getByRole('button', { name: t('Next') }).click()
    await page.getByRole('button', { name: t('Create New Team') }).click()
    await wizard.getByLabel(t('Full Name')).fill('Sara El Amrani')
    await wizard.getByLabel(t('Email')).fill(`${randomWord()}@example.ma`)
    await wizard.getByLabel(t('Phone')).fill('0612345678')
    await wizard.getByLabel(t('Experience')).selectOption('Advanced')
    await next()
    await wizard.getByLabel(t('Team name')).fill(name)
    await wizard.getByLabel(t('Description')).fill('We build small, useful things.')
    await page.keyboard.press('Escape')
    await expect(wizard).toBeHidden()

    await page.reload()
    await page.getByRole('button', { name: t('Create New Team') }).click()
    await expect(wizard.getByLabel(t('Team name'))).toHaveValue(name)
    await expect(wizard.getByText(t('We kept your draft.'))).toBeVisible()
    await wizard.getByLabel(t('Team experience level')).selectOption('Expert')
    await next()
    await wizard.getByRole('checkbox').nth(2).check()
    await wizard.getByRole('button', { name: t('Create Team') }).click()
    const prompt = page.getByRole('dialog')
    for (const label of ['Sign In', 'Create Account', 'Maybe Later'])
      await expect(prompt.getByRole('button', { name: t(label) })).toBeVisible()
    await prompt.getByRole('button', { name: t('Maybe Later') }).click()
    await expect(prompt).toBeHidden()
    expect(consoleErrors).toEqual([])
  })
