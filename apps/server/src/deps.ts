import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createPasswords } from './auth/passwords.ts'
import { secretFrom } from './auth/secret.ts'
import type { Deps } from './context.ts'
import type { Env } from './config.ts'
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

async function databaseUrlOf(env: Env, log: FastifyBaseLogger, closers: Closer[]): Promise<string> {
  if (env.databaseUrl) return env.databaseUrl
  const { startEmbeddedPostgres } = await import('@community/db/embedded')
  const postgres = await startEmbeddedPostgres({
    dir: path.join(env.dataDir, 'postgres'),
    database: 'community',
    log: (line) => log.debug(line),
  }).catch((error: unknown) => {
    throw unusableFor(env.dataDir, 'the embedded PostgreSQL', error)
  })
  closers.push(() => postgres.stop())
  return postgres.url
}

async function openStorage(env: Env, closers: Closer[]): Promise<Storage> {
  if (env.s3) {
    const storage = (await import('./integrations/storage-s3.ts')).createS3Storage(env.s3)
    closers.push(async () => storage.close())
    return storage
  }
  const { createFileStorage } = await import('./integrations/storage-files.ts')
  const storage = createFileStorage(path.join(env.dataDir, 'files'))
  await storage.check().catch((error: Error) => {
    throw unusableFor(env.dataDir, 'files', error.cause)
  })
  return storage
}

async function catchMails(env: Env, closers: Closer[]) {
  const { startMailCatcher } = await import('./embedded/mail-catcher.ts')
  const catcher = await startMailCatcher({ dir: path.join(env.dataDir, 'mails') }).catch((error: unknown) => {
    throw unusableFor(env.dataDir, 'caught mails', error)
  })
  closers.push(() => catcher.close())
  return catcher
}

const needsDataDir = ({ secret, s3, databaseUrl: url, smtpUrl }: Env) => !(secret && s3 && url && smtpUrl)

/** Opens everything the server stands on; what fails closes what was opened before it. */
export async function openDeps(env: Env, log: FastifyBaseLogger): Promise<OpenDeps> {
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'closing'))
  }
  try {
    await checkMigrations(env)
    if (needsDataDir(env)) await prepareDataDir(env.dataDir)
    // First what is looked at quickly: PostgreSQL is not started for settings that stop the start.
    const secret = secretFrom(env.secret ? Buffer.from(env.secret) : await keptSecret(env.dataDir))
    const storage = await openStorage(env, closers)
    const databaseUrl = await databaseUrlOf(env, log, closers)
    const connection = openPool(databaseUrl)
    closers.push(() => connection.close())
    const health = openPool(databaseUrl, { max: 1 })
    closers.push(() => health.close())

    let { smtpUrl } = env
    let inboxUrl: string | undefined
    if (!smtpUrl) {
      const catcher = await catchMails(env, closers)
      smtpUrl = catcher.smtpUrl
      inboxUrl = catcher.webUrl
    }
    const mailer = createMailer({ smtpUrl, from: env.mailFrom })
    closers.push(async () => mailer.close())

    let { oauth } = env
    if (!oauth && env.nodeEnv === 'development') {
      const { startIdentityProvider } = await import('./embedded/identity-provider.ts')
      const provider = await startIdentityProvider({ appUrl: env.appUrl })
      closers.push(() => provider.close())
      oauth = provider.oauth
    }

    const deps: Deps = {
      env,
      db: connection.db,
      healthDb: health.db,
      storage,
      mailer,
      identityProvider: oauth ? createIdentityProvider(oauth, env.appUrl) : null,
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
