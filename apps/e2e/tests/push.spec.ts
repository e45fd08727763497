import { expect, type Page } from '@playwright/test'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { registerMember } from './steps.ts'
import { expectToast, openVariant, sampledVariants } from './team-steps.ts'

/** Headless Chromium denies notifications and has no push service: replaces both, and leaves the service worker real. */
const allowPush = (page: Page) =>
  page.addInitScript(() => {
    let subscription: object | null = null
    const key = (length: number) => btoa('k'.repeat(length)).replace(/=+$/, '')
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    PushManager.prototype.getSubscription = async () => subscription as PushSubscription | null
    PushManager.prototype.subscribe = async () => {
      const endpoint = `https://push.example/${crypto.randomUUID()}`
      subscription = {
        endpoint,
        toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: key(65), auth: key(16) } }),
        unsubscribe: async () => {
          subscription = null
          return true
        },
      }
      return subscription as PushSubscription
    }
  })

for (const variant of sampledVariants('push messages'))
  test(`push messages, ${variant.name}: are explained while blocked, turned on for the device, and turned off`, async ({
    browser,
  }) => {
    const person = await registerMember()
    const { page, consoleErrors, t } = await openVariant(browser, variant, { as: person })
    const openSection = async () => {
      await openAccountSettings(page, t)
      await page.getByRole('tab', { name: t('Notifications') }).click()
      return page.getByRole('region', { name: t('Push messages on this device') })
    }
    const blocked =
      'This browser blocks notifications of this site. Allow them in its settings for this site, then reload.'
    await expect((await openSection()).getByText(t(blocked))).toBeVisible()
    await allowPush(page)
    await page.reload()
    const section = await openSection()
    await section.getByRole('button', { name: t('Turn on push messages') }).click()
    await expectToast(page, t('Push messages are on'))
    await expect(section.getByRole('button', { name: t('Turn off push messages') })).toBeVisible()
    await expectAccessible(page)
    const worker = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        return { url: registration?.active?.scriptURL, caches: await caches.keys() }
      })
    expect(await worker()).toEqual({ url: expect.stringMatching(/\/push-worker\.js$/), caches: [] })
    await page.getByRole('tab', { name: t('Devices') }).click()
    await expect(page.getByText(t('Push messages'), { exact: true })).toBeVisible()
    await page.getByRole('tab', { name: t('Notifications') }).click()
    await section.getByRole('button', { name: t('Turn off push messages') }).click()
    await expectToast(page, t('Push messages are off'))
    await expect(section.getByRole('button', { name: t('Turn on push messages') })).toBeVisible()
    expect(consoleErrors).toEqual([])
  })
