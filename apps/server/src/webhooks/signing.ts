import { createHmac, randomBytes } from 'node:crypto'
import type { WebhookRow } from './queries.ts'

const PREFIX = 'whsec_'

export const createSigningSecret = (): string => PREFIX + randomBytes(24).toString('base64')

type FormerSecrets = Pick<WebhookRow, 'previousSecret' | 'previousSecretUntil' | 'olderSecrets'>

/** The replaced secrets, sealed, that still sign messages: the newest first. */
export function formerSecrets({ previousSecret, previousSecretUntil, olderSecrets }: FormerSecrets) {
  const previous =
    previousSecret && previousSecretUntil ? [{ secret: previousSecret, until: previousSecretUntil.toISOString() }] : []
  return [...previous, ...(olderSecrets ?? [])].filter(({ until }) => new Date(until) > new Date())
}

interface Message {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The headers of Standard Webhooks 1.0 (standardwebhooks.com): one signature per secret. */
export function signatureHeaders({ id, timestamp, body }: Message, secrets: string[]): Record<string, string> {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}
