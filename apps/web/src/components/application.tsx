import type { Submission } from '@community/contract'
import { formatDate } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { LinkedText } from '../ui/linked-text.tsx'
import { ReapplyButton } from './reapply-button.tsx'
import { Score, StatusBadge } from './submission-badges.tsx'
import { TeamTile } from './team-tile.tsx'
import { WorkContent } from './work-content.tsx'

function Verdict({ application }: { application: Submission }) {
  const t = useT()
  const { score, points, feedback, evaluatedAt, status } = application
  if (status === 'pending') return <p className="text-sm text-muted">{t('Waiting for admin review.')}</p>
  return (
    <div className="grid grid-cols-1 gap-2">
      {score !== null && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Score score={score} />
          {points !== null && (
            <span className="text-ink-2">
              {t('{count, plural, one {# point earned} other {# points earned}}', { count: points })}
            </span>
          )}
        </p>
      )}
      {feedback && (
        <div className="border-s-2 border-line ps-3">
          <p className="text-sm font-medium text-muted">{t('Feedback')}</p>
          <p dir="auto" className="whitespace-pre-line">
            <LinkedText text={feedback} />
          </p>
        </div>
      )}
      {evaluatedAt && <p className="text-sm text-muted">{t('Judged on {date}', { date: formatDate(evaluatedAt) })}</p>}
    </div>
  )
}

/** The link at the top of an application, which gets the focus when the work is submitted again. */
export const applicationLinkId = ({ id }: { id: string }): string => `application-${id}`

/** One application of the user's team, with its status and verdict. */
export function Application({ application }: { application: Submission }) {
  const t = useT()
  const { challengeId: challenge, teamId: team, status, createdAt } = application
  return (
    <li className="grid grid-cols-1 content-start gap-3 rounded-card border border-line bg-surface p-4">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-lg">
            <a
              id={applicationLinkId(application)}
              href={`#challenge-${challenge.id}`}
              className="hover:text-primary hover:underline"
            >
              <bdi>{challenge.title}</bdi>
            </a>
          </h3>
          <p className="text-sm text-muted">
            {t('{count, plural, one {# point} other {# points}}', { count: challenge.points })} ·{' '}
            <time dateTime={createdAt}>{t('Submitted on {date}', { date: formatDate(createdAt) })}</time>
          </p>
        </div>
        <StatusBadge status={status} />
      </div>
      <p className="flex items-center gap-2 font-medium">
        <TeamTile name={team.name} size="sm" />
        <bdi>{team.name}</bdi>
      </p>
      <WorkContent work={application} />
      <Verdict application={application} />
      <ReapplyButton application={application} />
    </li>
  )
}
