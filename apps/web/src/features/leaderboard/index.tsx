import type { LeaderboardRow, Standing } from '@community/contract'
import { appErrors } from '@community/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowDown } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { flushSync } from 'react-dom'
import { BY_CURSOR } from '../../lib/by-cursor.ts'
import { failureOf } from '../../lib/failure.ts'
import { FIRST_QUERIES } from '../../lib/first-queries.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { infiniteList, type InfiniteRows } from '../../lib/infinite-list.ts'
import { lazyWithRetry } from '../../lib/lazy-with-retry.tsx'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { boardStats } from './board-stats.ts'
import { BoardTiles } from './board-tiles.tsx'
import { Highlights } from './highlights.tsx'
import { useOwnStandings } from './own-standings.ts'
import { Podium } from './podium.tsx'
import { jumpToRow } from './rank-row.tsx'
import { RankTable, INITIAL_ROWS } from './rank-table.tsx'
import { WhenNear } from './when-near.tsx'

const PointsOverTime = lazyWithRetry(() => import('./points-over-time.tsx').then((part) => part.PointsOverTime))

/** An empty board has no Try Again button: it refetches by itself while the backend is unavailable. */
const REFETCH_INTERVAL_MS = 30_000

const isScoring = (row: LeaderboardRow): boolean => row.points > 0

/** Whether the backend responded with an error other than UNAVAILABLE. */
function isRejected(error: unknown): boolean {
  const { kind, code } = failureOf(error)
  return kind === 'rejected' && code !== appErrors.unavailable.code
}

/** Teams by points. Empty without a message while the backend is unavailable, as specified; other errors are shown. */
export function LeaderboardSection() {
  const t = useT()
  const board = useInfiniteQuery(
    trpc.teams.leaderboard.infiniteQueryOptions(FIRST_QUERIES.leaderboard.input, {
      ...BY_CURSOR,
      refetchInterval: ({ state }) => state.status === 'error' && !isRejected(state.error) && REFETCH_INTERVAL_MS,
    }),
  )
  const rejection = isRejected(board.error) ? board.error : null
  useFailureToast(rejection, { title: msg('Leaderboard Error'), fallback: msg('Failed to load leaderboard data.') })
  const standings = useOwnStandings()
  const [showsAllRows, setShowsAllRows] = useState(false)
  // Deferred, so that a new order is a transition and rows are animated to their new places.
  const data = useDeferredValue(board.data)
  // From the deferred data: Show more must not disappear before the last rows appear, to which the focus moves.
  const hasNextPage = data?.pages.at(-1)?.pagination.nextCursor != null
  const list = infiniteList({ ...board, data, hasNextPage }, (page) => page.leaderboard)
  const [bestStanding] = standings
  const jumpTo = (teamId: string) => {
    const index = list.rows.findIndex((row) => row.id === teamId)
    if (index >= INITIAL_ROWS) flushSync(() => setShowsAllRows(true))
    jumpToRow(teamId)
  }
  return (
    <SectionBody
      title={t('Leaderboard')}
      lead={t('Points come from approved work. Only a team’s best submission counts for each challenge.')}
      action={
        bestStanding &&
        data && (
          <Button onClick={() => jumpTo(bestStanding.id)}>
            <ArrowDown aria-hidden="true" />
            {t('Jump to my team')}
          </Button>
        )
      }
    >
      {rejection && <QueryError query={board} title={t('Failed to load leaderboard data.')} />}
      {data === undefined && board.errorUpdateCount === 0 ? (
        <BoardSkeleton />
      ) : (
        <Board
          list={data && list}
          standings={standings}
          showsAllRows={showsAllRows}
          onShowAll={() => setShowsAllRows(true)}
        />
      )}
    </SectionBody>
  )
}

interface BoardProps {
  /** Undefined while the backend is unavailable. */
  list: InfiniteRows<LeaderboardRow> | undefined
  standings: readonly Standing[]
  showsAllRows: boolean
  onShowAll: () => void
}

function Board({ list, standings, showsAllRows, onShowAll }: BoardProps) {
  const t = useT()
  const rows = list?.rows
  const isTruncated = list?.hasMore === true && list.rows.every(isScoring)
  return (
    <div className="grid grid-cols-1 gap-8">
      <BoardTiles
        stats={rows && boardStats(rows)}
        rowLimit={isTruncated ? list.rows.length : undefined}
        teamsWithPoints={standings[0]?.teamsWithPoints}
      />
      {!rows && <div className="min-h-40" />}
      {rows?.length === 0 && (
        <EmptyState title={t('No teams on the leaderboard yet')}>
          {t('The first team with approved work will appear here.')}
        </EmptyState>
      )}
      {list && list.rows.length > 0 && (
        <>
          <Podium rows={list.rows.filter(isScoring).slice(0, 3)} ownTeamIds={new Set(standings.map(({ id }) => id))} />
          <RankTable list={list} standings={standings} showsAllRows={showsAllRows} onShowAll={onShowAll} />
        </>
      )}
      {rows && <Highlights rows={rows} />}
      {rows && rows.length > 0 && (
        <WhenNear className="min-h-128">
          <ErrorBoundary loading={<ChartSkeleton />}>
            <PointsOverTime rows={rows} standings={standings} />
          </ErrorBoundary>
        </WhenNear>
      )}
    </div>
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

function ChartSkeleton() {
  return (
    <Loading className="grid gap-3">
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-96" />
    </Loading>
  )
}
