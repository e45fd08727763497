import { PAGE_SIZE } from '@community/contract/limits'
import { CheckCheck, Medal, Trophy, Users } from 'lucide-react'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { SectionBody } from '../../ui/section.tsx'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { EmptyState, Loading, Skeleton } from '../../ui/states.tsx'
import { Highlights } from './highlights.tsx'
import { Podium } from './podium.tsx'
import { RankTable } from './rank-table.tsx'
import { boardFigures } from './board-figures.ts'

/** Ids of the reader's teams; none for a visitor. */
function useOwnTeamIds(): ReadonlySet<string> {
  const user = useUser()
  const mine = trpc.users.teams.useQuery({ id: user?.id ?? '' }, { enabled: user !== null && user.role !== 'admin' })
  return new Set(mine.data?.teams.map((team) => team.id))
}

/** Teams by points. A backend that does not answer leaves the board empty, without a word. */
export function LeaderboardSection() {
  const t = useT()
  const board = trpc.teams.leaderboard.useQuery({ limit: PAGE_SIZE.max })
  const own = useOwnTeamIds()
  const rows = board.data?.leaderboard ?? []
  const figures = boardFigures(rows)
  return (
    <SectionBody
      title={t('Leaderboard')}
      lead={t('Points come from approved work: for each challenge a team’s best counts once.')}
    >
      {board.isPending && <BoardSkeleton />}
      {board.isError && rows.length === 0 && <div className="min-h-40" />}
      {board.isSuccess && rows.length === 0 && (
        <EmptyState title={t('No teams on the leaderboard yet')}>
          {t('The first approved work puts its team here.')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className="grid grid-cols-1 gap-8">
          <StatTiles>
            <StatTile icon={Users} label={t('Teams with points')} value={formatNumber(figures.scoring)} />
            <StatTile icon={Trophy} label={t('Points earned')} value={formatNumber(figures.points)} />
            <StatTile icon={Medal} label={t('Highest points')} value={formatNumber(rows[0]?.points ?? 0)} />
            <StatTile
              icon={CheckCheck}
              label={t('Challenges completed')}
              value={formatNumber(figures.challengesCompleted)}
            />
          </StatTiles>
          <Podium rows={rows.filter((row) => row.points > 0).slice(0, 3)} own={own} />
          <RankTable rows={rows} own={own} />
          <Highlights rows={rows} />
        </div>
      )}
    </SectionBody>
  )
}

function BoardSkeleton() {
  return (
    <Loading className="grid grid-cols-1 gap-8">
      <Skeleton className="h-20" />
      <Skeleton className="h-64" />
      <Skeleton className="h-96" />
    </Loading>
  )
}
