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
 * Adds a message for each webhook of the team and of the community that listens, to the transaction of its cause. One statement, so that
 * nothing is left to insert when one beside it fails; call it under the locks of its cause, whose order is that of the timestamps.
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
