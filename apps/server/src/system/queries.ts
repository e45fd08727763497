import { type Reader, prepared } from '@community/db'
import { settings } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'

const NO_SETTINGS = 'the settings row is missing: a migration inserts it'
/** The table has exactly one row. */
const SETTINGS_ROW = { id: 1 }
const settingsById = prepared('settings.all', (db) =>
  db
    .select({
      teamCreationEnabled: settings.teamCreationEnabled,
      serverTime: sql`now()`.mapWith(settings.updatedAt).as('server_time'),
    })
    .from(settings)
    .where(eq(settings.id, sql.placeholder('id'))),
)

/** The settings and the database's current time, which decides deadlines. */
export async function findSettings(db: Reader): Promise<{ teamCreationEnabled: boolean; serverTime: Date }> {
  const [row] = await settingsById(db, SETTINGS_ROW)
  if (!row) throw new Error(NO_SETTINGS)
  return row
}

/** The id of this installation's data, the same in every copy and backup. */
export async function findCommunityId(db: Reader): Promise<string> {
  const [row] = await db.select({ id: settings.communityId }).from(settings)
  if (!row) throw new Error(NO_SETTINGS)
  return row.id
}

const pagesById = prepared('settings.pages', (db) =>
  db
    .select({ pages: settings.pages })
    .from(settings)
    .where(eq(settings.id, sql.placeholder('id'))),
)
/** The administrators' texts of the public pages. */
export const findPages = async (db: Reader) => (await pagesById(db, SETTINGS_ROW))[0]?.pages ?? {}
