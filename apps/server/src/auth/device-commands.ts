import { placeholders, prepared, type Tx } from '@community/db'
import { knownDevices } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import type { UserAgentFamilies } from './device.ts'

const upsertDevice = prepared('auth.remember-device', (db) =>
  db
    .insert(knownDevices)
    .values(placeholders(['userId', 'browser', 'system']))
    .onConflictDoUpdate({
      target: [knownDevices.userId, knownDevices.browser, knownDevices.system],
      set: { lastSeenAt: sql`now()` },
    })
    // `xmax` is 0 for a row that this statement inserted rather than updated.
    .returning({ isNew: sql<boolean>`xmax = 0` }),
)
/** Records the device of a sign-in. True on the first sign-in from it, for exactly one of several concurrent ones. */
export async function rememberDevice(tx: Tx, userId: string, { browser, system }: UserAgentFamilies): Promise<boolean> {
  const [row] = await upsertDevice(tx, { userId, browser: browser ?? '', system: system ?? '' })
  return row?.isNew === true
}
