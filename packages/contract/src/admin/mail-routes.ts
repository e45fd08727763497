import { z } from 'zod'
import { mailExpired, mailMissing } from '../error-catalogue.ts'
import { Id, ids, Page, Pagination, Timestamp } from '../primitives.ts'
import { route } from '../route.ts'

/** A mail that was given up: its last attempt failed, or the mail server refused it for good. */
export const DeadMail = z
  .object({
    ...ids,
    template: z.string().describe('What kind of mail it is, for example `code-registration`'),
    recipient: z.string(),
    language: z.string(),
    attempts: z.int(),
    lastError: z.string().describe('Without the mail’s content and the account at the mail server'),
    createdAt: Timestamp,
  })
  .meta({ id: 'DeadMail' })
export type DeadMail = z.output<typeof DeadMail>

/** Beyond the specification: mails that nobody received. */
export const mailRoutes = {
  mails: route('GET /admin/mails', {
    access: 'admin',
    summary: 'Mails that could not be sent, newest first',
    input: z.object({ ...Page }),
    output: z.object({ mails: z.array(DeadMail), pagination: Pagination }),
  }),
  retryMail: route('POST /admin/mails/{id}/retry', {
    access: 'admin',
    summary: 'Try to send such a mail again',
    input: z.object({ id: Id }),
    successMessage: 'The mail will be sent again',
    errors: { mailMissing, mailExpired },
  }),
}
