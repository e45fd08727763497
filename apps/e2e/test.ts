import { test as base } from '@playwright/test'
import { type RunningServer, startStandaloneServer } from '@community/testing/server'
import { useSite } from './site.ts'

interface Servers {
  /** The server that the journeys use. */
  site: RunningServer
  /** A server with the demo's data, for journeys that change nothing in it. */
  demo: RunningServer
}

async function serve(settings: Record<string, string>, args: string[], use: (server: RunningServer) => Promise<void>) {
  const server = await startStandaloneServer(settings, args)
  await use(server)
  const code = await server.stop()
  if (code !== 0) throw new Error(`The server ended with ${code}`)
}

/** Each worker has servers and databases of its own: no journey meets what another one does meanwhile. */
export const test = base.extend<{ contextsClosed: undefined }, Servers>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from the pattern.
    async ({}, use) =>
      serve({ TRUST_PROXY: 'loopback' }, [], (server) => {
        useSite(server)
        return use(server)
      }),
    { scope: 'worker', auto: true },
  ],
  // oxlint-disable-next-line no-empty-pattern
  demo: [async ({}, use) => serve({}, ['demo'], use), { scope: 'worker' }],
  // A page left open would go on asking and drawing beside the tests that come after.
  contextsClosed: [
    async ({ browser }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map((context) => context.close()))
    },
    { auto: true },
  ],
})
