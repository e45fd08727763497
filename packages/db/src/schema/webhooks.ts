import type { DELIVERY_STATUSES, WebhookEventName } from '@community/contract'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, timestamptz, users } from './accounts.ts'
import { teams } from './teams.ts'

/** A secret that was replaced. */
export interface FormerSecret {
  /** Encrypted with APP_SECRET (`secret.seal`). */
  secret: string
  /** When messages are no longer signed with it, in ISO 8601. */
  until: string
}

export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** Null for a webhook of the community, which administrators manage. */
    teamId: uuid().references(() => teams.id, { onDelete: 'cascade' }),
    url: text().notNull(),
    events: text().array().$type<WebhookEventName[]>().notNull(),
    /** Encrypted with APP_SECRET (`secret.seal`). */
    secret: text().notNull(),
    /** Encrypted likewise. Messages are also signed with it until `previousSecretUntil`. */
    previousSecret: text(),
    previousSecretUntil: timestamptz(),
    /** Those before `previousSecret` that were replaced within the same day, the newest first. Version 0.3.0 knows only `previousSecret`. */
    olderSecrets: jsonb().$type<FormerSecret[]>(),
    isActive: boolean().notNull().default(true),
    /** The first failed attempt since the last success. */
    failingSince: timestamptz(),
    createdBy: uuid().references(() => users.id, { onDelete: 'set null' }),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [index('webhooks_team').on(t.teamId), index('webhooks_created_by').on(t.createdBy)],
)

/** A message to a webhook, written in the transaction of its event; the job with the same id sends it. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** The message id of Standard Webhooks: the same at every attempt. */
    id: uuid().primaryKey().defaultRandom(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    event: text().$type<WebhookEventName | 'ping'>().notNull(),
    body: text().notNull(),
    /** The account in the body: its deletion deletes the message. */
    userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** Unique per webhook, so that an event found by its time, such as a passed deadline, is sent once. */
    key: text(),
    status: text().$type<(typeof DELIVERY_STATUSES)[number]>().notNull().default('pending'),
    attempts: integer().notNull().default(0),
    responseStatus: integer(),
    error: text(),
    createdAt: createdAt(),
    deliveredAt: timestamptz(),
  },
  (t) => [
    unique('webhook_deliveries_key').on(t.webhookId, t.key),
    index('webhook_deliveries_newest').on(t.webhookId, t.createdAt.desc(), t.id),
    index('webhook_deliveries_created').on(t.createdAt),
    index('webhook_deliveries_user').on(t.userId).where(sql`${t.userId} is not null`),
  ],
)
