import { defineConfig } from '@playwright/test'
import { findBrowser } from './browser.ts'

const browser = await findBrowser()
if (!process.env.TEST_WORKER_INDEX) process.stdout.write(`browser: ${browser.source}\n`)

export default defineConfig({
  testDir: 'tests',
  globalSetup: './global-setup.ts',
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Many and long, they belong to the full reliability run.
  grepInvert: process.env.E2E_FULL ? [] : /@full/,
  // Two browsers, their servers and databases share a machine: what it starves once is tried once more, and told as flaky.
  retries: 1,
  reporter: [['list']],
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    // A press that cannot be made ends the test with its name, not with the test's own time.
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    locale: 'en-GB',
    launchOptions: { executablePath: browser.executablePath, env: browser.env, args: browser.args },
  },
})
