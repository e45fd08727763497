import { expect } from '@playwright/test'
import { startStandaloneServer } from '@community/testing/server'
import { test } from '../test.ts'
import { expectSound } from './sound.ts'
import { looksOf, openIn } from './team-steps.ts'

for (const look of looksOf('a community at its beginning'))
  test(`${look.name}: a community at its beginning says what is not there yet`, async ({ browser }) => {
    const server = await startStandaloneServer()
    try {
      const { page, complaints, say } = await openIn(browser, look, { baseURL: server.url })
      await expect(page.locator('#challenges').getByText(say('No Challenges Found'))).toBeVisible()
      await expect(page.locator('#works').getByText(say('No Community Works Yet'))).toBeVisible()
      const board = page.locator('#leaderboard')
      await expect(board.getByText(say('No teams on the leaderboard yet'))).toBeVisible()
      await expect(board.getByText(say('No Teams Yet'))).toBeVisible()
      await expect(board.getByText('0', { exact: true })).toHaveCount(4)
      await expectSound(page)
      expect(complaints).toEqual([])
    } finally {
      await server.stop()
    }
  })
