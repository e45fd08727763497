import { VAPID_KEYS } from '@community/testing'
import { type BrowserContext, test as base } from '@playwright/test'
import { ADMIN, type RunningServer, startStandaloneServer } from '@community/testing/server'
import { sendRequest, signInAt } from './api.ts'
import { setSite } from './site.ts'

interface Servers {
  /** The default server: journeys may change its data. Teams and challenges are deleted after each. */
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

interface Options {
  /** For a file whose tests share teams or challenges: they stay until the next file's first test has ended. */
  keepsContent: boolean
}

/** Deletes all teams and challenges: with those of earlier tests, each page would have six times as many elements. */
async function deleteContent(server: RunningServer): Promise<void> {
  const { token } = await signInAt(server, ADMIN)
  for (const kind of ['teams', 'challenges'] as const) {
    const list = await sendRequest<Record<string, { id: string }[]>>(server, `GET /${kind}?limit=100`, token)
    for (const { id } of list[kind] ?? [])
      await sendRequest(server, `DELETE /admin/${kind}/${id}`, token, { password: ADMIN.password })
  }
}

/** Closes a browser context without its route handlers: one that still waits for a response would throw, and fail the test. */
export async function closeContext(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })))
  await context.close()
}

/** Each worker has its own servers and databases, so that journeys running in parallel do not affect each other. */
export const test = base.extend<Options & { cleanUp: undefined }, Servers>({
  keepsContent: [false, { option: true }],
  site: [
    async ({}, use) =>
      withServer({ TRUST_PROXY: 'loopback', WEBHOOKS_TO_PRIVATE_ADDRESSES: '1', ...VAPID_KEYS }, [], (server) => {
        setSite(server)
        return use(server)
      }),
    { scope: 'worker', auto: true },
  ],
  demo: [async ({}, use) => withServer({}, ['demo'], use), { scope: 'worker' }],
  // A page left open would keep sending requests and rendering during later tests.
  cleanUp: [
    async ({ browser, site, keepsContent }, use) => {
      await use(undefined)
      await Promise.all(browser.contexts().map(closeContext))
      if (!keepsContent) await deleteContent(site)
    },
    { auto: true },
  ],
})
