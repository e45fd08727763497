import type { contract } from '@community/contract'
import type { UseCase } from '../context.ts'
import { findSubmissionStats } from '../submissions/stats-queries.ts'
import { checkServices } from '../observability/service-states.ts'
import { toAuditEntries } from './audit-targets.ts'
import { findLatestAudit } from './queries.ts'
import { findCounts, findScores, findWeeks } from './stats-queries.ts'

const RECENT_MAX = 10

/** The change in per cent, rounded to one decimal; null if the earlier value is 0. */
const calculateChangePercent = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10

const toTrend = (last30Days: number, before: number) => ({
  last30Days,
  before,
  changePercent: calculateChangePercent(last30Days, before),
})

/** The statistics of the admin dashboard, from the replica if there is one, with the latest audit entries from the primary and the health checks. */
export const getStats: UseCase<typeof contract.admin.stats> = async ({ db, deps }) => {
  const [[counts, submissionStats, weeks, scores], recent, system] = await Promise.all([
    deps.readStats((reader) =>
      Promise.all([findCounts(reader), findSubmissionStats(reader), findWeeks(reader), findScores(reader)]),
    ),
    findLatestAudit(db, RECENT_MAX),
    checkServices(deps),
  ])
  const { usersNow, usersBefore, submissionsNow, submissionsBefore, ...totals } = counts
  return {
    stats: {
      ...totals,
      ...submissionStats,
      activeUsers: totals.totalUsers - totals.bannedUsers,
      recentActivity: await toAuditEntries(db, recent),
      trends: { users: toTrend(usersNow, usersBefore), submissions: toTrend(submissionsNow, submissionsBefore) },
      weeks,
      scores,
      system: {
        database: system.database === 'up',
        storage: system.storage === 'up',
        mail: system.mail === 'up',
      },
    },
  }
}
