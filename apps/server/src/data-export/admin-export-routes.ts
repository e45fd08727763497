import { appErrors, withMessage } from '@community/contract'
import { inTransaction } from '@community/db'
import { TRPCError } from '@trpc/server'
import type { FastifyPluginAsync } from 'fastify'
import { type AuditEntry, audit } from '../admin/audit.ts'
import { confirmAdminPassword } from '../admin/confirm-admin-password.ts'
import type { AuthenticatedContext, CreateContext, Deps } from '../context.ts'
import { AppError } from '../errors.ts'
import { createConcurrencyLimiter } from '../http/concurrency-limit.ts'
import { READ_COST } from '../http/read-limit.ts'
import { onResponseFinished } from '../http/response-finished.ts'
import { assertAdmin } from '../personal-tokens/assert-scope.ts'
import { lockAdmin } from '../users/lock-user.ts'
import { BYTE_ORDER_MARK, formatCsvLine } from './csv.ts'
import { CSV_TABLE_NAMES, CSV_TABLES, type CsvTableName, csvQuery } from './csv-tables.ts'
import { downloadHeaders } from './download-headers.ts'
import { ArchiveError, currentSchema } from './archive/manifest.ts'
import { ArchiveInput } from './archive-input.ts'
import { openDownload } from './open-download.ts'
import { readCursor, streamSnapshot } from './snapshot.ts'

const otherVersion = withMessage(
  appErrors.unavailable,
  'This server and the database are of different versions. Try again after the upgrade.',
)

/** Throws during a rolling upgrade, and after an earlier version was started again: an archive names its schema. */
async function assertVersion({ db, config }: Deps): Promise<void> {
  await currentSchema(db, config.migrationsDir).catch((error: unknown) => {
    throw error instanceof ArchiveError ? new AppError(otherVersion, { cooldown: 60 }) : error
  })
}

/** Call it before any row is sent, because an aborted download has disclosed some rows. */
const auditDownload = (ctx: AuthenticatedContext, entry: AuditEntry): Promise<void> =>
  inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, ctx)
    await audit(tx, ctx, { targetType: 'export', ...entry })
  })

/** `GET /admin/export/{table}.csv`: tables for spreadsheets; `POST /admin/export`: everything. Both streamed from a snapshot. */
export const adminExportRoutes: FastifyPluginAsync<{ deps: Deps; createContext: CreateContext }> = async (
  app,
  { deps, createContext },
) => {
  // One at a time in this process: each reads tables with the one connection for exports.
  const tableLimiter = createConcurrencyLimiter({ max: 1, maxWaitMs: 1000 })
  const archiveLimiter = createConcurrencyLimiter({ max: 1, maxWaitMs: 1000 })
  const openTable = (name: CsvTableName) =>
    streamSnapshot(deps.readExport, async function* lines(tx) {
      const table = CSV_TABLES[name]
      yield BYTE_ORDER_MARK + formatCsvLine(Object.keys(table.columns))
      for await (const rows of readCursor(tx, csvQuery(table)))
        yield rows.map((row) => formatCsvLine(Object.values(row))).join('')
    })

  for (const name of CSV_TABLE_NAMES)
    app.get(`/admin/export/${name}.csv`, { exposeHeadRoute: false }, async (request, reply) => {
      const ctx = await createContext(request, reply)
      assertAdmin(ctx)
      const body = await openDownload(deps, ctx, [request, reply], {
        limiter: tableLimiter,
        cost: READ_COST.table,
        async open() {
          await auditDownload(ctx, { action: 'admin.exportCsv', details: { name } })
          return openTable(name)
        },
      })
      return reply.headers(downloadHeaders('text/csv; charset=utf-8', deps.config.appName, `-${name}.csv`)).send(body)
    })

  app.post('/admin/export', async (request, reply) => {
    const ctx = await createContext(request, reply)
    assertAdmin(ctx)
    const input = ArchiveInput.safeParse(request.body ?? {})
    if (!input.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: input.error })
    const body = await openDownload(deps, ctx, [request, reply], {
      limiter: archiveLimiter,
      cost: READ_COST.export,
      async open() {
        // Behind the limiter, so that this route hashes one password at a time.
        await confirmAdminPassword({ ...ctx, deps }, input.data.password ?? '')
        await assertVersion(deps)
        const { release } = await tableLimiter.acquire(ctx.user.id)
        onResponseFinished(request, reply, release)
        await auditDownload(ctx, { action: 'admin.exportAll' })
        // Loaded when needed, because it sorts the tables.
        const { createArchiveStream } = await import('./archive/write-archive.ts')
        // The files follow the tables, for hours, and need no connection.
        const readExport: Deps['readExport'] = (...read) => deps.readExport(...read).finally(release)
        return createArchiveStream({ ...deps, readExport })
      },
    })
    return reply.headers(downloadHeaders('application/zip', deps.config.appName, '-archive.zip')).send(body)
  })
}
