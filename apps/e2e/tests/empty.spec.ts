import { expect } from '@playwright/test'
import { startStandaloneServer } from '@community/testing/server'
import { test } from '../test.ts'
import { expectAccessible } from './accessibility.ts'
import { sampledVariants, openVariant } from './team-steps.ts'

for (const variant of sampledVariants('empty community'))
  test(`${variant.name}: an empty community shows its empty states`, async ({ browser }) => {
    const server = await startStandaloneServer()
    try {
      const { page, consoleErrors, t } = await openVariant(browser, variant, { baseURL: server.url })
      await expect(page.locator('#challenges').getByText(t('No Challenges Found'))).toBeVisible()
      await expect(page.locator('#works').getByText(t('No Community Works Yet'))).toBeVisible()
      const board = page.locator('#leaderboard')
      await expect(board.getByText(t('No teams on the leaderboard yet'))).toBeVisible()
      await expect(board.getByText(t('No Teams Yet'))).toBeVisible()
      await expect(board.getByText('0', { exact: true })).toHaveCount(4)
      await expectAccessible(page)
      expect(consoleErrors).toEqual([])
    } finally {
      await server.stop()
    }
  })
