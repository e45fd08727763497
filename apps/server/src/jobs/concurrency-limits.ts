import type { Outages } from './outages.ts'
import type { ClaimLimit } from './queue.ts'
import type { JobHandlers } from './worker.ts'

/** Jobs of the kinds without a concurrency of their own. */
const SHARED_CONCURRENCY = 5

/** The service whose outage holds up the jobs of a kind; a kind whose handler names none has its own. */
export const serviceOf = (handlers: JobHandlers, kind: string): string => handlers[kind]?.service ?? kind

/** Returns how many jobs of which kinds may run at once in a process. One job at a time probes a service that is unavailable. */
export function concurrencyLimits(handlers: JobHandlers, outages: Outages): ClaimLimit[] {
  const kinds = Object.keys(handlers)
  const services = new Set(kinds.map((kind) => serviceOf(handlers, kind)))
  const probedServices = [...services].filter((service) => outages.has(service) && outages.isProbeDue(service))
  const probes = probedServices.map((service) => ({
    kinds: kinds.filter((kind) => serviceOf(handlers, kind) === service),
    max: 1,
  }))
  const availableKinds = kinds.filter((kind) => !outages.has(serviceOf(handlers, kind)))
  const ownLimits = availableKinds.flatMap((kind) => {
    const max = handlers[kind]?.concurrency
    return max === undefined ? [] : [{ kinds: [kind], max }]
  })
  const sharing = availableKinds.filter((kind) => handlers[kind]?.concurrency === undefined)
  const sharedLimits = sharing.length > 0 ? [{ kinds: sharing, max: SHARED_CONCURRENCY }] : []
  return [...probes, ...ownLimits, ...sharedLimits]
}
