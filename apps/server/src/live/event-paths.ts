import { appErrors, HEARTBEAT_SECONDS, limits, LIVE_TOPIC_NAMES, LIVE_TOPICS, STREAM_EVENTS } from '@community/contract'
import { z } from 'zod'
import { failureResponses, type OpenApiPaths } from '../rest/openapi/failures.ts'
import { headersOf } from '../rest/openapi/headers.ts'
import { EVENTS_PATH } from '../http/event-path.ts'
import { CURSOR_PATTERN } from './cursor.ts'

const { validation, notSignedIn, tokenExpired, adminsOnly, tokenScopeMissing, tooManyRequests, unavailable } = appErrors

const AUDIENCES = { visitor: 'everyone', member: 'signed-in users', admin: 'administrators' }

const topicLines = LIVE_TOPIC_NAMES.map((name) => {
  const { access, description, data } = LIVE_TOPICS[name]
  const fields = Object.keys(z.toJSONSchema(data).properties ?? {})
  return `- \`${name}\` (${AUDIENCES[access]}): ${description}. Data: ${fields.length > 0 ? `\`${fields.join('`, `')}\`` : 'none'}`
})
const streamEventLines = Object.entries(STREAM_EVENTS).map(([name, meaning]) => `- \`${name}\`: ${meaning}`)

const DESCRIPTION = `Server-Sent Events. An event names what changed: fetch it from the other endpoints. A comment line comes every ${HEARTBEAT_SECONDS} s: connect again if nothing has come for 45 s. The stream ends when the session or token becomes invalid, and after ${limits.ACCESS_TOKEN_TTL / limits.MINUTE} minutes at the latest. Events have an \`id\` for signed-in users. Connect again with the last one as \`Last-Event-ID\`: no notification is lost or repeated, or \`reset\` says that there were too many.

Topics:

${topicLines.join('\n')}

Events of the stream itself:

${streamEventLines.join('\n')}`

const EXAMPLE = `id: 128
event: ready
data: {}

id: 128+131
event: notifications
data: {"id":"0197a3c4-0c1e-7b3a-9d52-3f1f6f0c2a11","kind":"submission.approved"}

:

retry: 4000
event: end
data: {}

`

/** Not a procedure of the contract, because it responds with a stream. */
export const eventPaths: OpenApiPaths = {
  [EVENTS_PATH]: {
    get: {
      operationId: 'eventsStream',
      tags: ['events'],
      summary: 'Stream changes',
      description: DESCRIPTION,
      security: [{}, { bearer: [] }],
      parameters: [
        {
          name: 'topics',
          in: 'query',
          required: false,
          description: 'Comma-separated; by default all topics that the caller may follow',
          style: 'form',
          explode: false,
          schema: {
            type: 'array',
            items: { type: 'string', enum: LIVE_TOPIC_NAMES },
            minItems: 1,
            uniqueItems: true,
          },
        },
        {
          name: 'Last-Event-ID',
          in: 'header',
          required: false,
          description: 'The `id` of the last event received; a malformed value is ignored',
          schema: { type: 'string', pattern: CURSOR_PATTERN.source },
        },
      ],
      responses: {
        200: {
          description: 'The events',
          headers: headersOf('RateLimit-Policy', 'RateLimit'),
          content: {
            'text/event-stream': {
              schema: { type: 'string' },
              example: EXAMPLE,
            },
          },
        },
        ...failureResponses(
          { validation, notSignedIn, tokenExpired, adminsOnly, tokenScopeMissing, tooManyRequests, unavailable },
          { isRead: true },
        ),
      },
    },
  },
}
