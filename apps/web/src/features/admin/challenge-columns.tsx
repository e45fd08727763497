import { type Challenge, isOpen } from '@community/contract'
import { EllipsisVertical, Power, PowerOff, Trash2 } from 'lucide-react'
import { DifficultyMark } from '../../components/challenge-badges.tsx'
import { CATEGORY_LABELS } from '../../components/challenge-labels.ts'
import { emit } from '../../lib/events.ts'
import { formatDate, formatInstant, formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { useChallengeActions } from './challenge-actions.ts'

function StateBadge({ challenge, now }: { challenge: Challenge; now: Date }) {
  const t = useT()
  if (!challenge.isActive) return <Badge>{t('Inactive')}</Badge>
  if (!isOpen(challenge, now)) return <Badge tone="bad">{t('Expired')}</Badge>
  return <Badge tone="ok">{t('Active')}</Badge>
}

interface ChallengeButtonsProps {
  challenge: Challenge
  actions: ReturnType<typeof useChallengeActions>
}

function ChallengeButtons({ challenge, actions }: ChallengeButtonsProps) {
  const t = useT()
  const items: MenuItem[] = [
    challenge.isActive
      ? { label: t('Deactivate'), icon: PowerOff, onSelect: () => void actions.deactivate.run(challenge) }
      : { label: t('Activate'), icon: Power, onSelect: () => void actions.activate.run(challenge) },
    {
      label: t('Delete'),
      icon: Trash2,
      danger: true,
      separated: true,
      onSelect: () => void actions.remove.run(challenge),
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
          <IconButton label={t('Actions for {name}', { name: challenge.title })}>
            <EllipsisVertical aria-hidden="true" />
          </IconButton>
        }
      />
    </span>
  )
}

export function useChallengeColumns(now: Date): Column<Challenge>[] {
  const t = useT()
  const actions = useChallengeActions()
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
          <p dir="auto" className="line-clamp-2 max-w-md text-sm text-ink-2">
            {challenge.description}
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
    { key: 'category', header: t('Category'), cell: (challenge) => t(CATEGORY_LABELS[challenge.category]) },
    { key: 'points', header: t('Points'), align: 'end', cell: (challenge) => formatNumber(challenge.points) },
    {
      key: 'deadline',
      header: t('Due date'),
      cell: ({ deadline }) => (
        <time dateTime={deadline} title={formatInstant(deadline)} className="whitespace-nowrap">
          {formatDate(deadline)}
          {/* Isolated: in right-to-left text two adjacent numbers would swap places. */}
          <span className="ms-2 inline-block text-sm text-muted md:ms-0 md:block">
            <bdi>{formatDate(deadline, { hour: '2-digit', minute: '2-digit' })}</bdi>
          </span>
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
      cell: (challenge) => <ChallengeButtons challenge={challenge} actions={actions} />,
    },
  ]
}
