import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { APP_SECRET } from '@community/testing/server'
import { Variables } from './config/variables.ts'
import { ConfigError, readConfig } from './config.ts'
import { PUBLISHED_PASSWORDS, PUBLISHED_SECRETS } from './start/published-values.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  APP_SECRET,
  APP_URL: 'https://community.example/',
  DATABASE_URL: 'postgres://u:p@db/community',
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'community',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'very-secret',
  SMTP_URL: 'smtps://u:p@mail.example:465',
  MAIL_FROM: 'Community <hello@community.example>',
}

const errorMessage = (source: NodeJS.ProcessEnv): string => {
  try {
    readConfig(source)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}

describe('readConfig', () => {
  it('writes the origin in lower case and without a slash, because cookies depend on its scheme', () =>
    expect(readConfig({ ...PRODUCTION, APP_URL: 'HTTPS://Community.Example/' }).appUrl).toBe(
      'https://community.example',
    ))

  it('needs no variables in development', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      nodeEnv: 'development',
      host: '127.0.0.1',
      port: 3000,
      appUrl: 'http://localhost:3000',
      embedded: true,
      trustProxy: false,
    })
    expect(config.admin).toMatchObject({ isDefault: true })
    expect(config.databaseUrl ?? config.s3 ?? config.smtpUrl ?? config.oauth).toBeUndefined()
    expect(config.migrationsDir).toMatch(/drizzle\/migrations$/)
    expect(config.webDir).toMatch(/apps\/web\/dist$/)
  })
  it('reads a former name where the new one is not set', () => {
    const former = { READ_BUDGET_PER_PERSON: '7' }
    expect(readConfig(former).readUnits.perUser).toBe(7)
    expect(readConfig({ ...former, READ_UNITS_PER_USER: '9' }).readUnits.perUser).toBe(9)
    expect(errorMessage({ READ_BUDGET_PER_PERSON: 'many' })).toContain('READ_UNITS_PER_USER must be')
  })
  it('reads a database URL of several hosts', () => {
    const DATABASE_URL = 'postgres://u:p@a:5432,b:5432/community'
    expect(readConfig({ DATABASE_URL }).databaseUrl).toBe(DATABASE_URL)
  })
  it('treats an empty variable as unset', () => expect(readConfig({ DATABASE_URL: '', PORT: ' ' }).port).toBe(3000))
  it('reads the services of production', () => {
    const config = readConfig(PRODUCTION)
    expect(config).toMatchObject({
      appUrl: 'https://community.example',
      embedded: false,
      admin: undefined,
      logLevel: 'info',
    })
    expect(config.s3).toMatchObject({ bucket: 'community', forcePathStyle: true, region: 'us-east-1' })
  })
  it('allows embedded services in production with EMBEDDED=1', () =>
    expect(readConfig({ NODE_ENV: 'production', EMBEDDED: '1', APP_SECRET }).embedded).toBe(true))
  it.each<[Record<string, string>, isExposed: boolean]>([
    [{}, false],
    [{ HOST: 'localhost', APP_URL: 'http://localhost:3000' }, false],
    [{ HOST: '127.0.0.2', APP_URL: 'http://127.0.0.1:3000' }, false],
    [{ HOST: '::1', APP_URL: 'http://[::1]:3000' }, false],
    [{ NODE_ENV: 'test' }, false],
    [{ NODE_ENV: 'test', HOST: '0.0.0.0' }, true],
    [{ HOST: '::' }, true],
    [{ HOST: '10.0.0.4' }, true],
    [{ HOST: 'localhost.example.ma' }, true],
    [{ APP_URL: 'https://community.example' }, true],
    [{ APP_URL: 'http://192.168.1.20:3000' }, true],
    [{ NODE_ENV: 'production', EMBEDDED: '1', APP_SECRET }, true],
  ])('provides the default admin only when the server is not exposed: %o', (settings, isExposed) => {
    const config = readConfig(settings)
    expect([config.isExposed, config.admin?.isDefault]).toEqual([isExposed, isExposed ? undefined : true])
  })
  it.each<[Record<string, string>, inboxPort: number]>([
    [{}, 8025],
    [{ INBOX_PORT: '8026' }, 8026],
    [{ PORT: '8025' }, 0],
    [{ METRICS_PORT: '8026', INBOX_PORT: '8026' }, 0],
    [{ NODE_ENV: 'production', EMBEDDED: '1', APP_SECRET }, 0],
  ])('chooses the inbox’s port, 0 for any free one: %o', (settings, inboxPort) =>
    expect(readConfig(settings).inboxPort).toBe(inboxPort),
  )
  it('defaults the OAuth issuer to Google', () =>
    expect(readConfig({ OAUTH_CLIENT_ID: 'id', OAUTH_CLIENT_SECRET: 's' }).oauth?.issuer).toBe(
      'https://accounts.google.com',
    ))
  it('requires a proof of work above the limits in production by default', () => {
    const limits = { hourlyPerIp: 30, hourlyTotal: 600 }
    expect(readConfig({}).proofOfWork).toEqual({ mode: 'off', ...limits })
    expect(readConfig(PRODUCTION).proofOfWork).toEqual({ mode: 'auto', ...limits })
    const env = { PROOF_OF_WORK: 'always', PROOF_OF_WORK_HOURLY_PER_IP: '2', PROOF_OF_WORK_HOURLY_TOTAL: '3' }
    expect(readConfig(env).proofOfWork).toEqual({ mode: 'always', hourlyPerIp: 2, hourlyTotal: 3 })
  })
  it('uses the product name in the sender of mails', () => {
    expect(readConfig({})).toMatchObject({ appName: 'Community', mailFrom: '"Community" <no-reply@localhost>' })
    const named = readConfig({ APP_NAME: ' Rif, "Atlas" ', APP_URL: 'https://community.example' })
    expect(named).toMatchObject({
      appName: 'Rif, "Atlas"',
      mailFrom: String.raw`"Rif, \"Atlas\"" <no-reply@community.example>`,
    })
  })
  it('links to chats and social media in production only if they are set', () => {
    const linksOf = (env: NodeJS.ProcessEnv) => readConfig(env).links
    expect(linksOf({})).toMatchObject({
      chatGroup: 'https://chat.whatsapp.com/',
      chatServer: 'https://discord.com/',
      social: ['https://github.com/'],
    })
    expect(linksOf(PRODUCTION)).toMatchObject({ chatGroup: '', chatServer: '', social: [] })
    const CHAT_GROUP_URL = 'https://chat.whatsapp.com/atlas'
    expect(linksOf({ ...PRODUCTION, CHAT_GROUP_URL })).toMatchObject({ chatGroup: CHAT_GROUP_URL, chatServer: '' })
  })
  it('removes duplicate social links', () => {
    const SOCIAL_LINKS = 'https://github.com/atlas,https://x.com/atlas https://github.com/atlas'
    expect(readConfig({ SOCIAL_LINKS }).links.social).toEqual(['https://github.com/atlas', 'https://x.com/atlas'])
  })
  it('parses allowed origins', () => {
    expect(readConfig({}).corsOrigins).toEqual([])
    expect(readConfig({ CORS_ORIGINS: '*' }).corsOrigins).toEqual(['*'])
    const CORS_ORIGINS = 'https://App.example/, http://localhost:5173'
    expect(readConfig({ CORS_ORIGINS }).corsOrigins).toEqual(['https://app.example', 'http://localhost:5173'])
  })
  it('parses trusted proxies', () =>
    expect(readConfig({ TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::1' }).trustProxy).toEqual([
      'loopback',
      '10.0.0.0/8',
      '2001:db8::1',
    ]))
})

