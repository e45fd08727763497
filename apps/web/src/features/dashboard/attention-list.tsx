import type { Dashboard } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock, Check, MessageSquareText } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { Deadline } from '../../components/challenge-badges.tsx'
import { Score } from '../../components/submission-badges.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { type Attention, findAttention } from './attention.ts'
import { useReadVerdicts } from './read-verdicts.ts'
import { QueryError } from '../../ui/query-error.tsx'

const ACTIVE_CHALLENGES_INPUT = { limit: 100 }
/** Number of items shown at first. */
const INITIAL_COUNT = 5

interface AttentionListProps {
  dashboard: Pick<Dashboard, 'teams' | 'submissions'>
  /** Shows the submissions of a team. */
  onShowTeam: (teamId: string) => void
}

/** What needs the user's attention; hidden if nothing does. Shows verdicts even if the deadlines could not be loaded. */
export function AttentionList({ dashboard, onShowTeam }: AttentionListProps) {
  const t = useT()
  const now = useServerNow()
  const heading = useRef<HTMLHeadingElement>(null)
  const query = useQuery(trpc.challenges.active.queryOptions(ACTIVE_CHALLENGES_INPUT))
  const { data, error } = query
  const [read, markRead] = useReadVerdicts()
  const [isExpanded, setIsExpanded] = useState(false)
  const hasFailed = error !== null && !data
  if (!data && !hasFailed) return null
  const items = findAttention({ ...dashboard, challenges: data?.challenges ?? [], read, now })
  if (items.length === 0 && !hasFailed) return null
  const onRead = (verdict: string) => {
    // The focused button disappears with its item.
    heading.current?.focus({ preventScroll: true })
    markRead(verdict)
  }
  return (
    <section aria-labelledby="attention" className="grid gap-3">
      <h2 id="attention" ref={heading} tabIndex={-1} className="text-xl">
        {t('Needs your attention')}
      </h2>
      <QueryError query={query} title={t('Failed to load challenges')} />
      <ul className="grid gap-2 empty:hidden">
        {items
          .slice(0, isExpanded ? items.length : INITIAL_COUNT)
          .map((item) =>
            item.kind === 'deadline' ? (
              <DeadlineItem key={item.id} item={item} now={now} />
            ) : (
              <VerdictItem key={item.id} item={item} onRead={onRead} onShowTeam={onShowTeam} />
            ),
          )}
      </ul>
      {items.length > INITIAL_COUNT && !isExpanded && (
        <Button
          className="justify-self-start"
          onClick={() => {
            heading.current?.focus({ preventScroll: true })
            setIsExpanded(true)
          }}
        >
          {t('Show all {count}', { count: formatNumber(items.length) })}
        </Button>
      )}
    </section>
  )
}

type ItemOf<K extends Attention['kind']> = Extract<Attention, { kind: K }>

function DeadlineItem({ item: { challenge, wasRejected }, now }: { item: ItemOf<'deadline'>; now: Date }) {
  const t = useT()
  return (
    <AttentionItem icon={<CalendarClock aria-hidden="true" />}>
      <p>
        <a
          href={`#challenge-${challenge.id}`}
          className="font-semibold text-gold underline-offset-2 after:absolute after:inset-0 hover:underline"
        >
          <bdi>{challenge.title}</bdi>
        </a>
      </p>
      <p className="flex flex-wrap items-center gap-x-3">
        <Deadline challenge={challenge} now={now} />
        {wasRejected
          ? t('Your team’s submission was rejected. Submit it again before the deadline.')
          : t('None of your teams has applied yet.')}
      </p>
    </AttentionItem>
  )
}

interface VerdictItemProps {
  item: ItemOf<'verdict'>
  onRead: (verdict: string) => void
  onShowTeam: (teamId: string) => void
}

function VerdictItem({ item: { id, submission }, onRead, onShowTeam }: VerdictItemProps) {
  const t = useT()
  const { challengeId, status, teamId, score, feedback } = submission
  return (
    <AttentionItem icon={<MessageSquareText aria-hidden="true" />}>
      <p className="font-semibold text-gold">
        <bdi>{challengeId.title}</bdi>
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {status === 'approved'
          ? t('{team}’s submission was approved', { team: teamId.name })
          : t('{team}’s submission was rejected', { team: teamId.name })}
        {score !== null && <Score score={score} />}
      </p>
      {feedback && (
        <p dir="auto" className="line-clamp-4 whitespace-pre-line">
          {feedback}
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => onShowTeam(teamId.id)}>
          {t('See the submission')}
          <span className="sr-only"> {challengeId.title}</span>
        </Button>
        <Button size="sm" onClick={() => onRead(id)}>
          <Check aria-hidden="true" />
          {t('Mark as read')}
          <span className="sr-only"> {challengeId.title}</span>
        </Button>
      </p>
    </AttentionItem>
  )
}

function AttentionItem({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="relative flex items-start gap-3 rounded-card border border-gold bg-gold-soft p-3 text-ink">
      <span className="mt-0.5 text-gold [&_svg]:size-5">{icon}</span>
      <div className="grid min-w-0 gap-1">{children}</div>
    </li>
  )
}
