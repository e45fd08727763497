import { z } from 'zod'
import { SubmissionStatus } from '../submissions/schemas.ts'
import { Count, Timestamp } from '../primitives.ts'

const Ref = z.object({ id: z.uuid(), name: z.string() })
const Membership = z.object({ team: Ref, userId: z.uuid().nullable().describe('Null if the account was deleted') })
const ChallengeEvent = z.object({ challenge: z.object({ id: z.uuid(), title: z.string(), deadline: Timestamp }) })
const SubmissionEvent = z.object({
  submission: z.object({
    id: z.uuid(),
    teamId: z.uuid(),
    challengeId: z.uuid(),
    status: SubmissionStatus,
    score: Count.nullable(),
    points: Count.nullable(),
  }),
})

/** The events that webhooks receive, with the schema of their `data`. */
export const WEBHOOK_EVENTS = {
  'team.created': Membership,
  'team.member.joined': Membership,
  'team.member.left': Membership.extend({ reason: z.enum(['left', 'removed', 'account closed']) }),
  'challenge.published': ChallengeEvent,
  'challenge.closed': ChallengeEvent.extend({ reason: z.enum(['deadline', 'deactivated']) }),
  'submission.created': SubmissionEvent,
  'submission.approved': SubmissionEvent,
  'submission.rejected': SubmissionEvent,
  'submission.reset': SubmissionEvent,
  'user.banned': z.object({ userId: z.uuid() }),
} as const satisfies Record<string, z.ZodObject>

export type WebhookEventName = keyof typeof WEBHOOK_EVENTS
export type WebhookEventData<N extends WebhookEventName> = z.output<(typeof WEBHOOK_EVENTS)[N]>

export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEventName, ...WebhookEventName[]]

/**
 * Events that a team’s webhooks cannot receive, only those of administrators: events about accounts, and the creation of a team, which has
 * no webhook yet. An event about the deletion of a team would belong here too, because the deletion includes the team’s webhooks.
 */
export const ADMIN_EVENTS: readonly WebhookEventName[] = ['team.created', 'user.banned']
