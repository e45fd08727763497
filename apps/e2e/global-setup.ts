import { startServer } from '@community/testing/server'

/** One server for all journeys; each makes people and teams of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await startServer({ TRUST_PROXY: 'loopback' })
  process.env.E2E_URL = server.url
  process.env.E2E_INBOX_URL = server.inboxUrl
  return async () => {
    const code = await server.stop()
    if (code !== 0) throw new Error(`The server ended with ${code}`)
  }
}
