import { appErrors, type contract } from '@community/contract'
import { inTransaction, type Reader } from '@community/db'
import type { UseCase } from '../../context.ts'
import { audit } from '../../admin/audit.ts'
import { AppError } from '../../errors.ts'
import { removeObjects } from '../../uploads/remove-objects.ts'
import { lockAdmin } from '../../users/lock-user.ts'
import { ArchiveError } from '../archive/manifest.ts'
import { findSoleAdmin } from '../archive/admin-commands.ts'
import { deleteImport, insertImport, lockImport } from './commands.ts'
import { findImport, partKeys, viewImport } from './queries.ts'

/** Throws `ArchiveError` unless an administrator has the only account, and nothing else is stored. */
export async function assertProductEmpty(db: Reader): Promise<void> {
  // Loaded when needed, because it sorts the tables.
  const { assertEmpty } = await import('../archive/import-rows.ts')
  await assertEmpty(db, await findSoleAdmin(db))
}

export async function isProductEmpty(db: Reader): Promise<boolean> {
  try {
    await assertProductEmpty(db)
    return true
  } catch (error) {
    if (error instanceof ArchiveError) return false
    throw error
  }
}

export const getImport: UseCase<typeof contract.admin.archiveImport> = async ({ db }) => {
  const [row, isPossible] = await Promise.all([findImport(db), isProductEmpty(db)])
  return { isPossible, import: row ? viewImport(row) : null }
}

/** Starts an import, in place of an earlier one that is not running. The procedure has verified the admin password. */
export const startImport: UseCase<typeof contract.admin.startImport> = async (ctx, { fileName, size }) => {
  const { replaced, started } = await inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const previous = await lockImport(tx)
    if (previous?.isActive) throw new AppError(appErrors.importRunning)
    if (previous) await deleteImport(tx, previous.id)
    const row = await insertImport(tx, { fileName, size })
    await audit(tx, ctx, { action: 'admin.startImport', targetId: row.id, details: { name: fileName, size } })
    return { replaced: previous, started: row }
  })
  if (replaced) await removeObjects(ctx.deps, partKeys(replaced))
  return { import: viewImport(started) }
}

/** Also ends a running import: its worker finds no row and rolls back. */
export const cancelImport: UseCase<typeof contract.admin.cancelImport> = async (ctx, { id }) => {
  const row = await inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    const current = await lockImport(tx)
    if (current?.id !== id) throw new AppError(appErrors.importMissing)
    await deleteImport(tx, id)
    await audit(tx, ctx, { action: 'admin.cancelImport', targetId: id, details: { name: current.fileName } })
    return current
  })
  await removeObjects(ctx.deps, partKeys(row))
  return {}
}
