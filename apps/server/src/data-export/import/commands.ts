import type { ImportFault } from '@community/contract'
import { onlyRow, type Tx } from '@community/db'
import { archiveImports } from '@community/db/schema'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { ImportRow } from './queries.ts'

const { status } = archiveImports
/** The import waits for a worker or is run by one. */
const activeCondition = sql<boolean>`${status} in ('waiting', 'running')`

/** Locks the import. Lock the acting administrator first. */
export async function lockImport(tx: Tx): Promise<(ImportRow & { isActive: boolean }) | undefined> {
  const [row] = await tx
    .select({ ...getTableColumns(archiveImports), isActive: activeCondition })
    .from(archiveImports)
    .for('update')
  return row
}

export async function deleteImport(tx: Tx, id: string): Promise<void> {
  await tx.delete(archiveImports).where(eq(archiveImports.id, id))
}

export async function insertImport(tx: Tx, values: Pick<ImportRow, 'fileName' | 'size'>): Promise<ImportRow> {
  return onlyRow(await tx.insert(archiveImports).values(values).returning())
}

const updatedNow = { updatedAt: sql`now()` }

/** Records that a part is stored; the last one makes the import wait for a worker. */
export async function setParts(tx: Tx, { id }: Pick<ImportRow, 'id'>, parts: number, isLast: boolean) {
  const rows = await tx
    .update(archiveImports)
    .set({ parts, ...(isLast && { status: 'waiting' as const }), ...updatedNow })
    .where(eq(archiveImports.id, id))
    .returning()
  return onlyRow(rows)
}

const activeOf = (id: string) => and(eq(archiveImports.id, id), activeCondition)

const withoutFault = { fault: null, faultDetails: null }

/** Returns false if the import was cancelled. */
export async function setProgress(tx: Tx, id: string, progress: Pick<ImportRow, 'done' | 'total'>): Promise<boolean> {
  const set = { ...progress, status: 'running' as const, ...withoutFault, ...updatedNow }
  return (await tx.update(archiveImports).set(set).where(activeOf(id))).count === 1
}

/** Call it in the transaction that inserts the rows, so that both commit together. Returns false if the import was cancelled. */
export async function setDone(tx: Tx, id: string, total: number): Promise<boolean> {
  const set = { done: total, total, status: 'done' as const, ...withoutFault, ...updatedNow }
  return (await tx.update(archiveImports).set(set).where(activeOf(id))).count === 1
}

/** Stores why the import failed or waits. Does nothing if it was cancelled. */
export async function setFault(
  tx: Tx,
  id: string,
  outcome: { status: 'failed' | 'waiting'; fault: ImportFault; faultDetails: string },
): Promise<void> {
  await tx
    .update(archiveImports)
    .set({ ...outcome, ...updatedNow })
    .where(activeOf(id))
}
