import { z } from 'zod'
import { PUSH_ENDPOINT_LENGTH_MAX } from '../limits.ts'

export const PushState = z
  .object({
    publicKey: z
      .string()
      .nullable()
      .describe('The VAPID key for `PushManager.subscribe`; null while the product sends no push messages'),
    endpoint: z
      .string()
      .nullable()
      .describe('Where push messages for the device of this session are sent; null while none are'),
  })
  .meta({ id: 'PushState' })
export type PushState = z.output<typeof PushState>

const INVALID = 'This is not a push subscription'
/** Bytes in base64url; browsers may pad them. */
const bytes = (count: number) => {
  const length = Math.ceil((count * 4) / 3)
  return z.string(INVALID).regex(new RegExp(`^[A-Za-z0-9_-]{${length}}={0,2}$`), INVALID)
}

/** Push services have host names; a last label of digits would be an IP address. */
const ENDPOINT =
  /^https?:\/\/(?:[A-Za-z0-9-]{1,63}\.){0,9}[A-Za-z][A-Za-z0-9]{0,62}(?::(?:[1-5][0-9]{4}|6[0-4][0-9]{3}|[0-9]{1,4}))?\/[!-~]*$/

/** Fields of the browser’s `PushSubscription`. */
export const PushSubscriptionInput = z
  .object({
    endpoint: z
      .string(INVALID)
      .max(PUSH_ENDPOINT_LENGTH_MAX, INVALID)
      .regex(ENDPOINT, INVALID)
      .refine((address) => URL.canParse(address), INVALID)
      .describe('A public https address of the browser’s push service'),
    keys: z.strictObject({
      p256dh: bytes(65).describe('The browser’s public key, in base64url'),
      auth: bytes(16).describe('The browser’s secret, in base64url'),
    }),
  })
  .meta({
    example: {
      endpoint: 'https://push.example/send/dB4t1vN2',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
  })
export type PushSubscriptionInput = z.output<typeof PushSubscriptionInput>
