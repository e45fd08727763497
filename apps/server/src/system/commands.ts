import type { Language, PageName } from '@community/contract'
import type { Tx } from '@community/db'
import { settings } from '@community/db/schema'
import { sql } from 'drizzle-orm'

/** Sets the text of a page in a language, or removes an empty one. */
export async function updatePage(tx: Tx, page: PageName, language: Language, markdown: string): Promise<void> {
  const [row] = await tx.select({ pages: settings.pages }).from(settings).for('update')
  const { [language]: _previous, ...others } = row?.pages[page] ?? {}
  const texts = markdown === '' ? others : { ...others, [language]: markdown }
  await tx.update(settings).set({ pages: { ...row?.pages, [page]: texts }, updatedAt: sql`now()` })
}

/** Returns the previous value. */
export async function updateTeamCreation(tx: Tx, enabled: boolean): Promise<boolean> {
  const [before] = await tx.select({ enabled: settings.teamCreationEnabled }).from(settings).for('update')
  await tx.update(settings).set({ teamCreationEnabled: enabled, updatedAt: sql`now()` })
  return before?.enabled ?? enabled
}
