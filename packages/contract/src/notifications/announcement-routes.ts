import { z } from 'zod'
import { PasswordConfirmation } from '../admin/schemas.ts'
import { announcementMissing, announcementSent, challengeMissing, publishAtPast } from '../error-catalogue.ts'
import { Count, Id, Page, Pagination } from '../primitives.ts'
import { route } from '../route.ts'
import { Announcement, AnnouncementInput, AudienceInput } from './announcement-schemas.ts'

/** Announcements by administrators; not in the specification. */
export const announcementRoutes = {
  announcements: route('GET /admin/announcements', {
    access: 'admin',
    beyondSpecification: true,
    summary: 'Announcements, newest first, with their state',
    input: z.object(Page),
    output: z.object({ announcements: z.array(Announcement), pagination: Pagination }),
  }),
  countRecipients: route('GET /admin/announcements/recipients', {
    access: 'admin',
    beyondSpecification: true,
    summary: 'How many people an announcement would reach now',
    description:
      'The caller is not counted. An announcement reaches those who are in its audience when it is published.',
    input: AudienceInput,
    output: z.object({ recipients: Count }),
    errors: { challengeMissing },
  }),
  announce: route('POST /admin/announcements', {
    access: 'admin',
    audits: 'announcement',
    beyondSpecification: true,
    requiresAdminPassword: true,
    creates: true,
    summary: 'Notify everyone, all chefs or a challenge’s teams, now or later',
    input: AnnouncementInput,
    output: z.object({ announcement: Announcement }),
    successMessage: 'Announcement created',
    errors: { challengeMissing, publishAtPast },
  }),
  cancelAnnouncement: route('DELETE /admin/announcements/{id}', {
    access: 'admin',
    audits: 'announcement',
    beyondSpecification: true,
    requiresAdminPassword: true,
    summary: 'Delete an announcement that is not published yet',
    input: z.object({ id: Id, ...PasswordConfirmation }),
    successMessage: 'Announcement deleted',
    errors: { announcementMissing, announcementSent },
  }),
}
