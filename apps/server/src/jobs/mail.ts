import type { Language } from '@community/contract'
import type { Tx } from '@community/db'
import type { Deps } from '../context.ts'
import { isPermanentRejection, isRecipientRejection, isServerUnavailable, type Mail } from '../integrations/mailer.ts'
import { type MailTemplate, renderMail } from '../mails/render.ts'
import { describeSendingError } from '../mails/sending-error.ts'
import { recordAcceptedMail, recordBounce } from '../notifications/bounce-commands.ts'
import { enqueue, enqueueDecoy, type Job, type NewJob, RENEWED_LEASE_SECONDS, whileRenewingLease } from './queue.ts'
import { JobFailure, type JobHandler } from './job-handler.ts'

export type { MailTemplate }

export interface QueuedMail {
  template: MailTemplate
  to: string
  language: Language
  values: Record<string, string>
  /** Seconds after which the mail is not sent. */
  ttl?: number
}

const jobOf = ({ to, values, ...mail }: QueuedMail): NewJob => ({
  ...mail,
  kind: 'mail',
  recipient: to,
  payload: values,
})

/** Queues a mail, which is sent only if the transaction commits. */
export const queueMail = (tx: Tx, deps: Pick<Deps, 'secret'>, mail: QueuedMail): Promise<void> =>
  enqueue(tx, deps, jobOf(mail))

/** Takes as long as `queueMail`, so that timing does not reveal that nothing is sent. */
export const queueDecoyMail = (tx: Tx, deps: Pick<Deps, 'secret'>, mail: QueuedMail): Promise<void> =>
  enqueueDecoy(tx, deps, jobOf(mail))

/** The service of all jobs that send mails, so that they probe an unavailable mail server together. */
export const MAIL_SERVICE = 'mail'

type MailDeps = Pick<Deps, 'config' | 'db' | 'log' | 'mailer'>

/** Sends the mail of a job; throws a `JobFailure` if it is not accepted. `values` are masked in the message of the failure. */
export async function deliverMail(
  { config: { smtpUrl }, db, log, mailer }: MailDeps,
  job: Job,
  mail: Mail,
  values: Record<string, string> = {},
): Promise<void> {
  try {
    // A slow mail server may take minutes.
    await whileRenewingLease(db, job, () => mailer.send(mail))
  } catch (error) {
    if (isRecipientRejection(error)) await recordBounce(db, mail.to)
    const type = isPermanentRejection(error) ? 'permanent' : isServerUnavailable(error) ? 'unavailable' : 'temporary'
    throw new JobFailure(describeSendingError(error, { recipient: mail.to, values, smtpUrl }), type)
  }
  // Only logged: if the job failed, the mail would be sent again.
  await recordAcceptedMail(db, mail.to).catch((error: unknown) => log.debug({ err: error }, 'bounces were not cleared'))
}

/** Sends a mail with the same Message-ID at every attempt, so that the mail server can drop a duplicate after a crash. */
export const mailHandler = (deps: MailDeps): JobHandler => ({
  lease: RENEWED_LEASE_SECONDS,
  service: MAIL_SERVICE,
  async run(job, payload) {
    // Not null for a mail, by the constraint `jobs_mail`.
    const { id, template, recipient, language } = job as { [K in keyof typeof job]: NonNullable<(typeof job)[K]> }
    const values = payload as Record<string, string>
    const { appUrl, appName } = deps.config
    const mail = {
      ...renderMail(template as MailTemplate, language, values, { appUrl, appName }),
      to: recipient,
      language,
      messageId: `<${id}@${new URL(appUrl).hostname}>`,
    }
    await deliverMail(deps, job, mail, values)
  },
})
