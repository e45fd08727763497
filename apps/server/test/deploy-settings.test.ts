import { parseEnv } from 'node:util'
import { APP_SECRET } from '@community/testing/server'
import { expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { Variables } from '../src/config/variables.ts'
import { at, parseYaml, readRepositoryFile } from './deploy-files.ts'

type Environment = Record<string, string | undefined>
const read = (name: string): Environment => parseEnv(readRepositoryFile(name))
const match = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
const assignments = (text: string): Environment =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value]) => [name, value]))

const image = assignments(match(readRepositoryFile('Dockerfile'), /^ENV (NODE_ENV.*)$/m))
const unit = readRepositoryFile('deploy/systemd/community.service')
const [compose] = parseYaml('deploy/compose/compose.yaml')
const composeFile = read('deploy/compose/.env.example')
const substituted = JSON.stringify(at(compose, 'services.server.environment')).replace(
  /\$\{(\w+)[^}]*\}/g,
  (_whole, name: string) => composeFile[name] || 'password',
)
const [deployment] = parseYaml('deploy/kubernetes/server.yaml')
const kubernetes = {
  ...read('deploy/kubernetes/settings.env.example'),
  ...read('deploy/kubernetes/secrets.env.example'),
}

/** The settings of each deployment, with those of the image, and the seconds from SIGTERM to SIGKILL. */
const DEPLOYMENTS: [way: string, settings: Environment, seconds: number][] = [
  [
    'compose',
    { ...image, ...composeFile, ...(JSON.parse(substituted) as Environment) },
    Number.parseInt(String(at(compose, 'services.server.stop_grace_period')), 10),
  ],
  [
    'systemd',
    { ...assignments(match(unit, /^Environment=(.*)$/m)), ...read('deploy/systemd/community.env.example') },
    Number(match(unit, /^TimeoutStopSec=(\d+)$/m)),
  ],
  [
    'kubernetes',
    { ...image, ...kubernetes, DATABASE_URL: 'postgresql://community:password@database-rw.community:5432/community' },
    Number(at(deployment, 'spec.template.spec.terminationGracePeriodSeconds')),
  ],
]
/** Left empty in the examples. */
const SECRETS: Environment = {
  APP_SECRET,
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  ADMIN_EMAIL: 'boss@example.ma',
  ADMIN_PASSWORD: 'Majorelle-2026',
}
/** Used by other services of compose.yaml. */
const NOT_SETTINGS = ['APP_DOMAIN', 'BACKUP_DIR', 'BACKUP_KEEP_DAYS', 'POSTGRES_PASSWORD']

it.each(DEPLOYMENTS)('%s sets everything that production requires, and no unknown setting', (way, settings) => {
  const unknown = Object.keys(settings).filter((name) => !(name in Variables.shape))
  expect(unknown.toSorted()).toEqual(way === 'compose' ? NOT_SETTINGS : [])
  const config = readConfig({
    ...SECRETS,
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value)),
  })
  expect(config).toMatchObject({ nodeEnv: 'production', embedded: false, appUrl: 'https://community.example' })
  expect(config.trustProxy).not.toBe(false)
})

it.each(DEPLOYMENTS)('%s leaves a server enough time to drain and stop', (_way, settings, seconds) => {
  expect(seconds).toBeGreaterThanOrEqual(Number(settings.DRAIN_SECONDS ?? 0) + 10 + 5)
})

it('compose runs the server without privileges, on a read-only disk', () => {
  expect(at(compose, 'services.server')).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  })
})

it('systemd runs the server without privileges, on a read-only disk', () => {
  for (const line of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet='])
    expect(unit.split('\n')).toContain(line)
})

it('compose uses the variables of its example', () => {
  const used = readRepositoryFile('deploy/compose/compose.yaml').matchAll(/\$\{(\w+)/g)
  expect(new Set([...used].map(([, name]) => name))).toEqual(new Set([...NOT_SETTINGS, 'S3_SECRET_ACCESS_KEY']))
})
