import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { prepareAll } from '@community/db'
import { buildApp } from '../app.ts'
import { ensureFirstAdmin } from '../auth/first-admin.ts'
import type { Deps } from '../context.ts'
import { openDeps } from '../deps.ts'
import { type Config, ConfigError } from '../config.ts'
import { housekeepingHandler } from '../jobs/housekeeping.ts'
import { mailHandler } from '../jobs/mail.ts'
import { createLog } from '../observability/log.ts'
import { startWorker } from '../jobs/worker.ts'
import { checkAdminPasswords } from './check-admin-passwords.ts'
import { claimSecret } from './claim-secret.ts'
import { onceDatabaseIsThere } from './wait-for-database.ts'
import { Away, reasonOf, unusable } from './setting-errors.ts'
import { warnAboutServices } from './warn-about-services.ts'
import { readWebFiles } from '../http/static-files.ts'

/** Milliseconds a stop may take before the process ends anyway. */
const STOP_PATIENCE = 10_000

/** Fails early and clearly where another program listens, before any service is started. */
const portIsFree = (host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(port, host, () => probe.close(() => resolve()))
  })

const cannotListen = ({ host, port }: Config, error: unknown): ConfigError =>
  (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? unusable('PORT', `${port} is in use by another program; set PORT to a free one`)
    : unusable(
        'HOST, PORT',
        `cannot listen on ${host}:${port} (${reasonOf(error)}); set HOST to an address of this machine and PORT to one that this process may open`,
      )

export interface StartingServer {
  /** Resolves once calls are answered; rejects where the server cannot begin, or is stopped before it has begun. */
  ready: Promise<void>
  /** Closes what was opened, the last first, also what is being opened now. */
  stop(drainSeconds?: number): Promise<void>
}

/** Starts the product in this process, which it neither listens to nor ends. */
export function startServer(config: Config, log = createLog(config.logLevel)): StartingServer {
  const closers: (() => Promise<unknown>)[] = []
  const leaving = new AbortController()
  let stopping: Promise<void> | undefined
  const stop = async (drainSeconds: number) => {
    leaving.abort()
    await sleep(drainSeconds * 1000)
    // Whoever stops us while services are still starting waits for them: none is left behind.
    await opening.catch(() => {})
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'stopping'))
  }

  const open = async () => {
    await portIsFree(config.host, config.port).catch((error: unknown) => {
      throw cannotListen(config, error)
    })
    const opened = await openDeps(config, log)
    closers.push(() => opened.close())
    return opened
  }
  const opening = open()
  const begin = async () => {
    const { deps, databaseUrl, inboxUrl } = await opening
    leaving.signal.throwIfAborted()
    // Asked while the app is built. What it says is heard once everybody else can be answered.
    const begun = Promise.all([
      onceDatabaseIsThere({ url: databaseUrl, config, log, leaving: leaving.signal }, () => enterDatabase(deps)),
      lookAtStorage(deps),
    ])
    begun.catch(() => {})
    let isReady = false
    const metrics = await tellMetrics(deps)
    if (metrics) closers.push(() => metrics.close())
    const app = await buildApp(deps, {
      web: await builtWeb(config),
      logger: log,
      shutdownSignal: leaving.signal,
      isReady: () => isReady,
      ...(metrics && { onResponse: metrics.onResponse }),
    })
    closers.push(() => app.close())
    await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw cannotListen(config, error)
    })
    const [admin] = await begun
    if (process.argv[2] === 'demo') await (await import('../demo/seed.ts')).seedDemo(deps)
    leaving.signal.throwIfAborted()
    const worker = startWorker(deps, {
      mail: mailHandler(deps),
      housekeeping: housekeepingHandler(deps, metrics?.onJobDone),
    })
    closers.push(() => worker.stop())
    isReady = true
    announce(config.appUrl, inboxUrl, admin)
    void warnAboutServices(deps)
    await prepareAll()
  }
  return { ready: begin(), stop: (drainSeconds = 0) => (stopping ??= stop(drainSeconds)) }
}

/** Starts the product and keeps it running until the process is told to stop; ends the process where it cannot begin. */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const server = startServer(config, log)
  let isStopping = false
  const end = async (drainSeconds = 0) => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), drainSeconds * 1000 + STOP_PATIENCE).unref()
    await server.stop(drainSeconds)
    process.exit(process.exitCode ?? 0)
  }
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end())
  process.on('SIGTERM', () => void end(config.drainSeconds))
  // The launcher is gone, however it went.
  process.on('disconnect', () => void end())

  try {
    await server.ready
  } catch (error) {
    // It was cut off by the stop.
    if (isStopping) return
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
    else log.fatal({ err: error }, 'the start failed')
    process.exitCode = 1
    await end()
  }
}

/** Answers who the first administrator is. The secret comes last: a start that is refused before binds the database to none. */
async function enterDatabase(deps: Deps) {
  await checkAdminPasswords(deps)
  const admin = await ensureFirstAdmin(deps)
  await claimSecret(deps)
  return admin
}

/** Wrong settings of the storage stop the start; one that is away is told of, and found by whoever uses it once it is back. */
async function lookAtStorage({ config, log }: Deps): Promise<void> {
  if (!config.s3) return
  const { checkS3 } = await import('./s3.ts')
  await checkS3(config.s3).catch((error: unknown) => {
    if (!(error instanceof Away)) throw error
    log.warn(`${error.message}. Until it answers uploads and files are 503.`)
  })
}

/** Loaded only where it is asked for. */
async function tellMetrics(deps: Deps) {
  const { host, metricsPort } = deps.config
  if (metricsPort === undefined) return undefined
  const { startMetrics } = await import('../observability/metrics.ts')
  return startMetrics(deps, metricsPort).catch((error: unknown) => {
    throw unusable(
      'METRICS_PORT',
      `cannot listen on ${host}:${metricsPort} (${reasonOf(error)}); set it to a free port`,
    )
  })
}

/** The built web app. While developing, Vite may serve it instead. */
async function builtWeb({ webDir, nodeEnv, appName }: Config) {
  if (nodeEnv === 'development' && !existsSync(webDir)) return undefined
  return readWebFiles(webDir, appName).catch((error: unknown) => {
    throw unusable(
      'WEB_DIR',
      `${webDir} holds no built web app (${reasonOf(error)}); build it, or name the folder that has it`,
    )
  })
}

function announce(
  appUrl: string,
  inboxUrl: string | undefined,
  admin: { email: string; password?: string } | null,
): void {
  const lines = [
    ['App', appUrl],
    ['API docs', `${appUrl}/api/docs`],
    ...(inboxUrl ? [['Mail inbox', inboxUrl]] : []),
    ...(admin ? [['First admin', admin.password ? `${admin.email} / ${admin.password}` : admin.email]] : []),
  ]
  process.stdout.write(
    `\n${lines.map(([what, where]) => `  ${`${what}:`.padEnd(13)}${where}`).join('\n')}\n\n  Ready after ${process.uptime().toFixed(1)} s. Stop with Ctrl-C.\n\n`,
  )
}
