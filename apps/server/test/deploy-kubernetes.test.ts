import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { healthPaths } from '../src/observability/health-paths.ts'
import { at, collect, deployFiles, parseYaml, readRepositoryFile } from './deploy-files.ts'

const files = deployFiles('.yaml').filter((name) => name.includes('/kubernetes/'))
const isKustomization = (name: string) => name.endsWith('kustomization.yaml')
const manifests = files.filter((name) => !isKustomization(name)).flatMap(parseYaml)
const ofKind = (kind: string) => manifests.filter((manifest) => at(manifest, 'kind') === kind)
const [deployment] = ofKind('Deployment')
const [service] = ofKind('Service')
const [cluster] = ofKind('Cluster')
const pod = at(deployment, 'spec.template')
const container = at(pod, 'spec.containers.0')
const ports = at(container, 'ports') as { name: string; containerPort: number }[]
const image = readRepositoryFile('Dockerfile')

/** Kubernetes' own kinds; the others are checked against their definitions by hand when they change. */
const TYPES: Record<string, string> = {
  Namespace: 'core/v1',
  Service: 'core/v1',
  Deployment: 'apps/v1',
  Job: 'batch/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking/v1',
}

it('every manifest has only the fields of its kind', () => {
  const lines = manifests.flatMap((manifest, index) => {
    const kind = String(at(manifest, 'kind'))
    if (!TYPES[kind]) return []
    // Only an object literal is checked for unknown properties.
    return `export const m${index}: import('kubernetes-types/${TYPES[kind]}').${kind} = ${JSON.stringify(manifest)}`
  })
  expect(lines.length).toBeGreaterThan(6)
  const file = `node_modules/.manifests-${process.pid}.ts`
  writeFileSync(file, lines.join('\n'))
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'preserve', '--skipLibCheck', '--types', '']
  try {
    execFileSync('node_modules/.bin/tsc', [...options, file], { encoding: 'utf8' })
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout, { cause: error })
  } finally {
    rmSync(file)
  }
}, 60_000)

it('every manifest is in a kustomization', () => {
  for (const name of files.filter(isKustomization)) {
    const folder = name.replace('kustomization.yaml', '')
    const others = files.map((file) => file.replace(folder, '')).filter((file) => !file.includes('/'))
    const resources = parseYaml(name).flatMap((kustomization) => at(kustomization, 'resources'))
    const applied = ['kustomization.yaml', 'namespace.yaml', ...resources]
    expect(others.filter((file) => !applied.includes(file))).toEqual([])
    expect(resources.filter((file) => !others.includes(String(file)))).toEqual([])
  }
})

it('probes and ports match the server', () => {
  const paths = collect(container, 'path')
  expect(paths.length).toBe(3)
  for (const path of paths) expect(Object.keys(healthPaths).map((route) => `/api${route}`)).toContain(path)
  const settings = readRepositoryFile('deploy/kubernetes/settings.env.example')
  expect(ports).toEqual([
    { name: 'http', containerPort: Number(/ PORT=(\d+)/.exec(image)?.[1]) },
    { name: 'metrics', containerPort: Number(/^METRICS_PORT=(\d+)$/m.exec(settings)?.[1]) },
  ])
  expect(at(pod, 'metadata.annotations')).toMatchObject({ 'prometheus.io/port': String(ports[1]?.containerPort) })
  const named = [...collect(manifests, 'port'), ...collect(manifests, 'targetPort')].filter(
    (port) => typeof port === 'string',
  )
  expect(named.filter((name) => !ports.some((port) => port.name === name))).toEqual([])
  expect(collect(ofKind('HTTPRoute'), 'backendRefs')).toEqual([
    [{ name: at(service, 'metadata.name'), port: at(service, 'spec.ports.0.port') }],
  ])
})

it('every pod runs as a user without privileges, on a read-only disk', () => {
  const pods = ['Deployment', 'Job'].flatMap(ofKind).map((manifest) => at(manifest, 'spec.template.spec'))
  expect(pods).toHaveLength(2)
  for (const each of pods) {
    expect(at(each, 'securityContext')).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    const containers = collect(each, 'containers').flat()
    expect(containers.map((one) => at(one, 'securityContext'))).toEqual(
      containers.map(() => ({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })),
    )
  }
})

