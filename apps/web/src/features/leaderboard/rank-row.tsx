import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { TeamTile } from '../../components/team-tile.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Gap, pointsPerChallenge } from './board-stats.ts'

/** The element id of a team's row. */
const rowId = (teamId: string): string => `standing-${teamId}`

/** Scrolls a team's row to the middle of the window and focuses it. */
export function jumpToRow(teamId: string): void {
  const row = document.getElementById(rowId(teamId))
  // A pinned row is sticky: scroll to its table section instead.
  const scrollTarget = row?.closest('[data-further]') ?? row
  scrollTarget?.scrollIntoView({ block: 'center' })
  row?.focus({ preventScroll: true })
}

interface RankedTeam {
  id: string
  name: string
  challengesCompleted: number
  points: number
}

interface RankRowProps {
  team: RankedTeam
  rank: number
  isOwn: boolean
  /** The gap to the next better team; only for the user's own teams. */
  gap: Gap | null
  /** Sticks to the bottom of the window while the table is visible. */
  isPinned?: boolean
}

/** A team of the board. Phones show rank, team and points, the rest behind a button. */
export function RankRow({ team, rank, isOwn, gap, isPinned = false }: RankRowProps) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const detailsId = useId()
  return (
    <tr
      id={rowId(team.id)}
      tabIndex={isOwn ? -1 : undefined}
      className={clsx(
        '*:border-t *:border-line',
        isOwn &&
          'bg-primary-soft shadow-[inset_0.25rem_0_0_var(--primary)] rtl:shadow-[inset_-0.25rem_0_0_var(--primary)] focus:outline-3 focus:-outline-offset-3 focus:outline-primary',
        isPinned && 'sticky bottom-0 z-10 *:border-t-control',
      )}
    >
      <td className="ps-3 pe-1 py-2.5 align-top text-lg font-bold max-sm:pt-3.5 sm:px-4 sm:align-middle">
        {formatNumber(rank)}
      </td>
      <th scope="row" className="w-full px-1 py-2 text-start font-normal sm:px-4">
        <div className="flex items-center gap-2 sm:gap-3">
          <TeamTile name={team.name} size="sm" className="max-[22rem]:hidden" />
          <span className="min-w-0 grow font-semibold">
            <bdi>{team.name}</bdi>{' '}
            {isOwn && (
              <Badge tone="info" className="border border-primary py-0">
                {t('You')}
              </Badge>
            )}
            {gap && (
              <span className={clsx('block text-sm font-normal text-ink-2', !isPinned && 'max-sm:hidden')}>
                <GapText gap={gap} />
              </span>
            )}
          </span>
          {/* A pinned row covers other rows, so its button would cover theirs. */}
          {!isPinned && (
            <button
              type="button"
              aria-expanded={open}
              aria-controls={detailsId}
              aria-label={t('More about {name}', { name: team.name })}
              onClick={() => setOpen(!open)}
              className="-my-1 grid size-11 shrink-0 scroll-mb-24 place-items-center rounded-control text-muted hover:bg-sunken sm:hidden"
            >
              <ChevronDown aria-hidden="true" className={clsx('size-5 transition-transform', open && 'rotate-180')} />
            </button>
          )}
        </div>
        <div id={detailsId} hidden={!open} className="mt-1.5 grid gap-0.5 text-sm text-ink-2 sm:hidden">
          <RankDetails team={team} gap={gap} />
        </div>
      </th>
      <td className="px-4 py-2.5 text-end max-sm:hidden">{formatNumber(team.challengesCompleted)}</td>
      <td className="ps-0 pe-3 py-2.5 text-end align-top text-lg font-semibold max-sm:pt-3.5 sm:px-4 sm:align-middle">
        {formatNumber(team.points)}
      </td>
    </tr>
  )
}

function RankDetails({ team, gap }: { team: RankedTeam; gap: Gap | null }) {
  const t = useT()
  return (
    <>
      <p>
        {t('{count, plural, one {# challenge completed} other {# challenges completed}}', {
          count: team.challengesCompleted,
        })}
      </p>
      {team.challengesCompleted > 0 && (
        <p>{t('{count, plural, one {# point} other {# points}} per challenge', { count: pointsPerChallenge(team) })}</p>
      )}
      {gap && (
        <p>
          <GapText gap={gap} />
        </p>
      )}
    </>
  )
}

function GapText({ gap }: { gap: Gap }) {
  const t = useT()
  return t('{count, plural, one {# point} other {# points}} behind {team}', { count: gap.points, team: gap.team })
}
