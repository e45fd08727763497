import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Metrics, startMetrics } from '../src/observability/metrics.ts'
import { collect, deployFiles, parseYaml, readRepositoryFile } from './deploy-files.ts'
import { openTestServer, type TestServer } from './test-server.ts'

let server: TestServer
let metrics: Metrics
beforeAll(async () => {
  server = await openTestServer()
  metrics = await startMetrics(server.deps, 0)
})
afterAll(async () => {
  await metrics.close()
  await server.close()
})

/** The names in a PromQL expression without functions, labels, durations and strings. */
const metricsOf = (expression: string): string[] =>
  expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"|\b(?:by|without) *\([^)]*\)|\bor\b/g, ' ')
    .match(/\b[a-zA-Z_][\w:]*\b(?!\s*\()/g) ?? []

it('every file can be parsed', () => {
  const files = ['.yaml', '.yml', '.json'].flatMap(deployFiles)
  expect(files.length).toBeGreaterThan(15)
  for (const file of files) expect(parseYaml(file)).not.toEqual([])
})

it.each(['dashboard.json', 'alerts.yml', 'alerts.test.yml'])(
  '%s uses only metrics that the server exports or Prometheus adds',
  async (file) => {
    const text = await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text()
    const exported = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
    )
    const parsed = parseYaml(`deploy/monitoring/${file}`)
    const used = [...collect(parsed, 'expr'), ...collect(parsed, 'series')].flatMap((text_) => metricsOf(String(text_)))
    expect(new Set(used).size).toBeGreaterThan(8)
    expect([...new Set(used)].filter((name) => ![...exported, 'up', 'ALERTS'].includes(name))).toEqual([])
  },
)

it.each(['dashboard.json', 'alerts.yml'])('%s selects the job wherever it reads a metric', (file) => {
  const expressions = collect(parseYaml(`deploy/monitoring/${file}`), 'expr').map(String)
  const lacksJob = (expression: string) =>
    metricsOf(expression).some((name) => new RegExp(`\\b${name}(?!\\{job="community")`).test(expression))
  expect(expressions.filter(lacksJob)).toEqual([])
})

it('every alert has an expectation in alerts.test.yml, for promtool', () => {
  const alerts = collect(parseYaml('deploy/monitoring/alerts.yml'), 'alert')
  const tested = readRepositoryFile('deploy/monitoring/alerts.test.yml').matchAll(/alertname="(\w+)"/g)
  expect([...tested].map(([, name]) => name)).toEqual(alerts)
})

it('docs/monitoring.md says once what to do about each alert', () => {
  const alerts = collect(parseYaml('deploy/monitoring/alerts.yml'), 'alert')
  const rows = readRepositoryFile('docs/monitoring.md').matchAll(/^\| `([A-Z]\w+)` \|/gm)
  expect([...rows].map(([, name]) => name)).toEqual(alerts)
})

const MONITORING = fileURLToPath(new URL('../../../deploy/monitoring', import.meta.url))
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: MONITORING, encoding: 'utf8' })

it.runIf(promtool('--version').status === 0)('promtool accepts the configuration and the tests of the alerts', () => {
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = promtool(...args)
    expect(status, `${stdout}${stderr}`).toBe(0)
  }
})
