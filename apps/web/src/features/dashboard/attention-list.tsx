import { CalendarClock, MessageSquareText } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOwnApplications } from '../../brand/own-applications.tsx'
import { useT } from '../../lib/i18n.ts'
import { useServerNow } from '../../lib/server-clock.ts'
import { trpc } from '../../lib/trpc.ts'
import { type Attention, needsAttention } from './attention.ts'

const OPEN = { limit: 100 }

/** What a member should look at first; nothing where there is nothing. */
export function AttentionList({ userId }: { userId: string }) {
  const t = useT()
  const now = useServerNow()
  const teams = trpc.users.teams.useQuery({ id: userId }).data?.teams
  const challenges = trpc.challenges.active.useQuery(OPEN).data?.challenges
  const { rows: applications, isLoading } = useOwnApplications()
  if (!teams || !challenges || isLoading) return null
  const items = needsAttention({ userId, teams, applications, challenges, now })
  if (items.length === 0) return null
  return (
    <section aria-labelledby="attention" className="grid gap-3">
      <h2 id="attention" className="text-xl">
        {t('Needs your attention')}
      </h2>
      <ul className="grid gap-2">
        {items.map((item) => (
          <AttentionLine key={item.id} item={item} />
        ))}
      </ul>
    </section>
  )
}

function AttentionLine({ item }: { item: Attention }) {
  const t = useT()
  if (item.kind === 'deadline') {
    const { challenge, days } = item
    return (
      <Line icon={<CalendarClock aria-hidden="true" />} href={`#challenge-${challenge.id}`} title={challenge.title}>
        {t(
          '{days, plural, one {# day left, and no team of yours has applied} other {# days left, and no team of yours has applied}}',
          {
            days,
          },
        )}
      </Line>
    )
  }
  const { challengeId, status, teamId } = item.submission
  return (
    <Line
      icon={<MessageSquareText aria-hidden="true" />}
      href={`#challenge-${challengeId.id}`}
      title={challengeId.title}
    >
      {status === 'approved'
        ? t('New verdict: the work of {team} was approved', { team: teamId.name })
        : t('New verdict: the work of {team} was rejected', { team: teamId.name })}
    </Line>
  )
}

function Line({ icon, href, title, children }: { icon: ReactNode; href: string; title: string; children: ReactNode }) {
  return (
    <li className="relative flex items-start gap-3 rounded-card border border-gold bg-gold-soft p-3 text-gold [&_svg]:mt-0.5 [&_svg]:size-5 [&_svg]:shrink-0">
      {icon}
      <p>
        <a href={href} className="font-semibold underline-offset-2 after:absolute after:inset-0 hover:underline">
          <bdi>{title}</bdi>
        </a>
        <span className="block text-ink">{children}</span>
      </p>
    </li>
  )
}
