import type { ImportFault } from '@community/contract'
import type { Tx } from '@community/db'
import { archiveImports } from '@community/db/schema'
import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { ImportRow } from './queries.ts'

const { status } = archiveImports
/** Waits for a worker or is run by one. */
const isActive = sql<boolean>`${status} in ('waiting', 'running')`

/** The import, locked; after the acting administrator. */
export async function lockImport(tx: Tx): Promise<(ImportRow & { isActive: boolean }) | undefined> {
  const [row] = await tx
    .select({ ...getTableColumns(archiveImports), isActive })
    .from(archiveImports)
    .for('update')
  return row
}

export async function deleteImport(tx: Tx, id: string): Promise<void> {
  await tx.delete(archiveImports).where(eq(archiveImports.id, id))
}

export async function insertImport(tx: Tx, values: Pick<ImportRow, 'fileName' | 'size'>): Promise<ImportRow> {
  const [row] = await tx.insert(archiveImports).values(values).returning()
  if (!row) throw new Error('an insert returned no row')
  return row
}

const touched = { updatedAt: sql`now()` }

/** Records that a part is stored; the last one makes the import wait for a worker. */
export async function setParts(tx: Tx, { id }: Pick<ImportRow, 'id'>, parts: number, isLast: boolean) {
  const [row] = await tx
    .update(archiveImports)
    .set({ parts, ...(isLast && { status: 'waiting' as const }), ...touched })
    .where(eq(archiveImports.id, id))
    .returning()
  if (!row) throw new Error('a locked import has disappeared')
  return row
}

const unfinished = (id: string) =>
  and(eq(archiveImports.id, id), inArray(archiveImports.status, ['waiting', 'running']))

/** False if the import was cancelled. */
export async function setProgress(tx: Tx, id: string, progress: Pick<ImportRow, 'done' | 'total'>): Promise<boolean> {
  const set = { ...progress, status: 'running' as const, ...touched }
  return (await tx.update(archiveImports).set(set).where(unfinished(id))).count === 1
}

/** In the transaction of the rows, so that an import is done exactly when they are there. False if it was cancelled. */
export async function setDone(tx: Tx, id: string, total: number): Promise<boolean> {
  const set = { done: total, total, status: 'done' as const, ...touched }
  return (await tx.update(archiveImports).set(set).where(unfinished(id))).count === 1
}

export async function setFailed(tx: Tx, id: string, fault: ImportFault, faultDetails: string): Promise<void> {
  await tx
    .update(archiveImports)
    .set({ status: 'failed', fault, faultDetails, ...touched })
    .where(unfinished(id))
}
