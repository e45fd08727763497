import { faults, type StoredFile } from '@community/contract'
import { inTransaction, isDatabaseAway, type Reader, type Tx } from '@community/db'
import type { MemberContext } from '../context.ts'
import { Refusal } from '../errors.ts'
import { StorageAway } from '../integrations/storage.ts'
import { lockJoiner } from '../teams/lock-joiner.ts'
import { fileAddress, newKey } from './file-address.ts'
import type { ReceivedFile } from './receive-file.ts'
import { findUsedToday, insertUpload, type UploadRow } from './store.ts'

export const UPLOADS_PER_DAY = 20
export const UPLOAD_BYTES_PER_DAY = 200 * 1024 ** 2

/** Refuses one file more than a day allows, with the seconds until there is room again. */
export async function refuseOverQuota(db: Reader, userId: string, bytes: number): Promise<void> {
  const used = await findUsedToday(db, userId)
  if (used.files < UPLOADS_PER_DAY && used.bytes + bytes <= UPLOAD_BYTES_PER_DAY) return
  throw new Refusal(faults.tooManyUploads, { cooldown: Math.max(1, used.freeIn) })
}

/**
 * Stores a received file for its uploader. The object comes before its row: a crash between them leaves an object that
 * nothing knows of, which is swept, and never a row without an object.
 */
export async function keepFile(ctx: MemberContext, file: ReceivedFile): Promise<{ file: StoredFile }> {
  const { deps, user } = ctx
  const row = { key: newKey(), originalName: file.originalName, size: file.size, mimeType: file.type }
  await storing(deps.storage.put(row.key, file.read(), { contentType: file.type, size: file.size }))
  try {
    const kept = await inTransaction(ctx.db, (tx) => insertWithinQuota(tx, user.id, row))
    return { file: storedFile(deps.env.appUrl, kept) }
  } catch (error) {
    // Whether a commit took effect is unknown when the database goes away: then the sweep decides.
    if (!isDatabaseAway(error)) await deps.storage.remove(row.key).catch(() => {})
    throw error
  }
}

/** Counted again under the uploader's lock: files sent side by side do not pass together. */
export async function insertWithinQuota(tx: Tx, userId: string, row: Omit<UploadRow, 'id'>): Promise<UploadRow> {
  await lockJoiner(tx, userId, 'no key update')
  await refuseOverQuota(tx, userId, row.size)
  return insertUpload(tx, row, userId)
}

/** A storage that is away is a refusal that passes. */
export async function storing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StorageAway) throw new Refusal(faults.unavailable, { cooldown: 5 })
    throw error
  }
}

/** A stored file as its uploader is answered. */
export const storedFile = (appUrl: string, row: UploadRow): StoredFile => ({
  id: row.id,
  secureUrl: fileAddress(appUrl, row),
  originalName: row.originalName,
  fileSize: row.size,
  mimeType: row.mimeType,
})
