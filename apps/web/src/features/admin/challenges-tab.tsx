import { type Challenge, isOpen } from '@community/contract'
import { PAGE_SIZE } from '@community/contract/limits'
import { keepPreviousData } from '@tanstack/react-query'
import { EllipsisVertical, Plus, Power, PowerOff, Trash2 } from 'lucide-react'
import { challengeFigures } from '../../brand/challenge-figures.ts'
import { DifficultyMark } from '../../brand/challenge-marks.tsx'
import { CATEGORY_WORDS } from '../../brand/challenge-words.ts'
import { emit } from '../../lib/events.ts'
import { formatDate, formatNumber, useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { AdminList, useAdminSearch } from './admin-list.tsx'
import { useChallengeActions } from './challenge-actions.ts'

/** All challenges, inactive ones too. */
export function ChallengesTab() {
  const t = useT()
  const now = useServerNow()
  const columns = useColumns(now)
  const searching = useAdminSearch()
  const { wanted, page, setSearch } = searching
  const list = trpc.admin.listChallenges.useQuery(
    { page, limit: PAGE_SIZE.max, ...(wanted !== '' && { search: wanted }) },
    { placeholderData: keepPreviousData },
  )
  return (
    <div className="grid grid-cols-1 gap-5">
      <Counters now={now} />
      <AdminList
        searching={searching}
        searchLabel={t('Search challenges')}
        searchPlaceholder={t('Title or description')}
        beside={
          <Button variant="primary" onClick={() => emit('openCreateChallengeModal')} className="max-sm:w-full">
            <Plus aria-hidden="true" />
            {t('Create Challenge')}
          </Button>
        }
        query={list}
        rows={list.data?.challenges ?? []}
        columns={columns}
        caption={t('Challenges')}
        pagesLabel={t('Pages of challenges')}
        empty={
          <EmptyState
            title={t('No Challenges Found')}
            action={wanted !== '' && <Button onClick={() => setSearch('')}>{t('Clear search')}</Button>}
          />
        }
      />
    </div>
  )
}

/** Figures of the whole list; sums only where the whole list is at hand. */
function Counters({ now }: { now: Date }) {
  const t = useT()
  const all = trpc.admin.listChallenges.useQuery({ page: 1, limit: PAGE_SIZE.max })
  const isPart = all.data !== undefined && all.data.pagination.totalPages > 1
  const figures = all.data && !isPart ? challengeFigures(all.data.challenges, now) : undefined
  const shown = (figure: number | undefined) => (figure === undefined ? '–' : formatNumber(figure))
  return (
    <StatTiles>
      <StatTile label={t('Total Challenges')} value={shown(all.data?.pagination.total)} />
      {!isPart && (
        <>
          <StatTile label={t('Active Challenges')} value={shown(figures?.active)} />
          <StatTile label={t('Expired Challenges')} value={shown(figures?.expired)} />
          <StatTile label={t('Total Points')} value={shown(figures?.points)} />
        </>
      )}
    </StatTiles>
  )
}

function StateBadge({ challenge, now }: { challenge: Challenge; now: Date }) {
  const t = useT()
  if (!challenge.isActive) return <Badge>{t('Inactive')}</Badge>
  return (
    <span className="inline-flex flex-wrap gap-2">
      <Badge tone="ok">{t('Active')}</Badge>
      {!isOpen(challenge, now) && <Badge tone="bad">{t('Expired')}</Badge>}
    </span>
  )
}

function ChallengeButtons({ challenge }: { challenge: Challenge }) {
  const t = useT()
  const actions = useChallengeActions()
  const items: MenuItem[] = [
    challenge.isActive
      ? { label: t('Deactivate'), icon: PowerOff, onSelect: () => void actions.deactivate(challenge) }
      : { label: t('Activate'), icon: Power, onSelect: () => void actions.activate(challenge) },
    {
      label: t('Delete'),
      icon: Trash2,
      danger: true,
      separated: true,
      onSelect: () => void actions.remove(challenge),
    },
  ]
  return (
    <span className="inline-flex items-center gap-1">
      <Button
        size="sm"
        aria-describedby={`challenge-title-${challenge.id}`}
        onClick={() => emit('openEditChallengeModal', { challengeId: challenge.id })}
      >
        {t('Edit')}
      </Button>
      <Menu
        items={items}
        trigger={
          <IconButton label={t('Actions on {name}', { name: challenge.title })}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
      />
    </span>
  )
}

function useColumns(now: Date): Column<Challenge>[] {
  const t = useT()
  return [
    {
      key: 'title',
      header: t('Challenge'),
      onCard: 'title',
      className: 'min-w-56',
      cell: (challenge) => (
        <>
          <bdi id={`challenge-title-${challenge.id}`} className="font-semibold">
            {challenge.title}
          </bdi>
          <p className="line-clamp-2 max-w-md text-sm text-ink-2">
            <bdi>{challenge.description}</bdi>
          </p>
        </>
      ),
    },
    { key: 'state', header: t('Status'), cell: (challenge) => <StateBadge challenge={challenge} now={now} /> },
    {
      key: 'difficulty',
      header: t('Difficulty'),
      cell: (challenge) => <DifficultyMark difficulty={challenge.difficulty} />,
    },
    { key: 'category', header: t('Category'), cell: (challenge) => t(CATEGORY_WORDS[challenge.category]) },
    { key: 'points', header: t('Points'), align: 'end', cell: (challenge) => formatNumber(challenge.points) },
    {
      key: 'deadline',
      header: t('Due date'),
      cell: ({ deadline }) => (
        <time dateTime={deadline} className="whitespace-nowrap">
          {formatDate(deadline)}
          {/* Apart: between right-to-left words two numbers side by side would change places. */}
          <bdi className="ms-2 inline-block text-sm text-muted md:ms-0 md:block">
            {formatDate(deadline, { hour: '2-digit', minute: '2-digit' })}
          </bdi>
        </time>
      ),
    },
    {
      key: 'submissions',
      header: t('Submissions'),
      align: 'end',
      cell: (challenge) => formatNumber(challenge.submissionCount),
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'end',
      onCard: 'actions',
      cell: (challenge) => <ChallengeButtons challenge={challenge} />,
    },
  ]
}
