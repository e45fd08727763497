import { createReadStream } from 'node:fs'
import { validInput } from '@community/testing'
import { ADMIN, type RunningServer, startStandaloneServer } from '@community/testing/server'
import { expect } from '@playwright/test'
import { sendRequest, signInAt } from '../api.ts'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { openAdmin, sampledAdminVariants } from './admin-steps.ts'

let source: RunningServer
let target: RunningServer
test.beforeAll(async () => {
  ;[source, target] = await Promise.all([startStandaloneServer({}), startStandaloneServer({})])
  const { token } = await signInAt(source, ADMIN)
  await sendRequest(source, 'POST /admin/challenges', token, {
    ...validInput('admin.createChallenge', { title: 'Zellige sorting' }),
    password: ADMIN.password,
  })
})
test.afterAll(() => Promise.all([source.stop(), target.stop()]))

for (const variant of sampledAdminVariants('import').slice(0, 1))
  test(`admin settings, ${variant.name}: what one installation exports, an empty one imports after a broken upload`, async ({
    browser,
  }) => {
    const from = await openAdmin(browser, variant, ADMIN, 'Settings', { baseURL: source.url })
    await expect(from.main.getByRole('heading', { name: from.t('Import an archive') })).toHaveCount(0)
    await from.main.getByRole('button', { name: from.t('Everything (ZIP)') }).click()
    const downloading = from.page.waitForEvent('download')
    await from.confirmWithPassword('Download everything', 'Download')
    const archive = await (await downloading).path()

    const { page, main, t, confirmWithPassword, consoleErrors } = await openAdmin(browser, variant, ADMIN, 'Settings', {
      baseURL: target.url,
    })
    await expect(main.getByRole('heading', { name: t('Import an archive') })).toBeVisible()
    await expectAccessible(page)
    const buffer = Buffer.concat(await createReadStream(archive).toArray())
    const choose = () =>
      main
        .getByRole('region', { name: t('Import an archive') })
        .locator('input[type=file]')
        .setInputFiles({ name: 'season.zip', mimeType: 'application/zip', buffer })
    await choose()
    // The first attempt and its two repetitions.
    await page.route('**/api/admin/import/*/parts/0', (route) => route.abort(), { times: 3 })
    await main.getByRole('button', { name: t('Import'), exact: true }).click()
    await confirmWithPassword('Import an archive', 'Import')
    await expect(main.getByRole('alert')).toBeVisible()

    await page.reload()
    await expect(
      main.getByText(t('Only a part of {name} has arrived. Choose the same file to continue.', { name: 'season.zip' })),
    ).toBeVisible()
    await choose()
    await main.getByRole('button', { name: t('Continue the upload') }).click()
    await main.getByRole('button', { name: t('Reload the page') }).click()
    await expect(main.getByRole('heading', { name: t('Import an archive') })).toHaveCount(0)
    await page.getByRole('tab', { name: t('Challenges'), exact: true }).click()
    await expect(main.getByText('Zellige sorting').first()).toBeVisible()
    expect(consoleErrors.filter((error) => !error.includes('net::ERR_FAILED'))).toEqual([])
  })
