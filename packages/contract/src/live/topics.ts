import { z } from 'zod'
import type { Access } from '../route.ts'
import { NOTIFICATION_KIND_NAMES } from '../notifications/kinds.ts'

interface Topic {
  /** The recipients. */
  access: Access
  /** For the OpenAPI document. */
  description: string
  /** Ids only, none on public topics: clients fetch the rest with their own rights. */
  data: z.ZodObject
}
const defineTopic = <T extends Topic>(topic: T): T => topic
const NoData = z.object({})

/** The topics of the live stream; each is also the name of its events. */
export const LIVE_TOPICS = {
  notifications: defineTopic({
    access: 'member',
    description: 'The caller got a notification',
    data: z.object({ id: z.uuid(), kind: z.enum(NOTIFICATION_KIND_NAMES) }),
  }),
  team: defineTopic({
    access: 'member',
    description: 'One of the caller’s teams changed: its members, its work or a verdict',
    data: z.object({ teamId: z.uuid() }),
  }),
  submissions: defineTopic({
    access: 'admin',
    description: 'Work was submitted, evaluated or deleted',
    data: NoData,
  }),
  teams: defineTopic({ access: 'visitor', description: 'The list of teams changed, such as a seat', data: NoData }),
  leaderboard: defineTopic({
    access: 'visitor',
    description: 'Ranks, points or community works changed',
    data: NoData,
  }),
  challenges: defineTopic({
    access: 'visitor',
    description: 'The list of challenges changed, or a deadline has passed',
    data: NoData,
  }),
}
export type LiveTopic = keyof typeof LIVE_TOPICS
export type LiveData<T extends LiveTopic> = z.output<(typeof LIVE_TOPICS)[T]['data']>
export const LIVE_TOPIC_NAMES = Object.keys(LIVE_TOPICS) as [LiveTopic, ...LiveTopic[]]

/** Events about the stream itself. */
export const STREAM_EVENTS = {
  ready: 'The stream is open; what happens from now on is reported',
  reset: 'Notifications were missed that are not repeated: fetch everything again',
  end: 'The server ends the stream: connect again after `retry` milliseconds',
} as const
export type StreamEvent = keyof typeof STREAM_EVENTS

/** Seconds between two comment lines that keep the connection open. */
export const HEARTBEAT_SECONDS = 20

export const LiveInput = z.object({
  topics: z
    .string()
    .transform((names) => names.split(','))
    .pipe(z.array(z.enum(LIVE_TOPIC_NAMES)))
    .optional()
    .describe('Separated by commas; all that the caller may follow if omitted'),
})
