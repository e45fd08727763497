import { test as base } from '@playwright/test'

/** Closes every window a test opened: left open, each goes on asking and drawing beside the tests that come after. */
export const test = base.extend<{ windowsClosed: undefined }>({
  windowsClosed: [
    async ({ browser }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
})
