import type { Audience as AudienceName } from '@community/contract'
import type { Tx } from '@community/db'
import { NIL_UUID } from '../database/nil-uuid.ts'
import { lockAnnouncement, recordBatch } from './announcement-commands.ts'
import { type Audience, notifyNextBatch } from './audience-commands.ts'
import type { NewNotification } from './commands.ts'

/** The kind of the jobs that publish announcements. */
export const ANNOUNCEMENT_JOB = 'announcement'

/** Returns an announcement’s audience. That of a deleted challenge is empty, because no team had applied to it. */
export const audienceOf = (name: AudienceName, challengeId: string | null): Audience =>
  name === 'challenge' ? { name: 'applicants', challengeId: challengeId ?? NIL_UUID } : { name }

/** Notifies the next people of an announcement. Resolves to the id to go on after, undefined at the end or when it was deleted. */
export async function publishNext(tx: Tx, id: string, after?: string): Promise<string | undefined> {
  const row = await lockAnnouncement(tx, id)
  if (!row || row.sentAt) return undefined
  const { title, challengeId } = row
  const about: NewNotification<'announcement'> = {
    kind: 'announcement',
    params: { announcementId: id, title, challengeId },
    challengeId,
    announcementId: id,
    actorId: row.createdBy,
    key: `announcement:${id}`,
  }
  const audience = audienceOf(row.audience, challengeId)
  const { last, added } = await notifyNextBatch(tx, audience, about, { after })
  await recordBatch(tx, id, { added, isLast: last === undefined })
  return last
}
