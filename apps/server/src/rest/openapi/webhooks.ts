import { limits, Timestamp, WEBHOOK_EVENTS, type WebhookEventName } from '@community/contract'
import { z } from 'zod'
import { signatureHeaders } from '../../webhooks/signing.ts'
import { type JsonSchema, openSchema } from './schemas.ts'
import examples from './webhook-examples.json' with { type: 'json' }

type MessageType = WebhookEventName | 'ping'
const MESSAGES: Record<MessageType, z.ZodObject> = { ...WEBHOOK_EVENTS, ping: z.object({}) }
/** Made by test/openapi-webhooks.test.ts from messages of a server. */
const EXAMPLES: Partial<Record<MessageType, { timestamp: string }>> = examples
/** Of a new event, until that test has written its example. */
const PLACEHOLDER_EXAMPLE = { timestamp: '2026-11-21T10:00:00.000Z' }

const DESCRIPTIONS: Record<MessageType, string> = {
  'team.created': 'A member created a team. For administrators only.',
  'team.member.joined': 'Somebody joined a team.',
  'team.member.left': 'Somebody left a team, was removed or closed their account.',
  'challenge.published': 'A challenge opened for applications.',
  'challenge.closed': 'A deadline passed (within a minute), or an administrator deactivated or deleted the challenge.',
  'submission.created': 'A team submitted work.',
  'submission.approved': 'An administrator approved work.',
  'submission.rejected': 'An administrator rejected work.',
  'submission.reset': 'Work is pending again: its evaluation was reset, or the team resubmitted rejected work.',
  'user.banned': 'An account was banned. For administrators only.',
  ping: 'Sent once by `POST /webhooks/{id}/ping`.',
}

const HEADERS: Record<string, string> = {
  'webhook-id': 'The same at every attempt: ignore one that you have processed',
  'webhook-timestamp': 'When this attempt was made, in seconds since 1970',
  'webhook-signature':
    'Signatures by [Standard Webhooks](https://www.standardwebhooks.com), separated by spaces: `v1,` and the base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, with the body as received. The key is the base64 after `whsec_` in the secret. One signature must match',
}
/** The secret in the examples of `POST /webhooks`. */
export const EXAMPLE_SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

/** `onTeamMemberJoined` for `team.member.joined`. */
const operationIdOf = (type: string) => `on.${type}`.replace(/\.(\w)/g, (_all, letter: string) => letter.toUpperCase())

function headerParameters(example: { timestamp: string }) {
  const message = { id: '0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11', timestamp: Date.parse(example.timestamp) / 1000 }
  const values = signatureHeaders({ ...message, body: JSON.stringify(example) }, [EXAMPLE_SECRET])
  return Object.entries(HEADERS).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
    example: values[name],
  }))
}

function messageSchema(type: MessageType): JsonSchema {
  const timestamp = Timestamp.describe('When the event happened')
  const message = z.object({ type: z.literal(type), timestamp, data: MESSAGES[type] })
  const { $schema: _dialect, $defs: _components, ...schema } = z.toJSONSchema(message)
  openSchema(schema)
  return JSON.parse(JSON.stringify(schema).replaceAll('#/$defs/', '#/components/schemas/')) as JsonSchema
}

const operationOf = (type: MessageType) => ({
  operationId: operationIdOf(type),
  tags: ['webhooks'],
  summary: `Receive ${type}`,
  description: DESCRIPTIONS[type],
  // The signature authenticates the sender.
  security: [],
  parameters: headerParameters(EXAMPLES[type] ?? PLACEHOLDER_EXAMPLE),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: messageSchema(type), example: EXAMPLES[type] ?? PLACEHOLDER_EXAMPLE } },
  },
  responses: {
    '2XX': { description: 'Received: the message is not sent again' },
    410: { description: 'Gone: the webhook is paused' },
    default: {
      description:
        type === 'ping'
          ? 'Recorded in the deliveries'
          : `Not received: the message is sent again, at most ${limits.WEBHOOK_RETRY_DELAYS.length} times in a day`,
    },
  },
})

/** The `webhooks` of the document: what the server sends to subscribers. */
export const webhookOperations = (): Record<string, object> =>
  Object.fromEntries(Object.keys(MESSAGES).map((type) => [type, { post: operationOf(type as MessageType) }]))
