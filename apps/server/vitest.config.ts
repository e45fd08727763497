import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// The default of a poll, 1 s, is too short on a busy machine.
const timeouts = { testTimeout: 30_000, hookTimeout: 30_000, expect: { poll: { timeout: 10_000 } } }
/** These mock a module: other files in their process would get the mock. */
const MOCKING = ['src/auth/codes.test.ts']

export default defineConfig({
  test: {
    globalSetup: [fileURLToPath(import.meta.resolve('@community/testing/database/setup'))],
    // More than cores: with two, a seventh of the time both waited for a process, a timer or the disk.
    maxWorkers: 3,
    projects: [
      // Each process imports the server once, not once per file: a third of the suite's time.
      {
        test: { ...timeouts, name: 'server', include: ['{src,test}/**/*.test.ts'], exclude: MOCKING, isolate: false },
      },
      { test: { ...timeouts, name: 'mocking', include: MOCKING } },
    ],
  },
})
