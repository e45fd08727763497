import type { Tx } from '@community/db'
import { webhooks } from '@community/db/schema'
import { eq, sql } from 'drizzle-orm'

/** Pauses the webhooks that a person created and may no longer manage; their successors can resume them. */
export async function pauseWebhooksOf(tx: Tx, createdBy: string): Promise<void> {
  await tx.update(webhooks).set({ isActive: false, updatedAt: sql`now()` }).where(eq(webhooks.createdBy, createdBy))
}
