import { z } from 'zod'
import {
  adminEventsOnly,
  adminsOnly,
  chefOnly,
  deliveryMissing,
  teamMissing,
  tooManyRequests,
  tooManyWebhooks,
  webhookAddressPrivate,
  webhookMissing,
} from '../error-catalogue.ts'
import {
  DAY,
  HOUR,
  WEBHOOK_DELIVERY_TTL,
  WEBHOOK_SECRET_OVERLAP,
  WEBHOOK_SECRETS_MAX,
  WEBHOOK_SENDS_PER_HOUR,
  WEBHOOKS_MAX,
} from '../limits.ts'
import { optionalAdminPasswordErrors } from '../optional-admin-password.ts'
import { CursorPagination, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import {
  CreateWebhookInput,
  DeliveryListInput,
  RedeliverInput,
  Secret,
  UpdateWebhookInput,
  Webhook,
  WebhookDelivery,
  WebhookListInput,
  WebhookInput,
} from './schemas.ts'

const errors = { webhookMissing, ...optionalAdminPasswordErrors }
const SCOPE = 'For the community’s webhooks, a personal access token needs the scope `admin` too.'
const SENDS = `Pings and redeliveries: at most ${WEBHOOK_SENDS_PER_HOUR} an hour of all webhooks of a team, and of the community.`

/** Signed messages about events, to the teams’ chefs and the administrators; not in the specification. */
export const webhooks = {
  list: route('GET /webhooks', {
    access: 'member',
    beyondSpecification: true,
    summary: 'The webhooks of the teams whose chef the caller is; for administrators, the community’s',
    description: `Oldest first. There are at most ${WEBHOOKS_MAX} of each team, and of the community. ${SCOPE}`,
    input: WebhookListInput,
    output: z.object({ webhooks: z.array(Webhook), pagination: CursorPagination }),
  }),
  create: route('POST /webhooks', {
    access: 'member',
    audits: 'webhook',
    beyondSpecification: true,
    summary: 'Send events of a team, or as administrator of the whole community, to a URL',
    description: `At most ${WEBHOOKS_MAX} of a team, and of the community. The response has the signing secret. ${SCOPE}`,
    creates: true,
    // A stored response would contain the secret.
    idempotent: false,
    hashesPassword: true,
    input: CreateWebhookInput,
    output: z.object({ webhook: Webhook, secret: Secret }),
    successMessage: 'Webhook created',
    errors: {
      ...optionalAdminPasswordErrors,
      teamMissing,
      chefOnly,
      adminsOnly,
      adminEventsOnly,
      webhookAddressPrivate,
      tooManyWebhooks,
    },
  }),
  update: route('PUT /webhooks/{id}', {
    access: 'member',
    audits: 'webhook',
    beyondSpecification: true,
    summary: 'Change a webhook’s URL or events, pause or resume it; omitted fields keep their value',
    description: `A new URL, and resuming, clear the failures. ${SCOPE}`,
    hashesPassword: true,
    input: UpdateWebhookInput,
    output: z.object({ webhook: Webhook }),
    successMessage: 'Webhook updated',
    errors: { ...errors, adminEventsOnly, webhookAddressPrivate },
  }),
  remove: route('DELETE /webhooks/{id}', {
    access: 'member',
    audits: 'webhook',
    beyondSpecification: true,
    summary: 'Delete a webhook with its deliveries',
    description: `Those that are still to be sent are not sent. ${SCOPE}`,
    hashesPassword: true,
    input: WebhookInput,
    successMessage: 'Webhook deleted',
    errors,
  }),
  rotateSecret: route('POST /webhooks/{id}/secret', {
    access: 'member',
    audits: 'webhook',
    beyondSpecification: true,
    summary: `Replace the signing secret; for ${WEBHOOK_SECRET_OVERLAP / HOUR} hours, messages are signed with both`,
    description: `Also with those replaced within the ${WEBHOOK_SECRET_OVERLAP / HOUR} hours before: with the ${WEBHOOK_SECRETS_MAX} newest secrets at most. ${SCOPE}`,
    hashesPassword: true,
    input: WebhookInput,
    output: z.object({ webhook: Webhook, secret: Secret }),
    successMessage: 'Secret replaced',
    errors,
  }),
  ping: route('POST /webhooks/{id}/ping', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Send the event `ping` once, to try the receiver',
    description: `${SENDS} ${SCOPE}`,
    hashesPassword: true,
    input: WebhookInput,
    output: z.object({ delivery: WebhookDelivery }),
    successMessage: 'Ping queued',
    errors: { ...errors, tooManyRequests },
  }),
  deliveries: route('GET /webhooks/{id}/deliveries', {
    access: 'member',
    beyondSpecification: true,
    summary: `What was sent in the last ${WEBHOOK_DELIVERY_TTL / DAY} days, newest first`,
    description: `With the body of each and why its last attempt failed. ${SCOPE}`,
    input: DeliveryListInput,
    output: z.object({ deliveries: z.array(WebhookDelivery), pagination: Pagination }),
    errors: { webhookMissing },
  }),
  redeliver: route('POST /webhooks/{id}/deliveries/{deliveryId}/redeliver', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Send a delivery again, under the same message id',
    description: `${SENDS} ${SCOPE}`,
    hashesPassword: true,
    input: RedeliverInput,
    output: z.object({ delivery: WebhookDelivery }),
    successMessage: 'Delivery queued',
    errors: { ...errors, deliveryMissing, tooManyRequests },
  }),
}
