import { sampledForTier } from '@community/testing'
import { type Browser, expect, type Locator, type Page } from '@playwright/test'
import { ADMIN } from '@community/testing/server'
import { openTab, type Tab } from '../crawl/admin.ts'
import { type Translate, translatorFor } from '../crawl/texts.ts'
import { adminToken, callApi, DESKTOP, type OpenOptions, PHONE, registerMember, type SignedInUser } from './steps.ts'
import { expectToast, openVariant } from './team-steps.ts'

/** A phone with cards, light and left-to-right; a wide screen with tables, dark and right-to-left. */
const ADMIN_VARIANTS = [
  { name: 'a phone', viewport: PHONE, language: 'en', colorScheme: 'light' },
  { name: 'a wide screen, Arabic, dark', viewport: DESKTOP, language: 'ar', colorScheme: 'dark' },
] as const
export type AdminVariant = (typeof ADMIN_VARIANTS)[number]
/** The variants that a journey is repeated in: one of them in the quick tier. */
export const sampledAdminVariants = (journey: string): AdminVariant[] => sampledForTier(ADMIN_VARIANTS, 1, journey)

type Credentials = Pick<SignedInUser, 'email' | 'password'>

/** Promotes a user to administrator, which ends their sessions but not their memberships. */
export async function promoteToAdmin(person: SignedInUser): Promise<SignedInUser> {
  await callApi(`PUT /admin/users/${person.id}/role`, await adminToken(), { role: 'admin', password: ADMIN.password })
  return person
}

/** Creates an administrator for one test, with audit entries and wrong-password counts of their own. */
export const registerAdmin = async (name?: string): Promise<SignedInUser> => promoteToAdmin(await registerMember(name))

/** Opens a tab of the administration as this user; `baseURL` is needed for a test's own server. */
export async function openAdmin(
  browser: Browser,
  variant: AdminVariant,
  person: Credentials,
  tab: Tab,
  options: Pick<OpenOptions<unknown>, 'baseURL' | 'prepare'> = {},
) {
  const { colorScheme } = variant
  const context = { colorScheme, timezoneId: 'Africa/Casablanca', ...options }
  const { page, consoleErrors } = await openVariant(browser, variant, { as: person, at: '/#admin', ...context })
  const admin = adminHelpers(page, variant, { consoleErrors, password: person.password })
  await expect(page.getByRole('heading', { level: 1, name: admin.t('Admin Dashboard') })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  await admin.openTab(tab)
  return admin
}

function adminHelpers(
  page: Page,
  variant: AdminVariant,
  { consoleErrors, password }: { consoleErrors: string[]; password: string },
) {
  const t = translatorFor(variant.language)
  const main = page.locator('main')
  const dialog = (name: string) => page.getByRole('dialog', { name: t(name) })
  return {
    page,
    t,
    consoleErrors,
    main,
    /** The table row, or on a phone the card, that shows a text. */
    row: (text: string) => main.getByRole(variant.viewport === PHONE ? 'listitem' : 'row').filter({ hasText: text }),
    openTab: (tab: Tab) => openTab(tab)({ page, t }),
    /** A dialog by its English name. */
    dialog,
    /** Chooses an action in the menu of a row. */
    choose: async (rowName: string, action: string) => {
      await main.getByRole('button', { name: t('Actions for {name}', { name: rowName }) }).click()
      await page.getByRole('menuitem', { name: t(action), exact: true }).click()
    },
    /** Enters the password in the dialog of this name and presses its button. */
    confirmWithPassword: async (title: string, button = title) => {
      const passwordDialog = await submitPassword(dialog(title), t, password, button)
      await expect(passwordDialog).toBeHidden()
    },
    confirm: async (title: string, button: string) => {
      const question = page.getByRole('alertdialog', { name: t(title) })
      await question.getByRole('button', { name: t(button), exact: true }).click()
      await expect(question).toBeHidden()
    },
    expectToast: (text: string, values?: Record<string, string | number>) => expectToast(page, t(text, values)),
  }
}

/** Fills in the search of a list and waits for the result. Until it is there, the list still shows the previous rows, dimmed. */
export async function searchIn(field: Locator, text: string): Promise<void> {
  const response = field.page().waitForResponse((found) => decodeURIComponent(found.url()).includes(text))
  await field.fill(text)
  await response
  await expect(field.page().locator('main [aria-busy=true]')).toHaveCount(0)
}

export const passwordIn = (container: Page | Locator, t: Translate): Locator =>
  container.getByLabel(t('Your password'), { exact: true })

/** Enters a password in the dialog that requires one and presses its button. */
export async function submitPassword(dialog: Locator, t: Translate, password: string, button: string) {
  const passwordDialog = dialog.filter({ has: passwordIn(dialog.page(), t) })
  await passwordIn(passwordDialog, t).fill(password)
  await passwordDialog.getByRole('button', { name: t(button), exact: true }).click()
  return passwordDialog
}
