import { expect } from '@playwright/test'
import { translatorFor } from '../crawl/texts.ts'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { openAdmin, registerAdmin, sampledAdminVariants } from './admin-steps.ts'
import { adminToken, callApi, openApp, PHONE, randomWord } from './steps.ts'
import { ADMIN } from '@community/testing/server'

test('a visitor reads the privacy page from the footer and from sign-up, and comes back', async ({ browser }) => {
  const { page, consoleErrors } = await openApp(browser, { viewport: PHONE })
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'Privacy' }).click()
  await expect(page).toHaveURL(/#privacy$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  await expect(page.getByRole('main')).toContainText('law 09-08')
  await expectAccessible(page)
  await page.getByRole('banner').getByLabel('Language').selectOption('ar')
  await expect(page.getByRole('heading', { level: 1, name: 'الخصوصية' })).toBeVisible()
  await expectAccessible(page)
  await page.goBack()
  await expect(page).not.toHaveURL(/#privacy/)
  await expect(page.locator('#home')).toBeVisible()

  const t = translatorFor('ar')
  await page.evaluate(() => window.dispatchEvent(new CustomEvent('openAuthModal', { detail: { mode: 'register' } })))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('Continue with Email') }).click()
  const opening = page.context().waitForEvent('page')
  await dialog.getByRole('link', { name: t('Terms') }).click()
  const terms = await opening
  await expect(terms.getByRole('heading', { level: 1, name: 'شروط الاستخدام' })).toBeVisible()
  expect(consoleErrors).toEqual([])
})

for (const variant of sampledAdminVariants('pages'))
  test(`on ${variant.name}: an administrator writes a page, and HTML and scripts in it stay text`, async ({
    browser,
  }) => {
    const { page, t, main, confirmWithPassword, expectToast, consoleErrors } = await openAdmin(
      browser,
      variant,
      await registerAdmin(`Rania ${randomWord()}`),
      'Settings',
    )
    const word = randomWord()
    await main.getByLabel(t('Document')).selectOption('terms')
    await main.getByLabel(t('Language'), { exact: true }).selectOption('fr')
    const text = main.getByRole('textbox', { name: t('Terms') })
    await expect(text).toHaveAttribute('placeholder', /Conditions/)
    await text.fill(`# Chez nous ${word}\n\n<b>gras</b> [non](javascript:alert(1)) [oui](https://example.ma/${word})`)
    await main.getByRole('button', { name: t('Save'), exact: true }).click()
    await confirmWithPassword('Save changes', 'Save')
    await expectToast('Done')

    const reader = await openApp(browser, { at: '/#terms', locale: 'fr-MA' })
    await expect(reader.page.getByRole('heading', { level: 1, name: `Chez nous ${word}` })).toBeVisible()
    const article = reader.page.locator('main article')
    await expect(article).toContainText('<b>gras</b> non')
    await expect(article.getByRole('link')).toHaveCount(1)
    await callApi('PUT /admin/pages/terms', await adminToken(), {
      language: 'fr',
      markdown: '',
      password: ADMIN.password,
    })
    await page.close()
    expect([...consoleErrors, ...reader.consoleErrors]).toEqual([])
  })
