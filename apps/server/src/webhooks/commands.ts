import { limits } from '@community/contract'
import { lockAdvisory, onlyRow, prepared, type Tx } from '@community/db'
import { teamMembers, webhooks } from '@community/db/schema'
import { and, eq, sql } from 'drizzle-orm'
import { inSeconds } from '../jobs/queue.ts'
import { type Manager, selectManagedWebhook, type WebhookRow } from './queries.ts'
import { formerSecrets } from './signing.ts'

/** Locks a webhook that the caller manages; undefined if there is none with this id. */
export async function lockManagedWebhook(tx: Tx, manager: Manager, id: string): Promise<WebhookRow | undefined> {
  const [row] = await selectManagedWebhook(tx, manager, id).for('no key update', { of: webhooks })
  return row
}

/** Serializes the creation of the community’s webhooks, which have no row in common. */
export const lockCommunityWebhooks = (tx: Tx): Promise<void> => lockAdvisory(tx, 'communityWebhooks')

export async function insertWebhook(
  tx: Tx,
  webhook: Pick<WebhookRow, 'teamId' | 'url' | 'events' | 'secret' | 'createdBy'>,
): Promise<WebhookRow> {
  return onlyRow(await tx.insert(webhooks).values(webhook).returning())
}

interface WebhookChange {
  url?: WebhookRow['url'] | undefined
  events?: WebhookRow['events'] | undefined
  isActive?: boolean | undefined
}

/** Updates a locked webhook; omitted fields keep their value. Resuming one, and a new URL, clear its failures. */
export async function updateWebhookRow(
  tx: Tx,
  { id, url: currentUrl }: WebhookRow,
  { url, events, isActive }: WebhookChange,
  changedBy: string,
): Promise<WebhookRow> {
  const isNewUrl = url !== undefined && url !== currentUrl
  const rows = await tx
    .update(webhooks)
    .set({
      url,
      events,
      isActive,
      // The account that set the URL becomes the creator, so that only its data export contains the URL.
      ...(isNewUrl && { createdBy: changedBy }),
      ...((isActive || isNewUrl) && { failingSince: null }),
      updatedAt: sql`now()`,
    })
    .where(eq(webhooks.id, id))
    .returning()
  return onlyRow(rows)
}

/** Replaces the sealed secret of a locked webhook; the old one stays valid for a day, as do those replaced before it. */
export async function replaceWebhookSecret(tx: Tx, webhook: WebhookRow, secret: string): Promise<WebhookRow> {
  const rows = await tx
    .update(webhooks)
    .set({
      secret,
      previousSecret: webhook.secret,
      previousSecretUntil: inSeconds(limits.WEBHOOK_SECRET_OVERLAP),
      // Besides the new and the previous secret.
      olderSecrets: formerSecrets(webhook).slice(0, limits.WEBHOOK_SECRETS_MAX - 2),
      updatedAt: sql`now()`,
    })
    .where(eq(webhooks.id, webhook.id))
    .returning()
  return onlyRow(rows)
}

export async function deleteWebhook(tx: Tx, id: string): Promise<void> {
  await tx.delete(webhooks).where(eq(webhooks.id, id))
}

const pause = prepared('webhooks.pause', (db) =>
  db
    .update(webhooks)
    .set({ isActive: false, updatedAt: sql`now()` })
    .where(
      and(
        eq(webhooks.createdBy, sql.placeholder('createdBy')),
        // Not in teams that the creator has left, where a new chef may have resumed the webhook.
        sql`case when ${sql.placeholder('teamId')}::uuid is null
          then ${webhooks.teamId} is null or exists (select from ${teamMembers}
            where ${teamMembers.teamId} = ${webhooks.teamId} and ${teamMembers.userId} = ${webhooks.createdBy})
          else ${webhooks.teamId} = ${sql.placeholder('teamId')}::uuid end`,
        eq(webhooks.isActive, true),
      ),
    ),
)
/**
 * Pauses the active webhooks that a user created: those of the team `teamId`, or those of the community and of every team that the user is
 * still in. Called when the user leaves a team, is banned, changes role or is deleted. The team's chef or an administrator can resume them.
 */
export async function pauseWebhooksOf(tx: Tx, createdBy: string, teamId: string | null = null): Promise<void> {
  await pause(tx, { createdBy, teamId })
}