it('pods that are not ready answer only if no pod is ready', () => {
  const threshold = at(ofKind('BackendTrafficPolicy')[0], 'spec.healthCheck.panicThreshold')
  const maxReplicas = Number(at(ofKind('HorizontalPodAutoscaler')[0], 'spec.maxReplicas'))
  expect(threshold).toBeGreaterThan(0)
  expect(threshold).toBeLessThan(100 / maxReplicas)
})

it('selectors and references match existing objects', () => {
  const labelled = [pod, at(ofKind('Job')[0], 'spec.template')].map((template) => at(template, 'metadata.labels'))
  const known = [...labelled, { 'cnpg.io/cluster': at(cluster, 'metadata.name') }] as Record<string, string>[]
  const selectors = [
    at(service, 'spec.selector'),
    ...['Deployment', 'PodDisruptionBudget'].flatMap((kind) =>
      ofKind(kind).map((each) => at(each, 'spec.selector.matchLabels')),
    ),
    ...collect(pod, 'labelSelector').map((selector) => at(selector, 'matchLabels')),
    ...collect(ofKind('NetworkPolicy'), 'podSelector').map((selector) => at(selector, 'matchLabels')),
  ] as Record<string, string>[]
  const foreign = { 'app.kubernetes.io/name': 'cloudnative-pg' }
  for (const selector of selectors) expect([...known, foreign]).toContainEqual(expect.objectContaining(selector))

  const [kustomization] = parseYaml('deploy/kubernetes/kustomization.yaml')
  const generated = collect(kustomization, 'name').filter((name) => name !== 'community')
  const references = [...collect(manifests, 'configMapRef'), ...collect(manifests, 'secretRef')]
  expect(new Set(references.map((reference) => at(reference, 'name')))).toEqual(new Set(generated))
  expect(new Set(collect(manifests, 'image'))).toEqual(new Set([at(kustomization, 'images.0.name')]))
  for (const reference of collect(manifests, 'secretKeyRef'))
    expect(reference).toEqual({
      name: `${String(at(cluster, 'metadata.name'))}-app`,
      key: expect.stringMatching(/^(uri|password)$/),
    })
  expect(at(ofKind('HorizontalPodAutoscaler')[0], 'spec.scaleTargetRef')).toEqual({
    apiVersion: at(deployment, 'apiVersion'),
    kind: 'Deployment',
    name: at(deployment, 'metadata.name'),
  })
})

it('servers may read from the standbys', () => {
  const { database, owner, postInitSQL } = at(cluster, 'spec.bootstrap.initdb') as Record<string, string>
  const env = at(container, 'env') as { name: string; value?: string }[]
  expect(env.find(({ name }) => name === 'DATABASE_REPLICA_URL')?.value).toBe(
    `postgres://${owner}:$(DATABASE_PASSWORD)@${String(at(cluster, 'metadata.name'))}-ro:5432/${database}?sslmode=require`,
  )
  expect(postInitSQL).toEqual([`GRANT pg_read_all_stats TO ${owner}`])
  expect(at(cluster, 'spec.postgresql.parameters.hot_standby_feedback')).toBe('on')
})

it('the documented restore names the objects of the cluster', () => {
  const [, text = ''] = /```yaml\n([^]*?)```/.exec(readRepositoryFile('docs/backups.md')) ?? []
  const restored = parse(text) as unknown
  const { database, owner } = at(cluster, 'spec.bootstrap.initdb') as Record<string, string>
  expect(at(restored, 'bootstrap.recovery')).toMatchObject({
    source: at(restored, 'externalClusters.0.name'),
    database,
    owner,
  })
  const [plugin] = at(cluster, 'spec.plugins') as { parameters: object }[]
  const source = { ...plugin?.parameters, serverName: at(cluster, 'metadata.name') }
  expect(at(restored, 'externalClusters.0.plugin.parameters')).toEqual(source)
  expect(at(restored, 'plugins')).toEqual([{ ...plugin, parameters: { ...source, serverName: 'database-2' } }])
})

it('the database accepts the connections of the maximum number of servers', () => {
  const servers = Number(at(ofKind('HorizontalPodAutoscaler')[0], 'spec.maxReplicas')) + 1
  expect(Number(at(cluster, 'spec.postgresql.parameters.max_connections'))).toBeGreaterThanOrEqual(7 * servers + 10)
})
