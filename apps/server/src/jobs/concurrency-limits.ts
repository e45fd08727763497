import type { Outages } from './outages.ts'
import type { ClaimLimit } from './queue.ts'
import type { JobHandlers } from './job-handler.ts'

/** Jobs of the kinds without a concurrency of their own. */
const SHARED_CONCURRENCY = 5

/** The kinds of the recurring jobs. */
export const recurringKinds = (handlers: JobHandlers): string[] =>
  Object.keys(handlers).filter((kind) => handlers[kind]?.every)

/** The service whose outage pauses the jobs of a kind: by default one of its own, named like the kind. */
export const serviceOf = (handlers: JobHandlers, kind: string): string => handlers[kind]?.service ?? kind

/**
 * The limits of concurrent jobs in a process, by kinds. Kinds of an unavailable service have none, so that they are not claimed, until a
 * probe is due: then one job of them all.
 */
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
