import type { LiveTopic } from '@community/contract'
import { Counter, Gauge, type Registry } from 'prom-client'

/** The open streams of a process, and what they were sent. */
export interface LiveLoad {
  streams: number
  /** Events sent since the start, by topic. */
  events: ReadonlyMap<LiveTopic, number>
}

/** Open live streams, and the events that were sent to them. */
export function registerLiveMetrics(registry: Registry, load: () => LiveLoad): void {
  registry.registerMetric(
    new Gauge({
      name: 'live_streams',
      help: 'Open streams of GET /events',
      registers: [],
      collect() {
        this.set(load().streams)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'live_events_total',
      help: 'Events sent to streams by topic',
      labelNames: ['topic'],
      registers: [],
      collect() {
        this.reset()
        for (const [topic, sent] of load().events) this.inc({ topic }, sent)
      },
    }),
  )
}
