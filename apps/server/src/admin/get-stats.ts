import type { contract, Output } from '@community/contract'
import type { MemberContext } from '../context.ts'
import { findSubmissionStats } from '../submissions/stats-queries.ts'
import { checkServices } from '../observability/service-states.ts'
import { entriesWithNames } from './audit-targets.ts'
import { findLatestAudit } from './queries.ts'
import { findCounts, findScores, findWeeks } from './stats-queries.ts'

type Stats = typeof contract.admin.stats

const RECENT = 10

/** How much more or less, in per cent with one decimal; null where there was nothing before. */
const changePercent = (now: number, before: number): number | null =>
  before === 0 ? null : Math.round(((now - before) / before) * 1000) / 10

const trendOf = (last30Days: number, before: number) => ({
  last30Days,
  before,
  changePercent: changePercent(last30Days, before),
})

/** What the overview of the admin area shows: five statements and a look at the services, side by side. */
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
