import type { LiveTopic } from '@community/contract'
import { Counter, Gauge, type Registry } from 'prom-client'

/** The open streams of a process, and the events sent to them. */
export interface LiveLoad {
  streams: number
  /** Events sent since the start, by topic. */
  events: ReadonlyMap<LiveTopic, number>
}

/** Registers the metrics of open live streams and of the events sent to them. */
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
