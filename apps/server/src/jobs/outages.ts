/** The services that cannot be reached, as this process has seen it: not stored, because a crashed process could not end it. */
export interface Outages {
  probeSeconds: number
  has(service: string): boolean
  /** True for a service without an outage. */
  isProbeDue(service: string): boolean
  /** Ends the outage of a service, if there is one. */
  recordResponse(service: string): void
  /** `startedAt`: when the failed job began, by `performance.now()`. */
  recordFailure(service: string, startedAt: number): void
}

export function trackOutages(probeSeconds: number): Outages {
  const probeTimes = new Map<string, number>()
  const respondedAt = new Map<string, number>()
  return {
    probeSeconds,
    has: (service) => probeTimes.has(service),
    isProbeDue: (service) => performance.now() >= (probeTimes.get(service) ?? 0),
    recordResponse(service) {
      probeTimes.delete(service)
      respondedAt.set(service, performance.now())
    },
    recordFailure(service, startedAt) {
      // Another job has reached the service since: the failure may be this job's own.
      if ((respondedAt.get(service) ?? 0) >= startedAt) return
      probeTimes.set(service, performance.now() + probeSeconds * 1000)
    },
  }
}
