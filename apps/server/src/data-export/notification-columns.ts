import {
  announcements,
  challengeReminders,
  mailBounces,
  notificationPreferences,
  notifications,
  notificationSettings,
  pushSubscriptions,
  teamMembers,
} from '@community/db/schema'
import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Decisions } from './decision.ts'

/** Notifications, and what somebody chose about them. */
export const notificationColumns: Decisions<
  | 'notifications'
  | 'notificationPreferences'
  | 'notificationSettings'
  | 'pushSubscriptions'
  | 'mailBounces'
  | 'announcements'
  | 'challengeReminders'
> = {
  notifications: {
    sections: {
      notifications: {
        where: ({ id }) => eq(notifications.userId, id),
        columns: [
          ...(['id', 'kind', 'teamId', 'challengeId', 'submissionId', 'announcementId'] as const),
          ...(['isInApp', 'mail', 'push', 'createdAt', 'readAt'] as const),
        ],
      },
      // What their texts say, unless they name somebody. Feedback is for the team's members only.
      notificationDetails: {
        where: ({ id }) =>
          and(
            eq(notifications.userId, id),
            isNull(notifications.subjectId),
            or(
              ne(notifications.kind, 'submission.rejected'),
              sql`${notifications.teamId} in (select ${teamMembers.teamId} from ${teamMembers} where ${teamMembers.userId} = ${id})`,
            ),
          ),
        columns: ['id', 'params'],
      },
    },
    withheld: ['sequence', 'userId', 'key', 'subjectId', 'digestId'],
  },
  notificationPreferences: {
    sections: {
      notificationPreferences: {
        where: ({ id }) => eq(notificationPreferences.userId, id),
        columns: ['kind', 'app', 'mail', 'push'],
      },
    },
    withheld: ['userId'],
  },
  notificationSettings: {
    sections: {
      notificationSettings: {
        where: ({ id }) => eq(notificationSettings.userId, id),
        columns: ['digestHour', 'digestWeekday', 'quietFrom', 'quietTo', 'timeZone', 'updatedAt'],
      },
    },
    withheld: ['userId'],
  },
  pushSubscriptions: {
    sections: {
      pushSubscriptions: {
        where: ({ id }) => eq(pushSubscriptions.userId, id),
        columns: ['familyId', 'endpoint', 'createdAt'],
      },
    },
    withheld: ['userId'],
    secret: ['p256dh', 'auth'],
  },
  mailBounces: {
    sections: {
      mailBounces: {
        where: ({ id }) => eq(mailBounces.userId, id),
        columns: ['email', 'failures', 'pausedAt'],
      },
    },
    withheld: ['userId'],
  },
  announcements: {
    sections: {
      announcements: {
        where: ({ id }) => eq(announcements.createdBy, id),
        columns: ['id', 'title', 'body', 'audience', 'challengeId', 'publishAt', 'sentAt', 'recipients', 'createdAt'],
      },
    },
    withheld: ['createdBy', 'startedAt'],
  },
  challengeReminders: {
    sections: {
      challengeReminders: {
        where: ({ id }) => eq(challengeReminders.createdBy, id),
        columns: ['challengeId', 'teamId', 'createdAt'],
      },
    },
    withheld: ['createdBy'],
  },
}
