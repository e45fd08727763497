import { NOTIFICATION_KINDS } from '@community/contract'
import { PostponedJob } from './job-handler.ts'

const RETRY_SECONDS = 60

/** Postpones a job about a kind of notification that only a newer version of the server knows. */
export function waitForKnownKind(kind: string): void {
  if (!Object.hasOwn(NOTIFICATION_KINDS, kind)) throw new PostponedJob(RETRY_SECONDS)
}
