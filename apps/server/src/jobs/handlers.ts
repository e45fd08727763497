import { type BannedMember, LEAVE_TEAMS_JOB, removeFromNextTeams } from '../admin/ban.ts'
import { DELETE_CHALLENGE_JOB, deleteNextBatch, type DeleteChallengePayload } from '../admin/delete-challenge.ts'
import type { Deps } from '../context.ts'
import { importHandler } from '../data-export/import/import-job.ts'
import { IMPORT_JOB } from '../data-export/import/queries.ts'
import { NOTIFICATION_MAIL_JOB } from '../notifications/commands.ts'
import { NOTIFY_JOB } from '../notifications/notify-later.ts'
import { PUSH_JOB } from '../notifications/push-commands.ts'
import { ANNOUNCEMENT_JOB } from '../notifications/publish-announcement.ts'
import { DIGEST_JOB } from '../notifications/digest-commands.ts'
import { REMOVE_OBJECTS_JOB } from '../uploads/remove-objects.ts'
import { EVENT_JOB, WEBHOOK_JOB } from '../webhooks/job-kinds.ts'
import { housekeepingHandler } from './housekeeping.ts'
import { mailHandler } from './mail.ts'
import { digestHandler, digestsHandler } from './digests.ts'
import { notificationMailHandler } from './notification-mail.ts'
import { notificationPushHandler } from './notification-push.ts'
import { announcementHandler, challengeRemindersHandler, notifyHandler } from './notifications.ts'
import { recountHandler } from './recount.ts'
import { removeObjectsHandler } from './remove-objects.ts'
import { backfillPreviewsHandler, previewHandler } from './previews.ts'
import { createBatchHandler } from './run-batches.ts'
import { challengeDeadlinesHandler, webhookEventHandler, webhookHandler } from './webhooks.ts'
import type { JobHandlers } from './job-handler.ts'

interface HandlerOptions {
  /** Aborted when the server stops: ends jobs that would hold it up. */
  stopping: AbortSignal
  onCountsCorrected?: ((corrections: number) => void) | undefined
}

/** Returns the handlers of all kinds of jobs. */
export const createJobHandlers = (deps: Deps, { stopping, onCountsCorrected }: HandlerOptions): JobHandlers => ({
  mail: mailHandler(deps),
  housekeeping: housekeepingHandler(deps, stopping),
  recount: recountHandler(deps, stopping, onCountsCorrected),
  preview: previewHandler(deps, stopping),
  'backfill-previews': backfillPreviewsHandler(deps),
  [REMOVE_OBJECTS_JOB]: removeObjectsHandler(deps),
  [DELETE_CHALLENGE_JOB]: createBatchHandler(deps, stopping, (tx, payload) =>
    // Only `deleteChallenge` queues these, as only `ban` queues the next kind.
    deleteNextBatch(tx, deps, payload as DeleteChallengePayload),
  ),
  [LEAVE_TEAMS_JOB]: createBatchHandler(deps, stopping, (tx, payload) =>
    removeFromNextTeams(tx, payload as BannedMember),
  ),
  [IMPORT_JOB]: importHandler(deps, stopping),
  [WEBHOOK_JOB]: webhookHandler(deps, stopping),
  [EVENT_JOB]: webhookEventHandler(deps, stopping),
  [NOTIFY_JOB]: notifyHandler(deps, stopping),
  [NOTIFICATION_MAIL_JOB]: notificationMailHandler(deps),
  [PUSH_JOB]: notificationPushHandler(deps, stopping),
  [DIGEST_JOB]: digestHandler(deps),
  digests: digestsHandler(deps, stopping),
  [ANNOUNCEMENT_JOB]: announcementHandler(deps, stopping),
  'challenge-reminders': challengeRemindersHandler(deps),
  'challenge-deadlines': challengeDeadlinesHandler(deps),
})
