import { defineError } from './define-error.ts'

export const webhookMissing = defineError(404, 'WEBHOOK_MISSING', 'Webhook not found')
export const deliveryMissing = defineError(404, 'DELIVERY_MISSING', 'Delivery not found')
export const tooManyWebhooks = defineError(
  409,
  'TOO_MANY_WEBHOOKS',
  'The limit of webhooks is reached. Delete one to create another.',
)
export const adminEventsOnly = defineError(403, 'ADMIN_EVENTS_ONLY', 'Only administrators can receive this event', {
  path: 'events',
})
export const webhookAddressPrivate = defineError(400, 'WEBHOOK_ADDRESS_PRIVATE', 'Use a public https URL', {
  path: 'url',
})
