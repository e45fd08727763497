import type { contract, Output } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findSubmissionStats } from '../submissions/stats-queries.ts'
import { checkServices } from '../observability/service-states.ts'
import { entriesWithNames } from './audit-targets.ts'
import { findLatestAudit } from './queries.ts'
import { findCounts, findScores, findWeeks } from './stats-queries.ts'

type Stats = typeof contract.admin.stats

const RECENT = 10

/** The change in per cent, rounded to one decimal; null if the earlier value is 0. */
const changePercent = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10

const trendOf = (last30Days: number, before: number) => ({
  last30Days,
  before,
  changePercent: changePercent(last30Days, before),
})

/** The statistics of the admin dashboard: five statements and the health checks, concurrently. */
export async function getStats({ db, deps }: MemberContext): Promise<Output<Stats>> {
  const [counts, submissions, weeks, scores, recent, system] = await Promise.all([
    findCounts(db),
    findSubmissionStats(db),
    findWeeks(db),
    findScores(db),
    findLatestAudit(db, RECENT),
    checkServices(deps),
  ])
  const { usersNow, usersBefore, submissionsNow, submissionsBefore, ...figures } = counts
  return {
    stats: {
      ...figures,
      ...submissions,
      activeUsers: figures.totalUsers - figures.bannedUsers,
      recentActivity: await entriesWithNames(db, recent),
      trends: { users: trendOf(usersNow, usersBefore), submissions: trendOf(submissionsNow, submissionsBefore) },
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
