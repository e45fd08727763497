import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { ensureFirstAdmin } from '../auth/first-admin.ts'
import type { Deps } from '../context.ts'
import { openDeps } from '../deps.ts'
import { type Config, ConfigError } from '../config.ts'
import { createJobHandlers } from '../jobs/handlers.ts'
import { createLog } from '../observability/log.ts'
import { recurringKinds } from '../jobs/concurrency-limits.ts'
import { startWorker, type Worker } from '../jobs/worker.ts'
import { checkAdminPasswords } from './check-admin-passwords.ts'
import { checkPort, listenError } from './check-port.ts'
import { buildMissingIndexes } from './build-missing-indexes.ts'
import { claimSecret } from './claim-secret.ts'
import { waitForDatabase } from './wait-for-database.ts'
import { prepareStatements } from './prepare-statements.ts'
import { printStartupSummary } from './print-startup-summary.ts'
import { ServiceUnavailable, describeError, unusableSetting } from './setting-errors.ts'
import { warnAboutServices } from './warn-about-services.ts'
import { readWebFiles } from '../http/static-files.ts'

/** Milliseconds from the end of the drain to a forced exit with 1. */
const STOP_TIMEOUT_MS = 10_000
/** Milliseconds that a stop waits for responses and running jobs: longer than the response timeout; the rest is for closing the database. */
const FINISH_TIMEOUT_MS = 8000
/** Milliseconds that a start waits for its services before it listens without them. */
const LISTEN_DELAY_MS = 3000

interface StartingServer {
  /** Resolves when the server is ready; rejects when it cannot start or is stopped while starting. */
  ready: Promise<void>
  /** Closes everything in reverse order, including services that are still being opened. */
  stop(drainSeconds?: number): Promise<void>
}

/** Starts the server without handling signals or ending the process: see `serve`. */
export function startServer(config: Config, log = createLog(config.logLevel)): StartingServer {
  const closers: (() => Promise<unknown>)[] = []
  const [shutdown, jobsAbort] = [new AbortController(), new AbortController()]
  let stopping: Promise<void> | undefined
  let isClosed = false
  /** Undefined until the start has finished: a stop may come earlier. */
  let worker: Worker | undefined
  /** Closes the app and stops the worker at the same time, so that a job that hangs takes no time from the responses. */
  const finishWork = async (app: FastifyInstance) => {
    const done = Promise.all([app.close(), worker?.stop()]).then(() => true)
    if (!(await Promise.race([done, sleep(FINISH_TIMEOUT_MS, false, { ref: false })])))
      log.warn(
        'stopped before all responses and jobs were finished; other processes or the next start run the jobs again',
      )
  }
  const closeAll = async () => {
    isClosed = true
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'error while stopping'))
  }
  const stop = async (drainSeconds: number) => {
    shutdown.abort()
    await sleep(drainSeconds * 1000)
    // Wait for services that are still starting, so that they are closed too.
    await opening.catch(() => {})
    await closeAll()
  }
  /** Closes a service when the server stops. Throws if it has stopped meanwhile. */
  const closeOnStop = async (closer: () => Promise<unknown>) => {
    closers.push(closer)
    if (isClosed) await closeAll()
    shutdown.signal.throwIfAborted()
  }

  const open = async () => {
    await checkPort(config.host, config.port).catch((error: unknown) => {
      throw listenError(config, error)
    })
    const opened = await openDeps(config, log)
    closers.push(() => opened.close())
    return opened
  }
  const opening = open()
  const start = async () => {
    const { deps, databaseUrl, inboxUrl } = await opening
    shutdown.signal.throwIfAborted()
    // Runs while the app is built; awaited once liveness can be answered.
    const prepared = Promise.all([
      waitForDatabase({ url: databaseUrl, config, log, shutdown: shutdown.signal }, () => prepareDatabase(deps)),
      checkStorage(deps),
    ])
    prepared.catch(() => {})
    let isReady = false
    const metrics = await startMetricsServer(deps)
    if (metrics) await closeOnStop(() => metrics.close())
    const app = await buildApp(deps, {
      web: await loadWebApp(config),
      logger: log,
      shutdownSignal: shutdown.signal,
      isReady: () => isReady,
      ...(metrics && { onResponse: metrics.onResponse, onLive: metrics.onLive }),
    })
    await closeOnStop(() => finishWork(app))
    // While the port is closed a proxy holds requests back, so a restart rejects none.
    await Promise.race([prepared.catch(() => {}), sleep(LISTEN_DELAY_MS, undefined, { ref: false })])
    shutdown.signal.throwIfAborted()
    await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw listenError(config, error)
    })
    const [admin] = await prepared
    if (process.argv[2] === 'demo') await (await import('../demo/seed.ts')).seedDemo(deps)
    shutdown.signal.throwIfAborted()
    const handlers = createJobHandlers(deps, {
      stopping: jobsAbort.signal,
      onCountsCorrected: metrics?.onCountsCorrected,
    })
    metrics?.addJobs(recurringKinds(handlers))
    worker = startWorker(deps, handlers, { onRecurringRun: metrics?.onJobDone })
    closers.push(async () => jobsAbort.abort())
    isReady = true
    void buildMissingIndexes(config.databaseDirectUrl ?? databaseUrl, log, shutdown.signal)
    printStartupSummary(config.appUrl, inboxUrl, admin)
    void warnAboutServices(deps)
    void prepareStatements(log, shutdown.signal)
  }
  return { ready: start(), stop: (drainSeconds = 0) => (stopping ??= stop(drainSeconds)) }
}

