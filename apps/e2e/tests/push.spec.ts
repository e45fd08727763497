import { expect, type Page } from '@playwright/test'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { registerMember, url } from './steps.ts'
import { expectToast, openVariant, sampledVariants } from './team-steps.ts'

/** Chromium without a push service rejects every subscription: replaces that one call, and leaves the worker and the permission real. */
const replacePushService = (page: Page) =>
  page.addInitScript(() => {
    let subscription: object | null = null
    const key = (length: number) => btoa('k'.repeat(length)).replace(/=+$/, '')
    PushManager.prototype.getSubscription = async () => subscription as PushSubscription | null
    PushManager.prototype.subscribe = async () => {
      const endpoint = `https://push.example/${crypto.randomUUID()}`
      const keys = { p256dh: key(65), auth: key(16) }
      subscription = {
        endpoint,
        toJSON: () => ({ endpoint, expirationTime: null, keys }),
        unsubscribe: async () => {
          subscription = null
          return true
        },
      }
      return subscription as PushSubscription
    }
  })

for (const variant of sampledVariants('push messages'))
  test(`push messages, ${variant.name}: are turned on for the device, shown by the worker, and turned off`, async ({
    browser,
  }) => {
    const person = await registerMember()
    const { page, consoleErrors, t } = await openVariant(browser, variant, { as: person })
    await page.context().grantPermissions(['notifications'], { origin: url })
    await replacePushService(page)
    const devtools = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ isDeleted }) => !isDeleted)
        if (found) resolve(found.registrationId)
      })
    })
    await devtools.send('ServiceWorker.enable')
    await page.reload()
    await openAccountSettings(page, t)
    await page.getByRole('tab', { name: t('Notifications') }).click()
    await page.getByRole('button', { name: t('Turn on push messages') }).click()
    await expectToast(page, t('Push messages are on'))
    await expect(page.getByRole('button', { name: t('Turn off push messages') })).toBeVisible()
    await expectAccessible(page)
    const message = { title: 'Community', body: 'Your role changed', language: 'en', href: '#dashboard' }
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: url,
      registrationId: await registered,
      data: JSON.stringify(message),
    })
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration('/push-worker.js')
        const all = (await registration?.getNotifications()) ?? []
        return all.map(({ title, body, lang, data }) => ({ title, body, lang, data: data as unknown }))
      })
    await expect
      .poll(shown)
      .toEqual([{ title: 'Community', body: 'Your role changed', lang: 'en', data: { href: '#dashboard' } }])
    expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(0)

    await page.getByRole('button', { name: t('Turn off push messages') }).click()
    await expectToast(page, t('Push messages are off'))
    await expect(page.getByRole('button', { name: t('Turn on push messages') })).toBeVisible()
    expect(consoleErrors).toEqual([])
  })
