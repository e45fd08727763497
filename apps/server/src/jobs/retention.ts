/** Days after which housekeeping deletes rows; the default privacy page states them. */
export const RETENTION_DAYS = {
  /** After their expiry. */
  sessions: 1,
  codes: 1,
  personalTokens: 30,
  /** After the last sign-in from it. */
  knownDevices: 365,
  /** Mails and other finished jobs. */
  jobs: 30,
} as const
