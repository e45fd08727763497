import type { AdminStats } from '@community/contract'
import { Activity, Ban, CircleCheck, FileText, Hourglass, Shapes, TriangleAlert, Users } from 'lucide-react'
import { formatNumber } from '../../../lib/format.ts'
import { listText, type Translate, useT } from '../../../lib/i18n.ts'
import { StatTile, StatTiles } from '../../../ui/stat-tile.tsx'

type Trend = AdminStats['trends']['users']

/** The count of the last 30 days and, unless the 30 days before had none, the change in percent. */
function trendText(t: Translate, { changePercent, last30Days }: Trend): string {
  const count = formatNumber(last30Days)
  if (changePercent === null) return t('{count} in the last 30 days', { count })
  const percent = formatNumber(changePercent / 100, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 1,
  })
  // The isolates keep the sign before the number in right-to-left text.
  return t('{count} in the last 30 days ({change})', { count, change: `\u2066${percent}\u2069` })
}

/** The names of the services that do not respond. */
function unavailableServices(t: Translate, { database, storage, mail }: AdminStats['system']): string[] {
  return [!database && t('Database'), !storage && t('Storage'), !mail && t('Mail')].filter((name) => name !== false)
}

export function StatCards({ stats }: { stats: AdminStats }) {
  const t = useT()
  const unavailable = unavailableServices(t, stats.system)
  return (
    <StatTiles>
      <StatTile
        icon={Users}
        label={t('Total Users')}
        value={formatNumber(stats.totalUsers)}
        note={trendText(t, stats.trends.users)}
      />
      <StatTile
        icon={Shapes}
        label={t('Active Teams')}
        value={formatNumber(stats.activeTeams)}
        note={t('of {count} teams', { count: formatNumber(stats.totalTeams) })}
      />
      <StatTile
        icon={FileText}
        label={t('Total Submissions')}
        value={formatNumber(stats.totalSubmissions)}
        note={trendText(t, stats.trends.submissions)}
      />
      <StatTile icon={Hourglass} label={t('Pending Reviews')} value={formatNumber(stats.pendingSubmissions)} />
      <StatTile icon={Ban} label={t('Banned Users')} value={formatNumber(stats.bannedUsers)} />
      <StatTile icon={TriangleAlert} label={t('Warning Logs')} value={formatNumber(stats.warningCount)} />
      <StatTile
        icon={CircleCheck}
        label={t('{submissions, select, other {Approved}}')}
        value={formatNumber(stats.approvedSubmissions)}
        note={
          stats.averageScore !== null &&
          t('Average score {score}', { score: formatNumber(stats.averageScore, { maximumFractionDigits: 1 }) })
        }
      />
      <StatTile
        icon={Activity}
        label={t('System Status')}
        value={unavailable.length === 0 ? t('Online') : <span className="text-bad">{t('Degraded')}</span>}
        note={unavailable.length > 0 && t('Not responding: {services}', { services: listText(unavailable) })}
      />
    </StatTiles>
  )
}
