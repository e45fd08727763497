import { type Reader, prepared, type Tx } from '@community/db'
import { settings } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'

const NO_SETTINGS = 'the settings have no row: a migration inserts it'
/** There is one row. */
const ROW = { id: 1 }
const settingsById = prepared('settings', (db) =>
  db
    .select({
      teamCreationEnabled: settings.teamCreationEnabled,
      serverTime: sql`now()`.mapWith(settings.updatedAt).as('server_time'),
    })
    .from(settings)
    .where(eq(settings.id, sql.placeholder('id'))),
)

/** The one row of settings, and the database's clock: the one that judges deadlines. */
export async function findSettings(db: Reader): Promise<{ teamCreationEnabled: boolean; serverTime: Date }> {
  const [row] = await settingsById(db, ROW)
  if (!row) throw new Error(NO_SETTINGS)
  return row
}

/** What this community, its copies and its backups are told by. */
export async function communityId(db: Reader): Promise<string> {
  const [row] = await db.select({ id: settings.communityId }).from(settings)
  if (!row) throw new Error(NO_SETTINGS)
  return row.id
}

/** Answers what was set before. */
export async function updateTeamCreation(tx: Tx, enabled: boolean): Promise<boolean> {
  const [before] = await tx.select({ enabled: settings.teamCreationEnabled }).from(settings).for('update')
  await tx.update(settings).set({ teamCreationEnabled: enabled, updatedAt: sql`now()` })
  return before?.enabled ?? enabled
}
