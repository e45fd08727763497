import { limits } from '@community/contract'
import type { Deps } from '../../context.ts'
import { removeAllObjects } from '../../uploads/remove-objects.ts'
import { findImport } from './queries.ts'

/** Deletes parts that a crash has left without their import. Spares new ones: a part is stored before its row says so. */
export async function deleteUntrackedParts(deps: Pick<Deps, 'db' | 'storage' | 'log'>, now: Date): Promise<number> {
  const current = await findImport(deps.db)
  const keys: string[] = []
  for await (const { key, modifiedAt } of deps.storage.list('imports/'))
    if (key.split('/')[1] !== current?.id && now.getTime() - modifiedAt.getTime() > limits.DAY * 1000) keys.push(key)
  await removeAllObjects(deps, keys)
  return keys.length
}
