/** The kinds of jobs whose service cannot be reached, as this process has seen it: not stored, because a crashed process could not end it. */
export interface Outages {
  probeSeconds: number
  has(kind: string): boolean
  /** True for a kind without an outage. */
  isProbeDue(kind: string): boolean
  /** Ends the outage of a kind, if there is one. */
  recordAnswer(kind: string): void
  /** `startedAt`: when the failed job began, by `performance.now()`. */
  recordFailure(kind: string, startedAt: number): void
}

export function trackOutages(probeSeconds: number): Outages {
  const probeTimes = new Map<string, number>()
  const answerTimes = new Map<string, number>()
  return {
    probeSeconds,
    has: (kind) => probeTimes.has(kind),
    isProbeDue: (kind) => performance.now() >= (probeTimes.get(kind) ?? 0),
    recordAnswer(kind) {
      probeTimes.delete(kind)
      answerTimes.set(kind, performance.now())
    },
    recordFailure(kind, startedAt) {
      // Another job has reached the service since: the failure may be this job's own.
      if ((answerTimes.get(kind) ?? 0) >= startedAt) return
      probeTimes.set(kind, performance.now() + probeSeconds * 1000)
    },
  }
}
