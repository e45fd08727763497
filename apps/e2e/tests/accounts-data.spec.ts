import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { expect, type Page } from '@playwright/test'
import { fromBufferPromise } from 'yauzl'
import { openAccountSettings } from '../crawl/crawler.ts'
import { test } from '../test.ts'
import { createTeam, openApp, registerMember, sampledDevices } from './steps.ts'

const press = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Download' }).click()

async function dataOf(archive: string): Promise<Record<string, Record<string, unknown>[]>> {
  const zip = await fromBufferPromise(await readFile(archive))
  for await (const entry of zip.eachEntry())
    if (entry.fileName === 'data.json') return JSON.parse(await text(await zip.openReadStreamPromise(entry)))
  throw new Error('The archive has no data.json')
}

for (const { device, viewport } of sampledDevices('own data'))
  test(`on ${device}: one’s own data can be downloaded, and a failure is shown`, async ({ browser }) => {
    const person = await registerMember('Salma Bennis')
    const team = await createTeam(person)
    const { page, consoleErrors } = await openApp(browser, { viewport, as: person })
    await openAccountSettings(page)
    await page.getByRole('tab', { name: 'Security' }).click()

    await page.route('**/api/users/export', (route) => route.abort(), { times: 1 })
    await press(page)
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Network error')

    const downloading = page.waitForEvent('download')
    await press(page)
    const download = await downloading
    expect(download.suggestedFilename()).toMatch(/-\d{4}-\d\d-\d\d\.zip$/)
    await expect(page.getByRole('dialog').getByRole('alert')).toBeHidden()
    const data = await dataOf(await download.path())
    expect(data).toMatchObject({
      account: [{ name: 'Salma Bennis', email: person.email }],
      memberships: [{ teamId: team.id, isChef: true }],
      teams: [{ name: team.name }],
    })
    expect(consoleErrors.filter((error) => !error.includes('net::ERR_FAILED'))).toEqual([])
  })
