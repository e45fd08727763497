import { readFile } from 'node:fs/promises'
import { ADMIN } from '@community/testing/server'
import { expect } from '@playwright/test'
import { test } from '../test.ts'
import { openAdmin, sampledAdminVariants } from './admin-steps.ts'
import { createTeam, registerMember } from './steps.ts'

for (const variant of sampledAdminVariants('exports').slice(0, 1))
  test(`admin settings, ${variant.name}: tables are downloaded as CSV, and each download is in the audit log`, async ({
    browser,
  }) => {
    const chef = await registerMember('Ghita Alaoui')
    const team = await createTeam(chef)
    const { main, t, page, consoleErrors } = await openAdmin(browser, variant, ADMIN, 'Settings')
    const download = async (label: string) => {
      const downloading = page.waitForEvent('download')
      await main.getByRole('button', { name: t(label) }).click()
      const file = await downloading
      expect(file.suggestedFilename()).toMatch(/\.csv$/)
      return readFile(await file.path(), 'utf8')
    }
    const teams = await download('Teams with members (CSV)')
    expect(teams.split('\r\n').find((line) => line.includes(team.name))).toContain('Ghita Alaoui')
    for (const label of ['Submissions (CSV)', 'Leaderboard (CSV)'])
      expect((await download(label)).split('\r\n').length).toBeGreaterThan(1)
    expect((await download('Audit log (CSV)')).match(/export/gi)?.length).toBeGreaterThanOrEqual(3)
    expect(consoleErrors).toEqual([])
  })
