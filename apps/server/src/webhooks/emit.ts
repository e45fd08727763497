import type { WebhookEventData, WebhookEventName } from '@community/contract'
import type { Tx } from '@community/db'
import { insertDeliveriesForOwners } from './event-commands.ts'

interface WebhookEvent<N extends WebhookEventName> {
  name: N
  data: WebhookEventData<N>
  /** The team it concerns; without one, only the community’s webhooks receive it. */
  teamId?: string
  /** The account in `data`. */
  userId?: string | null
}

/**
 * Inserts a delivery for each webhook that subscribes to the event, the team's and the community's. Call it in the transaction that causes
 * the event, under its locks, so that timestamps follow the order of events. It sends one statement, so it may be in a `Promise.all` with
 * other writes.
 */
export async function emit<N extends WebhookEventName>(
  tx: Tx,
  { name, data, teamId, userId }: WebhookEvent<N>,
): Promise<void> {
  await insertDeliveriesForOwners(tx, { name, data, teamId: teamId ?? null, userId: userId ?? null })
}

/** Emits an event about an account and a team. */
export const emitMembership = (
  tx: Tx,
  name: 'team.created' | 'team.member.joined',
  { id, name: teamName }: { id: string; name: string },
  userId: string,
): Promise<void> => emit(tx, { name, data: { team: { id, name: teamName }, userId }, teamId: id, userId })

type SubmissionEvent = WebhookEventData<'submission.created'>['submission']

/** Emits an event about a submission, pending unless it has a verdict. */
export const emitSubmission = (
  tx: Tx,
  name: Extract<WebhookEventName, `submission.${string}`>,
  { id, teamId, challengeId }: Pick<SubmissionEvent, 'id' | 'teamId' | 'challengeId'>,
  { status, score, points }: Omit<SubmissionEvent, 'id' | 'teamId' | 'challengeId'> = PENDING,
): Promise<void> => emit(tx, { name, data: { submission: { id, teamId, challengeId, status, score, points } }, teamId })

const PENDING = { status: 'pending', score: null, points: null } as const
