import type { LeaderboardRow } from '@community/contract'
import { TeamTile } from '../../brand/team-tile.tsx'
import { useT } from '../../lib/i18n.ts'
import { bestBy, pointsPerChallenge } from './board-figures.ts'

/** What else is worth knowing: who completed the most, and who earns the most with each. */
export function Highlights({ rows }: { rows: readonly LeaderboardRow[] }) {
  const t = useT()
  const busiest = bestBy(rows, (row) => row.challengesCompleted)
  const finest = bestBy(rows, pointsPerChallenge)
  if (!busiest || !finest) return null
  const highlights = [
    {
      name: t('Most challenges completed'),
      row: busiest,
      figure: t('{count, plural, one {# challenge} other {# challenges}}', { count: busiest.challengesCompleted }),
    },
    {
      name: t('Most points per challenge'),
      row: finest,
      figure: t('{count, plural, one {# point} other {# points}}', { count: pointsPerChallenge(finest) }),
    },
  ]
  return (
    <section aria-labelledby="highlights">
      <h3 id="highlights" className="mb-3 text-xl">
        {t('Highlights')}
      </h3>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {highlights.map(({ name, row, figure }) => (
          <li key={name} className="flex items-center gap-3 rounded-card border border-line bg-surface p-4">
            <TeamTile name={row.name} />
            <div className="min-w-0">
              <p className="text-sm text-muted">{name}</p>
              <p className="font-semibold">
                <bdi>{row.name}</bdi>
              </p>
              <p className="text-sm text-ink-2">{figure}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
