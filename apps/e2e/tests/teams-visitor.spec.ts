import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { createTeam, registerMember, word } from './steps.ts'
import { findTeam, looksOf, openIn } from './team-steps.ts'

for (const look of looksOf('finds a card without what is inside'))
  test(`visitor, ${look.name}: finds a card without what is inside, and is led to sign in`, async ({ browser }) => {
    const team = await createTeam(await registerMember(), `Atlas ${word()} ${word()}`)
    const { page, complaints, say } = await openIn(browser, look)
    await page.getByLabel(say('Search teams')).fill(team.name)
    const card = page.getByRole('article', { name: team.name })
    await expect(card).toBeVisible()
    await expect(page.locator('#teams').getByRole('article')).toHaveCount(1)
    await expect(card.getByText(say('Sign in to see this team'))).toBeVisible()
    await expect(card.getByText('We build small, useful things')).toBeHidden()
    await expect(card.getByText(say('Points'))).toBeHidden()
    await findTeam(page, team.name, say)
    await expect(page.getByRole('dialog').getByRole('tab', { name: say('Sign In'), selected: true })).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByLabel(say('Search teams')).fill('zzz nobody zzz')
    await expect(
      page.locator('#teams').getByText(say('No team matches your search. Try another word or role.')),
    ).toBeVisible()
    await page.getByRole('button', { name: say('Clear filters') }).click()
    await expect(page.locator('#teams').getByRole('article').first()).toBeVisible()
    expect(complaints).toEqual([])
  })

for (const look of looksOf('fills the wizard'))
  test(`visitor, ${look.name}: fills the wizard, closes it by mistake, reloads, and is asked to sign in at its end`, async ({
    browser,
  }) => {
    const name = `Draft ${word()} ${word()}`
    const { page, complaints, say } = await openIn(browser, look)
    const wizard = page.getByRole('dialog', { name: say('Create New Team') })
    const next = () => wizard.getByRole('button', { name: say('Next') }).click()
    await page.getByRole('button', { name: say('Create New Team') }).click()
    await wizard.getByLabel(say('Full Name')).fill('Sara El Amrani')
    await wizard.getByLabel(say('Email')).fill(`${word()}@example.ma`)
    await wizard.getByLabel(say('Phone')).fill('0612345678')
    await wizard.getByLabel(say('Experience')).selectOption('Advanced')
    await next()
    await wizard.getByLabel(say('Team Name')).fill(name)
    await wizard.getByLabel(say('Description')).fill('We build small, useful things.')
    await page.keyboard.press('Escape')
    await expect(wizard).toBeHidden()

    await page.reload()
    await page.getByRole('button', { name: say('Create New Team') }).click()
    await expect(wizard.getByLabel(say('Team Name'))).toHaveValue(name)
    await expect(wizard.getByText(say('We kept your draft.'))).toBeVisible()
    await wizard.getByLabel(say('Team Experience Level')).selectOption('Expert')
    await next()
    await wizard.getByRole('checkbox').nth(2).check()
    await wizard.getByRole('button', { name: say('Create Team') }).click()
    const prompt = page.getByRole('dialog')
    for (const way of ['Sign In', 'Create Account', 'Maybe Later'])
      await expect(prompt.getByRole('button', { name: say(way) })).toBeVisible()
    await prompt.getByRole('button', { name: say('Maybe Later') }).click()
    await expect(prompt).toBeHidden()
    expect(complaints).toEqual([])
  })
