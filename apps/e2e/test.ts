import { test as base } from '@playwright/test'
import { type RunningServer, startStandaloneServer } from '@community/testing/server'
import { setSite } from './site.ts'

interface Servers {
  /** The default server: empty at first, journeys may change its data. */
  site: RunningServer
  /** A server with demo data, for journeys that only read. */
  demo: RunningServer
}

async function withServer(
  settings: Record<string, string>,
  args: string[],
  use: (server: RunningServer) => Promise<void>,
) {
  const server = await startStandaloneServer(settings, args)
  await use(server)
  const exitCode = await server.stop()
  if (exitCode !== 0) throw new Error(`The server ended with ${exitCode}`)
}

/** Each worker has its own servers and databases, so that journeys running in parallel do not affect each other. */
export const test = base.extend<{ closeContexts: undefined }, Servers>({
  site: [
    async ({}, use) =>
      withServer({ TRUST_PROXY: 'loopback', WEBHOOKS_TO_PRIVATE_ADDRESSES: '1' }, [], (server) => {
        setSite(server)
        return use(server)
      }),
    { scope: 'worker', auto: true },
  ],
  demo: [async ({}, use) => withServer({}, ['demo'], use), { scope: 'worker' }],
  // A page left open would keep sending requests and rendering during later tests.
  closeContexts: [
    async ({ browser }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
})
