import { z } from 'zod'
import { notificationMissing } from '../error-catalogue.ts'
import { Count, CursorPagination, Timestamp } from '../primitives.ts'
import { route } from '../route.ts'
import { linkRoutes } from './link-routes.ts'
import { pushRoutes } from './push-routes.ts'
import {
  Notification,
  NotificationListInput,
  PreferencesInput,
  PreferencesOutput,
  ReadNotificationsInput,
  Unread,
} from './schemas.ts'

/** The caller’s notifications; not in the specification. */
export const notifications = {
  list: route('GET /notifications', {
    access: 'member',
    beyondSpecification: true,
    summary: 'The caller’s notifications of the last 90 days, newest first',
    description: 'Omits the kinds that the caller has turned off in the app.',
    input: NotificationListInput,
    output: z.object({ notifications: z.array(Notification), unread: Unread, pagination: CursorPagination }),
  }),
  read: route('POST /notifications/read', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Mark notifications as read or unread: some, or all up to one',
    description:
      'Those that have that state already keep it. To undo a call, repeat it with `isRead: false` and its `readAt`.',
    input: ReadNotificationsInput,
    output: z.object({
      changed: Count,
      readAt: Timestamp.nullable().describe('When they were marked; null for `isRead: false`'),
      unread: Unread,
    }),
    successMessage: 'Notifications updated',
    errors: { notificationMissing },
  }),
  preferences: route('GET /notifications/preferences', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Where the caller gets each kind of notification, and when mails are sent',
    output: PreferencesOutput,
  }),
  setPreferences: route('PUT /notifications/preferences', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Choose where to get notifications; what is omitted keeps its value',
    description: 'Applies to notifications from now on.',
    input: PreferencesInput,
    output: PreferencesOutput,
    successMessage: 'Preferences saved',
  }),
  resumeMail: route('POST /notifications/preferences/resume-mail', {
    access: 'member',
    beyondSpecification: true,
    summary: 'Send mails again after the caller’s address has rejected three in a row',
    description: 'A code that was mailed to the address and entered does the same.',
    successMessage: 'Emails are sent again',
  }),
  ...linkRoutes,
  ...pushRoutes,
}
