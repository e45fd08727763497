/** The state of the cron script, in a file. */
export interface CronState {
  url: string
  token: string
  teamId: string
  etag?: string | undefined
  /** Challenges that changed before are known. */
  updatedSince?: string
  /** By challenge: the key under which the application is sent, and the submission once it is known. */
  applications: Record<string, { key: string; submissionId?: string | undefined }>
  figures: { polls: number; notModified: number }
}

/** Its exit codes. */
export const CRON_EXIT = { done: 0, wrong: 1, tryLater: 2, tokenExpired: 3 } as const
