import type { LeaderboardRow } from '@community/contract'
import { TeamTile } from '../../components/team-tile.tsx'
import { useT } from '../../lib/i18n.ts'
import { bestBy, pointsPerChallenge } from './board-stats.ts'

/** The teams with the most completed challenges and the highest average. Hidden while none of `rows` has points. */
export function Highlights({ rows }: { rows: readonly LeaderboardRow[] }) {
  const t = useT()
  const mostCompleted = bestBy(rows, (row) => row.challengesCompleted)
  const mostEfficient = bestBy(rows, pointsPerChallenge)
  if (rows.length > 0 && (!mostCompleted || !mostEfficient)) return null
  return (
    <section aria-labelledby="highlights">
      <h3 id="highlights" className="mb-3 text-xl">
        {t('Highlights')}
      </h3>
      {mostCompleted && mostEfficient ? (
        <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <Highlight
            name={t('Most challenges completed')}
            team={mostCompleted.name}
            value={t('{count, plural, one {# challenge} other {# challenges}}', {
              count: mostCompleted.challengesCompleted,
            })}
          />
          <Highlight
            name={t('Most points per challenge')}
            team={mostEfficient.name}
            value={t('{count, plural, one {# point} other {# points}}', { count: pointsPerChallenge(mostEfficient) })}
          />
        </ul>
      ) : (
        <p className="text-ink-2">{t('No Teams Yet')}</p>
      )}
    </section>
  )
}

function Highlight({ name, team, value }: { name: string; team: string; value: string }) {
  return (
    <li className="flex items-center gap-3 rounded-card border border-line bg-surface p-4">
      <TeamTile name={team} />
      <div className="min-w-0">
        <p className="text-sm text-muted">{name}</p>
        <p className="font-semibold">
          <bdi>{team}</bdi>
        </p>
        <p className="text-sm text-ink-2">{value}</p>
      </div>
    </li>
  )
}
