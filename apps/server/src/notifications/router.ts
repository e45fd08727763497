import type { DomainUseCases } from '../trpc/init.ts'
import { listNotifications } from './list-notifications.ts'
import { getPreferences, resumeMail, setPreferences } from './preferences.ts'
import { getPush, subscribePush, unsubscribePush } from './push.ts'
import { getLinkedPreferences, setLinkedPreferences } from './preferences-link.ts'
import { readNotifications } from './read-notifications.ts'

export const notificationsUseCases: DomainUseCases<'notifications'> = {
  list: listNotifications,
  read: readNotifications,
  preferences: getPreferences,
  setPreferences,
  resumeMail,
  linkedPreferences: getLinkedPreferences,
  setLinkedPreferences,
  push: getPush,
  subscribePush,
  unsubscribePush,
}
