import { expect, type Page } from '@playwright/test'
import { test } from '../test.ts'
import type { Translate } from '../crawl/texts.ts'
import { expectAccessible } from './accessibility.ts'
import { applyToChallenge, evaluateSubmission, findChallenge } from './challenge-steps.ts'
import { createChallenge, createTeam, openApp, registerMember, signIn, type TestUser } from './steps.ts'
import { openVariant, sampledVariants } from './team-steps.ts'

const PROMPT = 'Authentication Required'
const english: Translate = (id) => id

/** Signs in by email in the open sign-in dialog. */
async function signInHere(page: Page, { email, password }: TestUser, t: Translate): Promise<void> {
  const dialog = page.getByRole('dialog', { name: t('Welcome to the community') })
  await dialog.getByRole('button', { name: t('Continue with Email') }).click()
  await dialog.getByLabel(t('Email'), { exact: true }).fill(email)
  await dialog.getByLabel(t('Password'), { exact: true }).fill(password)
  await dialog.getByRole('button', { name: t('Sign In'), exact: true }).click()
}

/** Presses Apply on a challenge's card as a visitor. */
async function pressApply(page: Page, title: string, t: Translate) {
  const card = await findChallenge(page, title, t)
  await card.getByRole('button', { name: t('Apply to {title}').replace('{title}', title) }).click()
  return page.getByRole('dialog', { name: t(PROMPT) })
}

const nextSteps = (page: Page, t: Translate) => page.getByRole('region', { name: t('What’s next') })

for (const variant of sampledVariants('applies and signs in'))
  test(`on ${variant.name}: a visitor presses Apply, signs in, and the application form is open`, async ({
    browser,
  }) => {
    const chef = await registerMember()
    const [, challenge] = [await createTeam(chef), await createChallenge()]
    const { page, t, consoleErrors } = await openVariant(browser, variant)
    const prompt = await pressApply(page, challenge.title, t)
    await prompt.getByRole('button', { name: t('Sign In') }).click()
    await signInHere(page, chef, t)
    const form = page.getByRole('dialog', { name: t('Apply to Challenge') })
    await expect(form.getByText(challenge.title)).toBeVisible()
    await expectAccessible(page)
    expect(consoleErrors).toEqual([])
  })

test('a visitor at #dashboard signs in and sees the dashboard', async ({ browser }) => {
  const person = await registerMember()
  const { page, consoleErrors } = await openApp(browser, { at: '/#dashboard' })
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await signInHere(page, person, english)
  await expect(page.getByText('Challenges completed')).toBeVisible()
  await expect(page).toHaveURL(/#dashboard$/)
  expect(consoleErrors).toEqual([])
})

test('a visitor at #account-devices signs in and sees the devices in the account settings', async ({ browser }) => {
  const person = await registerMember()
  const { page, consoleErrors } = await openApp(browser, { at: '/#account-devices' })
  await expect(page.getByRole('dialog', { name: 'Welcome to the community' })).toBeVisible()
  await signInHere(page, person, english)
  const settings = page.getByRole('dialog', { name: 'Account settings' })
  await expect(settings.getByRole('tab', { name: 'Devices' })).toHaveAttribute('aria-selected', 'true')
  await expect(settings.getByText('This device')).toHaveCount(1)
  expect(consoleErrors).toEqual([])
})

for (const variant of sampledVariants('three ways'))
  test(`on ${variant.name}: a member without a team sees three ways on`, async ({ browser }) => {
    await createChallenge()
    const { page, t, consoleErrors } = await openVariant(browser, variant, { as: await registerMember() })
    const region = nextSteps(page, t)
    await expect(region.getByRole('listitem')).toHaveCount(3)
    await expectAccessible(page)
    await region.getByRole('button', { name: t('Create a team') }).click()
    await expect(page.getByRole('dialog', { name: t('Create New Team') })).toBeVisible()
    await page.keyboard.press('Escape')
    await region.getByRole('button', { name: t('Browse challenges') }).press('Enter')
    await expect(page.locator('#challenges')).toBeInViewport()
    await page.goto('/')
    await region.getByRole('button', { name: t('Join a team') }).click()
    await expect(page.locator('#teams')).toBeInViewport()
    expect(consoleErrors).toEqual([])
  })

for (const variant of sampledVariants('a rejection waits'))
  test(`on ${variant.name}: a member sees a rejected submission with its feedback and opens it`, async ({
    browser,
  }) => {
    const chef = await registerMember()
    const [team, challenge] = [await createTeam(chef), await createChallenge()]
    const feedback = 'Please add the source.'
    await evaluateSubmission(await applyToChallenge(chef, team, challenge), { status: 'rejected', feedback })
    const { page, t, consoleErrors } = await openVariant(browser, variant, { as: chef })
    const row = nextSteps(page, t).getByRole('listitem').filter({ hasText: feedback })
    await expect(row.getByText(t('Rejected'))).toBeVisible()
    await expectAccessible(page)
    await row.getByRole('button', { name: challenge.title }).click()
    await expect(page).toHaveURL(/#dashboard$/)
    await expect(page.getByRole('region', { name: team.name }).getByText(feedback)).toBeVisible()
    expect(consoleErrors).toEqual([])
  })

test('on a shared device, the next person does not continue what a visitor left', async ({ browser }) => {
  const chef = await registerMember()
  const [, challenge] = [await createTeam(chef), await createChallenge()]
  const { page, consoleErrors } = await openApp(browser)
  const prompt = await pressApply(page, challenge.title, english)
  await prompt.getByRole('button', { name: 'Maybe Later' }).click()
  await expect(prompt).toBeHidden()
  await signIn(page, chef)
  await expect(nextSteps(page, english)).toBeAttached()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(consoleErrors).toEqual([])
})
