import type { Webhook } from '@community/contract'

/** What the webhook screen shows. */
export type View =
  | { name: 'list' }
  /** Null for a new webhook. */
  | { name: 'form'; webhook: Webhook | null }
  | { name: 'secret'; secret: string }
  | { name: 'deliveries'; webhook: Webhook }
