import type { Db, Reader } from '@community/db'
import { settings } from '@community/db/schema'
import { sql } from 'drizzle-orm'

const fingerprintCondition = (fingerprint: string) =>
  sql<boolean>`coalesce(${settings.secretFingerprint} = ${fingerprint}, true)`

/** True if the database has this fingerprint, or none. */
export async function compareFingerprint(db: Reader, fingerprint: string): Promise<boolean> {
  const [row] = await db.select({ isOurs: fingerprintCondition(fingerprint) }).from(settings)
  return row?.isOurs === true
}

/** Stores the fingerprint if there is none, and compares. One statement: of several servers that start at once the first decides. */
export async function claimFingerprint(db: Db, fingerprint: string): Promise<boolean> {
  const [row] = await db
    .update(settings)
    .set({ secretFingerprint: sql`coalesce(${settings.secretFingerprint}, ${fingerprint})` })
    .returning({ isOurs: fingerprintCondition(fingerprint) })
  return row?.isOurs === true
}
