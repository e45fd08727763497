import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createPasswords } from './auth/passwords.ts'
import { secretFrom } from './auth/secret.ts'
import type { Deps } from './context.ts'
import type { Config } from './config.ts'
import { createIdentityProvider } from './integrations/identity-provider.ts'
import { createMailer } from './integrations/mailer.ts'
import type { Storage } from './integrations/storage.ts'
import { keptSecret, prepareDataDir, unusableFor } from './start/data-dir.ts'
import { checkMigrations, openPool } from './start/wait-for-database.ts'

/** What a start opened, and how it is closed again: in the opposite order. */
export interface OpenDeps {
  deps: Deps
  /** Of the database: the setting's, or that of the embedded one. It may be away, and is not up to date yet. */
  databaseUrl: string
  /** Where the embedded mail catcher shows its inbox. */
  inboxUrl?: string | undefined
  close: () => Promise<void>
}

type Closer = () => Promise<unknown>

async function databaseUrlOf(config: Config, log: FastifyBaseLogger, closers: Closer[]): Promise<string> {
  if (config.databaseUrl) return config.databaseUrl
  const { startEmbeddedPostgres } = await import('@community/db/embedded')
  const postgres = await startEmbeddedPostgres({
    dir: path.join(config.dataDir, 'postgres'),
    database: 'community',
    log: (line) => log.debug(line),
  }).catch((error: unknown) => {
    throw unusableFor(config.dataDir, 'the embedded PostgreSQL', error)
  })
  closers.push(() => postgres.stop())
  return postgres.url
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
    throw unusableFor(config.dataDir, 'files', error.cause)
  })
  return storage
}

async function catchMails(config: Config, closers: Closer[]) {
  const { startMailCatcher } = await import('./embedded/mail-catcher.ts')
  const catcher = await startMailCatcher({ dir: path.join(config.dataDir, 'mails') }).catch((error: unknown) => {
    throw unusableFor(config.dataDir, 'caught mails', error)
  })
  closers.push(() => catcher.close())
  return catcher
}

const needsDataDir = ({ secret, s3, databaseUrl: url, smtpUrl }: Config) => !(secret && s3 && url && smtpUrl)

/** Opens everything the server stands on; what fails closes what was opened before it. */
export async function openDeps(config: Config, log: FastifyBaseLogger): Promise<OpenDeps> {
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'closing'))
  }
  try {
    await checkMigrations(config)
    if (needsDataDir(config)) await prepareDataDir(config.dataDir)
    // First what is looked at quickly: PostgreSQL is not started for settings that stop the start.
    const secret = secretFrom(config.secret ? Buffer.from(config.secret) : await keptSecret(config.dataDir))
    const storage = await openStorage(config, closers)
    const databaseUrl = await databaseUrlOf(config, log, closers)
    const connection = openPool(databaseUrl)
    closers.push(() => connection.close())
    const health = openPool(databaseUrl, { max: 1 })
    closers.push(() => health.close())

    let { smtpUrl } = config
    let inboxUrl: string | undefined
    if (!smtpUrl) {
      const catcher = await catchMails(config, closers)
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
      db: connection.db,
      healthDb: health.db,
      storage,
      mailer,
      identityProvider: oauth ? createIdentityProvider(oauth, config.appUrl) : null,
      passwords: createPasswords(),
      secret,
      log,
    }
    return { deps, databaseUrl, inboxUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}
