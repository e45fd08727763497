import { z } from 'zod'
import { PAGE_SIZE, WEBHOOKS_MAX } from '../limits.ts'
import { webhookAddressPrivate } from '../errors/webhook-errors.ts'
import { linkSchema } from '../link-schema.ts'
import { OptionalAdminPassword } from '../optional-admin-password.ts'
import { Count, cursorPage, Id, ids, Page, Timestamp } from '../primitives.ts'
import { WEBHOOK_EVENT_NAMES } from './events.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const

const Event = z.enum(WEBHOOK_EVENT_NAMES, 'Unknown event')
const Events = z
  .array(Event)
  .min(1, 'Choose at least one event')
  .max(WEBHOOK_EVENT_NAMES.length, 'Choose each event only once')
  .refine((events) => new Set(events).size === events.length, 'Choose each event only once')
  .meta({ uniqueItems: true, example: ['submission.approved'] })
// The form's message is that of the server, which may refuse a valid URL.
const Url = linkSchema(webhookAddressPrivate.message)
  .describe('Where events are sent, by POST: https, or http where the server allows private addresses')
  .meta({ example: 'https://hooks.example.com/community' })

export const Webhook = z
  .object({
    ...ids,
    teamId: z
      .uuid()
      .nullable()
      .describe(
        'Null for a webhook of the community, which administrators manage; it receives its events of all teams',
      ),
    url: z.string(),
    events: z.array(Event),
    isActive: z.boolean(),
    failingSince: Timestamp.nullable().describe('The first failed attempt since the last success'),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.output<typeof Webhook>

export const WebhookDelivery = z
  .object({
    ...ids,
    event: z.union([Event, z.literal('ping')]),
    status: z.enum(DELIVERY_STATUSES),
    attempts: Count,
    responseStatus: Count.nullable().describe('The HTTP status of the last attempt; null without a response'),
    error: z.string().nullable().describe('Why the last attempt failed'),
    body: z.string().describe('The body as sent'),
    createdAt: Timestamp,
    deliveredAt: Timestamp.nullable(),
    nextAttemptAt: Timestamp.nullable().describe('When it is sent or sent again; null unless it is pending'),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.output<typeof WebhookDelivery>

export const WebhookInput = z.object({ id: Id, ...OptionalAdminPassword })
export const CreateWebhookInput = z.object({
  teamId: Id.optional().describe(`The chef’s team; omitted by administrators. At most ${WEBHOOKS_MAX} per owner`),
  url: Url,
  events: Events,
  ...OptionalAdminPassword,
})
export const UpdateWebhookInput = WebhookInput.extend({
  url: Url.optional(),
  events: Events.optional(),
  isActive: z.boolean().optional().describe('True resumes a webhook that was paused, also after failures'),
})
export const WebhookListInput = z.object({
  ...cursorPage(PAGE_SIZE.max),
  teamId: Id.optional().describe(`Only those of this team: at most ${WEBHOOKS_MAX}`),
})
export const DeliveryListInput = z.object({ id: Id, ...Page })
export const RedeliverInput = WebhookInput.extend({ deliveryId: Id })

export const Secret = z
  .string()
  .describe('The signing secret, shown only now')
  .meta({ example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' })