describe('invalid settings', () => {
  it.each([
    ['PORT', '99999', 'a port number from 1 to 65535'],
    ['PORT', 'http', 'a port number'],
    ['APP_SECRET', 'x'.repeat(31), 'at least 32 characters'],
    ['APP_SECRET', 'changeme'.repeat(4), 'must be random'],
    ['METRICS_PORT', '0', 'a port number from 1 to 65535'],
    ['DRAIN_SECONDS', '61', 'a number of seconds from 0 to 60'],
    ['APP_URL', 'community.example', 'a URL such as https://community.example'],
    ['APP_URL', 'https://community.example/app', 'without a path'],
    ['CORS_ORIGINS', 'https://app.example/path', '* or list origins'],
    ['CORS_ORIGINS', 'https://app.example, *', '* or list origins'],
    ['CORS_ORIGINS', 'app.example', '* or list origins'],
    ['CORS_ORIGINS', 'null', '* or list origins'],
    ['HOST', 'local host', 'a host name or an IP address'],
    ['MAIL_FROM', 'Community', 'a sender such as Community <hello@'],
    ['APP_NAME', 'A name that is far longer than 30', '1 to 30 characters'],
    ['APP_NAME', 'Atlas\nBcc: eve@example.ma', 'one line'],
    ['SOCIAL_LINKS', 'https://github.com/atlas, instagram', 'list at most 10 URLs'],
    ['SOCIAL_LINKS', 'javascript:alert(1)', 'list at most 10 URLs'],
    ['SOCIAL_LINKS', Array.from({ length: 11 }, (_, n) => `https://x.com/${n}`).join(' '), 'list at most 10 URLs'],
    ['S3_ENDPOINT', 's3.example', 'a URL such as https://s3.example'],
    ['S3_FORCE_PATH_STYLE', 'yes', '1 or 0'],
    ['OAUTH_ISSUER', 'google', 'a URL such as https://accounts.google.com'],
    ['ADMIN_NAME', 'x', '2 to 100 characters'],
    ['DATABASE_URL', 'mysql://x', 'a URL such as postgres://'],
    ['DATABASE_URL', 'postgres://u:p@a:5432,b:none/community', 'a URL such as postgres://'],
    ['DATABASE_POOLER', 'session', 'one of transaction, transaction-prepared'],
    ['DATABASE_DIRECT_URL', 'mysql://x', 'a URL such as postgres://'],
    ['DATABASE_REPLICA_URL', 'mysql://x', 'a URL such as postgres://'],
    ['S3_BUCKET', 'Not A Bucket', 'the name of a bucket'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318', 'a URL such as http://localhost:4318'],
    ['SMTP_URL', 'mail.example', 'a URL such as smtps://'],
    ['SIGN_IN_OTP', 'always', 'one of member-choice, admins, everyone'],
    ['PROOF_OF_WORK', 'on', 'one of off, auto, always'],
    ['PROOF_OF_WORK_HOURLY_PER_IP', '0', 'a number of requests from 1 to 999999'],
    ['PROOF_OF_WORK_HOURLY_TOTAL', 'many', 'a number of requests from 1 to 999999'],
    ['TRUST_PROXY', 'true', 'list the proxies'],
    ['TRUST_PROXY', '1', 'list the proxies'],
    ['NODE_ENV', 'prod', 'one of development, production, test'],
    ['APP_SECRET', 'short', 'at least 32 characters'],
    ['ADMIN_EMAIL', 'boss', 'an e-mail address'],
    ['ADMIN_PASSWORD', 'admin2026', 'rules for administrators'],
    ['PASSWORD_BLOCKLIST', 'yes', '1 or 0'],
    ['LOG_LEVEL', 'loud', 'one of fatal'],
    ['EMBEDDED', 'maybe', '1 or 0'],
  ])('%s=%s', (name, value, advice) => {
    const message = errorMessage({ [name]: value })
    expect(message).toContain(`  ${name} `)
    expect(message).toContain(advice)
    if (/SECRET|PASSWORD/.test(name)) expect(message).not.toContain(value)
  })
  it.each([
    'APP_SECRET',
    'APP_URL',
    'DATABASE_URL',
    'S3_BUCKET',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'SMTP_URL',
    'MAIL_FROM',
  ])('requires %s in production', (name) =>
    expect(errorMessage({ ...PRODUCTION, [name]: '' })).toContain(`  ${name} is missing`),
  )
  it('requires APP_SECRET in production, also with embedded services', () =>
    expect(errorMessage({ NODE_ENV: 'production', EMBEDDED: '1' })).toContain('  APP_SECRET is missing'))
  it.each([
    ...PUBLISHED_SECRETS.map((value) => ['APP_SECRET', value] as const),
    ...PUBLISHED_PASSWORDS.map((value) => ['ADMIN_PASSWORD', value] as const),
  ])('rejects a published %s when the server is exposed', (name, value) => {
    const env = { [name]: value, ...(name === 'ADMIN_PASSWORD' && { ADMIN_EMAIL: 'boss@example.ma' }) }
    expect(errorMessage(env)).toBe('')
    for (const exposed of [PRODUCTION, { HOST: '0.0.0.0' }, { APP_URL: 'https://community.example' }]) {
      const message = errorMessage({ ...exposed, ...env })
      expect(message).toContain(`  ${name} is published with the source code`)
      expect(message).not.toContain(value)
    }
  })
  it('rejects a common ADMIN_PASSWORD when the blocklist is enabled', () => {
    const env = { ADMIN_EMAIL: 'boss@example.ma', ADMIN_PASSWORD: 'Welcome123' }
    const common = '  ADMIN_PASSWORD is one of the most common passwords'
    expect(errorMessage(env)).toBe('')
    expect(errorMessage({ ...env, PASSWORD_BLOCKLIST: '1' })).toContain(common)
    expect(errorMessage({ ...PRODUCTION, ...env })).toContain(common)
    expect(errorMessage({ ...PRODUCTION, ...env, PASSWORD_BLOCKLIST: '0' })).toBe('')
    const weak = errorMessage({ ...PRODUCTION, ...env, ADMIN_PASSWORD: 'Qwerty123' })
    expect(weak).toContain('  ADMIN_PASSWORD does not meet the rules for administrators')
  })
  it('requires variables that belong together', () => {
    expect(errorMessage({ S3_BUCKET: 'community' })).toContain('S3_ACCESS_KEY_ID is missing')
    const DATABASE_DIRECT_URL = 'postgres://u:p@db/community'
    expect(errorMessage({ DATABASE_DIRECT_URL })).toContain('DATABASE_URL is missing')
    expect(errorMessage({ DATABASE_REPLICA_URL: DATABASE_DIRECT_URL })).toContain('DATABASE_URL is missing')
    expect(errorMessage({ DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL })).toContain('DATABASE_URL is missing')
    const pooled = { DATABASE_POOLER: 'transaction', DATABASE_URL: 'postgres://u:p@pooler/community' }
    expect(errorMessage(pooled)).toContain('DATABASE_DIRECT_URL is missing: migrations need a session')
    expect(readConfig({ ...pooled, DATABASE_DIRECT_URL })).toMatchObject({ databasePooler: 'transaction' })
    expect(errorMessage({ OAUTH_CLIENT_ID: 'id' })).toContain('OAUTH_CLIENT_SECRET is missing')
    expect(errorMessage({ ADMIN_EMAIL: 'a@b.ma' })).toContain('ADMIN_PASSWORD is missing')
  })
  it('reports all problems at once, invalid or missing', () => {
    const message = errorMessage({ ...PRODUCTION, PORT: 'x', LOG_LEVEL: 'y', SMTP_URL: '' })
    expect(message.match(/^ {2}[A-Z_]+ /gm)).toEqual(['  PORT ', '  LOG_LEVEL ', '  SMTP_URL '])
  })
})

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')

  it('lists every variable and no other', () =>
    expect(Object.keys(parseEnv(text)).toSorted()).toEqual(Object.keys(Variables.shape).toSorted()))
  it('states the defaults', () => expect(readConfig(parseEnv(text))).toEqual(readConfig({})))
})
