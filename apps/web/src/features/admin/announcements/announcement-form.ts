import { AnnouncementInput, appErrors } from '@community/contract'
import { z } from 'zod'
import { msg } from '../../../lib/i18n.ts'
import { fromWallClock } from '../../../lib/viewer-zone.ts'

const { title, body, audience } = AnnouncementInput.shape

/** Parses the dialog's fields into the contract's announcement, without the password. `now` returns the server's time. */
export const announcementSchema = (now: () => Date) =>
  z
    .object({
      title,
      body,
      audience,
      challengeId: z.string(),
      publishAt: z
        .string()
        .refine((local) => local === '' || fromWallClock(local) > now(), { error: appErrors.publishAtPast.message })
        .transform((local) => (local === '' ? undefined : fromWallClock(local).toISOString())),
    })
    .refine((values) => values.audience !== 'challenge' || values.challengeId !== '', {
      path: ['challengeId'],
      error: msg('Choose a challenge'),
    })

/** The dialog's fields: empty strings for no challenge, and for at once; the time is local as in `datetime-local`. */
export type AnnouncementDraft = z.input<ReturnType<typeof announcementSchema>>
export type ParsedAnnouncement = z.output<ReturnType<typeof announcementSchema>>

export const BLANK_ANNOUNCEMENT: AnnouncementDraft = {
  title: '',
  body: '',
  audience: 'everyone',
  challengeId: '',
  publishAt: '',
}

/** The audience as the server's input. */
export const audienceInput = (chosen: Pick<AnnouncementDraft, 'audience' | 'challengeId'>) => ({
  audience: chosen.audience,
  ...(chosen.audience === 'challenge' && { challengeId: chosen.challengeId }),
})
