import path from 'node:path'
import type { ConnectOptions, Db } from '@community/db'
import type { FastifyBaseLogger } from 'fastify'
import { createPasswordHasher } from './auth/passwords.ts'
import { createSecret } from './auth/secret.ts'
import type { Deps } from './context.ts'
import type { Config, OauthSettings } from './config.ts'
import { createMailer } from './integrations/mailer.ts'
import { createReplica, createPrimaryRead } from './database/replica.ts'
import type { Storage } from './integrations/storage.ts'
import { loadOrCreateSecret, prepareDataDir, unusableDataDir } from './start/data-dir.ts'
import { checkMigrations, openPool } from './start/wait-for-database.ts'

/** The opened dependencies. `close` closes them in reverse order. */
interface OpenDeps {
  deps: Deps
  /** From the settings, or of the embedded database. It may be unreachable and is not migrated yet. */
  databaseUrl: string
  /** The inbox of the embedded mail catcher. */
  inboxUrl?: string | undefined
  close: () => Promise<void>
}

type Closer = () => Promise<unknown>

async function openDatabase(config: Config, log: FastifyBaseLogger, closers: Closer[]): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl
  const { startEmbeddedPostgres } = await import('@community/db/embedded')
  const postgres = await startEmbeddedPostgres({
    dir: path.join(config.dataDir, 'postgres'),
    database: 'community',
    log: (line) => log.debug(line),
  }).catch((error: unknown) => {
    throw unusableDataDir(config.dataDir, 'the embedded PostgreSQL', error)
  })
  closers.push(() => postgres.stop())
  return postgres.url
}

function openReplica(
  { databaseReplicaUrl: url }: Config,
  { primary, exports }: { primary: Db; exports: Db },
  log: FastifyBaseLogger,
  closers: Closer[],
): Pick<Deps, 'replica' | 'readStats' | 'readExport'> {
  if (url === undefined)
    return { replica: null, readStats: createPrimaryRead(primary), readExport: createPrimaryRead(exports) }
  const open = (options: ConnectOptions) => {
    const pool = openPool(url, { ...options, isReplica: true }, 'DATABASE_REPLICA_URL')
    closers.push(() => pool.close())
    return pool.db
  }
  const db = open({ max: 2 })
  const replica = createReplica(primary, db, log)
  return {
    replica,
    readStats: replica.createRead({ primary, replica: db }),
    readExport: replica.createRead({ primary: exports, replica: open({ max: 1, hasAnswerTimeout: false }) }),
  }
}

/** Starts tracing if there is an endpoint for it. OpenTelemetry is imported only then, because it would slow down the start. */
async function openTracing({ otlpEndpoint }: Config, log: FastifyBaseLogger, closers: Closer[]) {
  if (otlpEndpoint === undefined) return undefined
  const tracing = (await import('./observability/tracing.ts')).startTracing(otlpEndpoint, log)
  closers.push(() => tracing.close())
  return tracing
}

async function openStorage(config: Config, closers: Closer[]): Promise<Storage> {
  if (config.s3) {
    const storage = (await import('./integrations/storage-s3.ts')).createS3Storage(config.s3)
    closers.push(async () => storage.close())
    return storage
  }
  const { createFileStorage } = await import('./integrations/storage-files.ts')
  const storage = createFileStorage(path.join(config.dataDir, 'files'))
  await storage.check().catch((error: Error) => {
    throw unusableDataDir(config.dataDir, 'files', error.cause)
  })
  return storage
}

/** The OpenID client is imported only if there is a provider, because it would slow down the start. */
async function openIdentityProvider(oauth: OauthSettings, appUrl: string) {
  const { createIdentityProvider } = await import('./integrations/identity-provider.ts')
  return createIdentityProvider(oauth, appUrl)
}

async function openMailCatcher(config: Config, closers: Closer[]) {
  const { startMailCatcher } = await import('./embedded/mail-catcher.ts')
  const catcher = await startMailCatcher({
    dir: path.join(config.dataDir, 'mails'),
    inboxPort: config.inboxPort,
  }).catch((error: unknown) => {
    throw unusableDataDir(config.dataDir, 'caught mails', error)
  })
  closers.push(() => catcher.close())
  return catcher
}

const needsDataDir = ({ secret, s3, databaseUrl: url, smtpUrl }: Config) => !(secret && s3 && url && smtpUrl)

/** Opens what a command needs to read or write the content: the storage and the database's URL. */
export async function openStorageAndDatabase(config: Config, log: FastifyBaseLogger) {
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed()) await closer()
  }
  try {
    await checkMigrations(config)
    if (!(config.s3 && config.databaseUrl)) await prepareDataDir(config.dataDir)
    const storage = await openStorage(config, closers)
    return { storage, databaseUrl: await openDatabase(config, log, closers), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Opens the server's dependencies. If one fails, closes those opened before it and rethrows. */
export async function openDeps(config: Config, log: FastifyBaseLogger): Promise<OpenDeps> {
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'closing a dependency failed'))
  }
  try {
    await checkMigrations(config)
    if (needsDataDir(config)) await prepareDataDir(config.dataDir)
    const tracing = await openTracing(config, log, closers)
    // Cheap checks come first, so that invalid settings do not start the embedded PostgreSQL.
    const secret = createSecret(config.secret ? Buffer.from(config.secret) : await loadOrCreateSecret(config.dataDir))
    const storage = await openStorage(config, closers)
    const databaseUrl = await openDatabase(config, log, closers)
    const { databasePooler: pooler } = config
    const pool = openPool(databaseUrl, { pooler })
    closers.push(() => pool.close())
    const healthPool = openPool(databaseUrl, { max: 1, pooler })
    closers.push(() => healthPool.close())
    const exportPool = openPool(databaseUrl, { max: 1, hasAnswerTimeout: false, pooler })
    closers.push(() => exportPool.close())
    const replicaDeps = openReplica(config, { primary: pool.db, exports: exportPool.db }, log, closers)

    let { smtpUrl } = config
    let inboxUrl: string | undefined
    if (!smtpUrl) {
      const catcher = await openMailCatcher(config, closers)
      smtpUrl = catcher.smtpUrl
      inboxUrl = catcher.webUrl
    }
    const mailer = createMailer({ smtpUrl, from: config.mailFrom })
    closers.push(async () => mailer.close())

    let { oauth } = config
    if (!oauth && config.nodeEnv === 'development') {
      const { startIdentityProvider } = await import('./embedded/identity-provider.ts')
      const provider = await startIdentityProvider({ appUrl: config.appUrl })
      closers.push(() => provider.close())
      oauth = provider.oauth
    }

    const deps: Deps = {
      config,
      db: pool.db,
      healthDb: healthPool.db,
      ...replicaDeps,
      openDirect: () => openPool(config.databaseDirectUrl ?? databaseUrl, { max: 1, hasAnswerTimeout: false }),
      storage,
      mailer,
      identityProvider: oauth ? await openIdentityProvider(oauth, config.appUrl) : null,
      passwords: createPasswordHasher(),
      secret,
      log,
      tracing,
    }
    return { deps, databaseUrl, inboxUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}
