import { placeholders, prepared, type Tx } from '@community/db'
import { knownDevices } from '@community/db/schema'
import { sql } from 'drizzle-orm'
import type { Device } from './device.ts'

const upsertDevice = prepared('auth.remember-device', (db) =>
  db
    .insert(knownDevices)
    .values(placeholders(['userId', 'browser', 'system']))
    .onConflictDoUpdate({
      target: [knownDevices.userId, knownDevices.browser, knownDevices.system],
      set: { lastSeenAt: sql`now()` },
    })
    // A row that this statement made has no older version that it locked.
    .returning({ isNew: sql<boolean>`xmax = 0` }),
)
/** Remembers that an account signed in from a device; true when it never did before. Of many at once one is the first. */
export async function rememberDevice(tx: Tx, userId: string, { browser, system }: Device): Promise<boolean> {
  const [row] = await upsertDevice(tx, { userId, browser: browser ?? '', system: system ?? '' })
  return row?.isNew === true
}
