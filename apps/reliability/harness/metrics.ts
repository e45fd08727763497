import { until } from '@community/testing'
import type { Settings } from '@community/testing/server'

/** A server's Prometheus metrics, by series. */
export type Metrics = Map<string, number>

async function readMetrics(port: number): Promise<Metrics> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) })
  const series = (await response.text()).matchAll(/^([^#\s].*) (\S+)$/gm)
  return new Map(Array.from(series, ([, name = '', value]) => [name, Number(value)]))
}

/** The sum of a metric's series, optionally only of some labels. */
export function sumOf(metrics: Metrics, name: string, matches: (labels: string) => boolean = () => true): number {
  const found = [...metrics].filter(([series]) => series.split('{')[0] === name && matches(series.slice(name.length)))
  return found.reduce((sum, [, value]) => sum + value, 0)
}

const COLLECTOR = `import v8 from 'node:v8'
import vm from 'node:vm'
v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc')
process.on('SIGUSR2', () => collect())`

/** Node options that run a garbage collection on SIGUSR2, so that only live memory is measured. */
export const COLLECTS_ON_SIGNAL: Settings = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COLLECTOR)}`,
}

const collectionsOf = (metrics: Metrics) =>
  sumOf(metrics, 'nodejs_gc_duration_seconds_count', (labels) => labels.includes('major'))

/** A server's metrics after a garbage collection. */
export async function metricsCollected(pid: number, port: number): Promise<Metrics> {
  const before = collectionsOf(await readMetrics(port))
  process.kill(pid, 'SIGUSR2')
  let metrics: Metrics = new Map()
  const isCollected = async () => collectionsOf((metrics = await readMetrics(port))) > before
  await until('the server collects its garbage', isCollected, 30_000)
  return metrics
}

/** Megabytes of the heap without its young generation. */
export const heapOf = (metrics: Metrics): number =>
  sumOf(metrics, 'nodejs_heap_space_size_used_bytes', (labels) => !labels.includes('"new')) / 2 ** 20