/** Runs the server until a signal stops it. Ends the process with 1 when it cannot start. */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const server = startServer(config, log)
  let isStopping = false
  const stopAndExit = async (drainSeconds = 0) => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), drainSeconds * 1000 + STOP_TIMEOUT_MS).unref()
    await server.stop(drainSeconds)
    process.exit(process.exitCode ?? 0)
  }
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stopAndExit())
  process.on('SIGTERM', () => void stopAndExit(config.drainSeconds))
  // The launcher has exited.
  process.on('disconnect', () => void stopAndExit())

  try {
    await server.ready
  } catch (error) {
    // A stop interrupted the start.
    if (isStopping) return
    if (error instanceof ConfigError) process.stderr.write(`${error.message}\n`)
    else log.fatal({ err: error }, 'the start failed')
    process.exitCode = 1
    await stopAndExit()
  }
}

/** Returns the first administrator. Claims the secret last: a start that fails before must not bind the database to it. */
async function prepareDatabase(deps: Deps) {
  await checkAdminPasswords(deps)
  const admin = await ensureFirstAdmin(deps)
  await claimSecret(deps)
  return admin
}

/** Throws for wrong storage settings; only logs that the storage is unavailable, since each use tries it again. */
async function checkStorage({ config, log }: Deps): Promise<void> {
  if (!config.s3) return
  const { checkS3 } = await import('./check-s3.ts')
  await checkS3(config.s3).catch((error: unknown) => {
    if (!(error instanceof ServiceUnavailable)) throw error
    log.warn(`${error.message}. Until it is available uploads and files get 503.`)
  })
}

/** Imports prom-client only if METRICS_PORT is set. */
async function startMetricsServer(deps: Deps) {
  const { host, metricsPort } = deps.config
  if (metricsPort === undefined) return undefined
  const { startMetrics } = await import('../observability/metrics.ts')
  return startMetrics(deps, metricsPort).catch((error: unknown) => {
    throw unusableSetting(
      'METRICS_PORT',
      `cannot listen on ${host}:${metricsPort} (${describeError(error)}); set it to a free port`,
    )
  })
}

/** The built web app. While developing, Vite may serve it instead. */
async function loadWebApp({ webDir, nodeEnv, appName, appUrl }: Config) {
  if (nodeEnv === 'development' && !existsSync(webDir)) return undefined
  return readWebFiles(webDir, { appName, appUrl }).catch((error: unknown) => {
    throw unusableSetting(
      'WEB_DIR',
      `${webDir} holds no built web app (${describeError(error)}); build it, or name the folder that has it`,
    )
  })
}
