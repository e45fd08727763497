import type postgres from 'postgres'

/** Column values that select rows; empty for all rows. */
type Rows = Record<string, string | string[] | null>
export type Clock = ReturnType<typeof clockOf>

/** Moves stored times, as if time had passed. `seconds` are from now, by the database's clock. */
export function clockOf(sql: postgres.ISql) {
  const match = (rows: Rows) =>
    Object.entries(rows).reduce(
      (all, [column, values]) =>
        values === null
          ? sql`${all} and ${sql(column)} is null`
          : sql`${all} and ${sql(column)}::text in ${sql([values].flat())}`,
      sql`true`,
    )
  const set = (table: string, column: string, seconds: number, rows: Rows = {}) => sql`
    update ${sql(table)} set ${sql(column)} = clock_timestamp() + make_interval(secs => ${seconds}) where ${match(rows)}`
  /** Moves a time back by so many seconds. */
  const age = (table: string, column: string, seconds: number, rows: Rows = {}) => sql`
    update ${sql(table)} set ${sql(column)} = ${sql(column)} - make_interval(secs => ${seconds}) where ${match(rows)}`
  return {
    age,
    /** Sets a time to so many seconds ago. */
    setAge: (table: string, column: string, seconds: number, rows?: Rows) => set(table, column, -seconds, rows),
    expire: (table: string, rows?: Rows) => set(table, 'expires_at', -1, rows),
    expireIn: (seconds: number, table: string, rows?: Rows) => set(table, 'expires_at', seconds, rows),
    passDeadline: (challengeId: string, secondsAgo = 1) =>
      set('challenges', 'deadline', -secondsAgo, { id: challengeId }),
    passDeadlines: () => set('challenges', 'deadline', -1),
    setDeadline: (challengeId: string, seconds: number) => set('challenges', 'deadline', seconds, { id: challengeId }),
    /** Expires the jobs that have an expiry. */
    expireJobs: () => sql`update jobs set expires_at = now() where expires_at is not null`,
    /** Makes waiting jobs due. */
    makeJobsDue: (rows?: Rows) => set('jobs', 'available_at', 0, rows),
    /** Expires the leases of a crashed process. */
    expireLeases: (table: 'jobs' | 'idempotency_keys', rows?: Rows) => set(table, 'lease_until', -1, rows),
    /** Expires the reservations of password checks, as if their process had crashed. */
    expireChecks: () => sql`update rate_limits set under_way_until = now() where under_way > 0`,
    /** Ends the windows of rate limits. */
    resetLimits: (rows?: Rows) => set('rate_limits', 'resets_at', -1, rows),
    /** Lets the windows of the rate limits whose key contains `text` end in `seconds`. */
    resetLimitsIn: (seconds: number, text: string) => sql`
      update rate_limits set resets_at = now() + make_interval(secs => ${seconds}) where position(${text} in key) > 0`,
    /** Moves spent refresh tokens back, by default out of the grace period. */
    ageSpentTokens: (seconds = 61, rows?: Rows) => age('refresh_tokens', 'spent_at', seconds, rows),
    ageCodes: (seconds: number) => sql`
      update codes set sent_at = sent_at - make_interval(secs => ${seconds}),
        expires_at = expires_at - make_interval(secs => ${seconds}),
        begun_at = begun_at - make_interval(secs => ${seconds})`,
    /** Makes unused codes `seconds` old; they expire after five minutes. */
    setAgeOfCodes: (seconds: number, emails: string[]) => sql`
      update codes set sent_at = now() - make_interval(secs => ${seconds}),
        expires_at = now() + make_interval(secs => ${300 - seconds})
      where email in ${sql(emails)} and used_at is null`,
  }
}
