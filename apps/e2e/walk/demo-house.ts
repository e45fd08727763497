import { ADMIN, startServer } from '@community/testing/server'
import type { House } from './scene.ts'

/** The built product with the demo's data, on a port and in a folder of its own. */
export async function demoHouse(): Promise<House & { stop: () => Promise<unknown> }> {
  const { url, inboxUrl, stop } = await startServer({}, ['demo'])
  return { url, inboxUrl, stop, admin: { email: ADMIN.email, password: ADMIN.password } }
}
