import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { connect, migrate, prepareAll } from '@community/db'
import type { FastifyBaseLogger } from 'fastify'
import { createPasswords } from './auth/passwords.ts'
import { secretFrom } from './auth/secret.ts'
import type { Deps } from './context.ts'
import type { Env } from './env.ts'
import { createIdentityProvider } from './integrations/identity-provider.ts'
import { createMailer } from './integrations/mailer.ts'
import type { Storage } from './integrations/storage.ts'

/** What a start opened, and how it is closed again: in the opposite order. */
export interface OpenDeps {
  deps: Deps
  /** Where the embedded mail catcher shows its inbox. */
  inboxUrl?: string | undefined
  close: () => Promise<void>
}

type Closer = () => Promise<unknown>

/** A secret of this installation: given by APP_SECRET, else made once and kept beside the data. */
async function secretKey(env: Env): Promise<Buffer> {
  if (env.secret) return Buffer.from(env.secret)
  const file = path.join(env.dataDir, 'app-secret')
  const kept = await readFile(file).catch(() => null)
  if (kept && kept.length >= 32) return kept
  await mkdir(env.dataDir, { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  await rename(draft, file)
  await chmod(file, 0o600)
  return readFile(file)
}

async function databaseUrl(env: Env, log: FastifyBaseLogger, closers: Closer[]): Promise<string> {
  if (env.databaseUrl) return env.databaseUrl
  const { startEmbeddedPostgres } = await import('@community/db/embedded')
  const postgres = await startEmbeddedPostgres({
    dir: path.join(env.dataDir, 'postgres'),
    database: 'community',
    log: (line) => log.debug(line),
  })
  closers.push(() => postgres.stop())
  return postgres.url
}

async function openStorage(env: Env): Promise<Storage> {
  if (env.s3) return (await import('./integrations/storage-s3.ts')).createS3Storage(env.s3)
  return (await import('./integrations/storage-files.ts')).createFileStorage(path.join(env.dataDir, 'files'))
}

/** Opens everything the server stands on; what fails closes what was opened before it. */
export async function openDeps(env: Env, log: FastifyBaseLogger): Promise<OpenDeps> {
  const closers: Closer[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'closing'))
  }
  try {
    const url = await databaseUrl(env, log, closers)
    await migrate(url, env.migrationsDir)
    const connection = connect(url)
    closers.push(() => connection.close())
    prepareAll(connection.db)

    let { smtpUrl } = env
    let inboxUrl: string | undefined
    if (!smtpUrl) {
      const { startMailCatcher } = await import('./embedded/mail-catcher.ts')
      const catcher = await startMailCatcher({ dir: path.join(env.dataDir, 'mails') })
      closers.push(() => catcher.close())
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
      storage: await openStorage(env),
      mailer,
      identityProvider: oauth ? createIdentityProvider(oauth, env.appUrl) : null,
      passwords: createPasswords(),
      secret: secretFrom(await secretKey(env)),
      log,
    }
    return { deps, inboxUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}
