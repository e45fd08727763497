import { isFullTier, testSeed } from '@community/testing'
import { defineConfig } from '@playwright/test'
import { findBrowser } from './browser.ts'

const browser = await findBrowser()
// One seed for all workers, even if a commit is made during the run.
process.env.TEST_SEED ??= testSeed()
if (!process.env.TEST_WORKER_INDEX)
  process.stdout.write(
    `browser: ${browser.source}\ntier: ${isFullTier() ? 'full' : `quick, TEST_SEED=${process.env.TEST_SEED}`}\n`,
  )

const DEMO = ['axe.spec.ts', 'forced-colors.spec.ts', 'leaderboard.spec.ts'].map((name) => `**/${name}`)

export default defineConfig({
  testDir: 'tests',
  // More than cores: with two, they waited for more than a third of the time.
  workers: 3,
  // One worker for the demo's journeys: seeding it and rendering its pictures is expensive. They go first, as they take longest.
  projects: [
    { name: 'demo', testMatch: DEMO, workers: 1 },
    { name: 'site', testIgnore: DEMO },
  ],
  fullyParallel: true,
  forbidOnly: true,
  grepInvert: isFullTier() ? [] : /@full/,
  reporter: [['list']],
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    // An action that is not possible fails by its name before the test's own timeout.
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    locale: 'en-GB',
    launchOptions: {
      executablePath: browser.executablePath,
      env: browser.env,
      args: browser.args,
      slowMo: Number(process.env.TEST_SLOW_MO ?? 0),
    },
  },
})
