import { endOfQuietHours } from '../notifications/quiet-hours.ts'
import { PostponedJob } from './job-handler.ts'

/** Postpones a job to the end of its recipient's quiet hours if it is within them. */
export function waitForQuietHours(settings: Parameters<typeof endOfQuietHours>[0]): void {
  const now = new Date()
  const end = endOfQuietHours(settings, now)
  if (end) throw new PostponedJob(Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000)))
}
