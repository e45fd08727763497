import type { Settings } from '@community/testing/server'

/** What a server tells Prometheus, by series. */
export type Metrics = Map<string, number>

export async function readMetrics(port: number): Promise<Metrics> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) })
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]))
}

/** The sum of the series of one name, of some of their labels. */
export function sumOf(metrics: Metrics, name: string, isMeant: (labels: string) => boolean = () => true): number {
  let sum = 0
  for (const [series, value] of metrics)
    if (series.split('{')[0] === name && isMeant(series.slice(name.length))) sum += value
  return sum
}

const COLLECTOR = `import v8 from 'node:v8'
import vm from 'node:vm'
v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc')
process.on('SIGUSR2', () => collect())`

/** Has a server collect its garbage on SIGUSR2: what it holds afterwards it keeps. */
export const COLLECTS_ON_SIGNAL: Settings = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(COLLECTOR)}`,
}

const collections = (metrics: Metrics) =>
  sumOf(metrics, 'nodejs_gc_duration_seconds_count', (labels) => labels.includes('major'))

/** What a server tells once it has collected its garbage. */
export async function metricsCollected(pid: number, port: number): Promise<Metrics> {
  const before = collections(await readMetrics(port))
  process.kill(pid, 'SIGUSR2')
  for (const end = performance.now() + 30_000; performance.now() < end; ) {
    const metrics = await readMetrics(port)
    if (collections(metrics) > before) return metrics
  }
  throw new Error('the server does not collect its garbage')
}

/** Megabytes of the heap, without what is too young to have been looked at. */
export const heapOf = (metrics: Metrics): number =>
  sumOf(metrics, 'nodejs_heap_space_size_used_bytes', (labels) => !labels.includes('"new')) / 2 ** 20
