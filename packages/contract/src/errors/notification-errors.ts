import { defineError } from './define-error.ts'

export const notificationMissing = defineError(404, 'NOTIFICATION_MISSING', 'Notification not found')
export const preferencesLinkInvalid = defineError(
  400,
  'PREFERENCES_LINK_INVALID',
  'This link doesn’t work. It may be incomplete, or older than 30 days.',
)
export const announcementMissing = defineError(404, 'ANNOUNCEMENT_MISSING', 'Announcement not found')
export const announcementSent = defineError(409, 'ANNOUNCEMENT_SENT', 'This announcement is already published')
export const publishAtPast = defineError(400, 'PUBLISH_AT_PAST', 'Choose a time in the future', { path: 'publishAt' })
export const pushUnavailable = defineError(409, 'PUSH_UNAVAILABLE', 'Push messages are not available here')
export const pushAddressPrivate = defineError(400, 'PUSH_ADDRESS_PRIVATE', 'Use a public https URL', {
  path: 'endpoint',
})
