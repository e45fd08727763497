import { z } from 'zod'
import { mailExpired, mailMissing, mailUnwanted } from '../error-catalogue.ts'
import { Count, Id, ids, Page, Pagination, Timestamp } from '../primitives.ts'
import { route } from '../route.ts'

/** A mail that will not be retried: its last attempt failed, or the mail server rejected it permanently. */
const DeadMail = z
  .object({
    ...ids,
    template: z.string().describe('The mail’s template, for example `code-registration`'),
    recipient: z.string(),
    language: z.string(),
    attempts: Count,
    lastError: z.string().describe('The mail server’s reply, without the mail’s content and the SMTP account'),
    createdAt: Timestamp,
  })
  .meta({ id: 'DeadMail' })

/** Undeliverable mails; not in the specification. */
export const mailRoutes = {
  mails: route('GET /admin/mails', {
    access: 'admin',
    beyondSpecification: true,
    summary: 'Mails that could not be sent, newest first',
    input: z.object({ ...Page }),
    output: z.object({ mails: z.array(DeadMail), pagination: Pagination }),
  }),
  retryMail: route('POST /admin/mails/{id}/retry', {
    access: 'admin',
    audits: 'mail',
    beyondSpecification: true,
    summary: 'Retry an undeliverable mail',
    input: z.object({ id: Id }),
    successMessage: 'The email will be sent again',
    errors: { mailMissing, mailExpired, mailUnwanted },
  }),
}
