import { ADMIN_EVENTS, appErrors, type WebhookEventName } from '@community/contract'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { addressInUrl, isPublicAddress } from './public-address.ts'

/** Whether a webhook may have this URL. Host names are resolved and checked at each attempt. */
export function isUrlAllowed(url: string, { webhooks }: Config): boolean {
  if (webhooks.isPrivateAllowed) return true
  const target = new URL(url)
  const address = addressInUrl(target)
  return target.protocol === 'https:' && (address === undefined || isPublicAddress(address))
}

export function assertUrlAllowed(url: string, config: Config): void {
  if (!isUrlAllowed(url, config)) throw new AppError(appErrors.webhookAddressPrivate)
}

export function assertEventsAllowed(teamId: string | null, events: WebhookEventName[]): void {
  if (teamId !== null && events.some((event) => ADMIN_EVENTS.includes(event)))
    throw new AppError(appErrors.adminEventsOnly)
}
