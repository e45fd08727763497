import { appErrors, type Submission } from '@community/contract'
import { Trash2 } from 'lucide-react'
import { Score, StatusBadge } from '../../components/submission-badges.tsx'
import { TeamTile } from '../../components/team-tile.tsx'
import { WorkPreview } from '../../components/work-preview.tsx'
import { useT } from '../../lib/i18n.ts'
import { savesData } from '../../lib/saves-data.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { Day } from './facts.tsx'
import { Email } from '../../ui/email.tsx'
import { ServerText } from '../../ui/server-text.tsx'

interface Actions {
  onDetails: (submission: Submission) => void
  onEvaluate: (submission: Submission) => void
  onDelete: (submission: Submission) => void
}

/** The button that opens the evaluation of a submission. */
export const evaluateButtonId = ({ id }: Submission): string => `evaluate-${id}`

/** The columns of the table of submissions. */
export function useSubmissionColumns({ onDetails, onEvaluate, onDelete }: Actions): Column<Submission>[] {
  const t = useT()
  return [
    {
      key: 'team',
      header: t('Team and Challenge'),
      onCard: 'title',
      className: 'min-w-56',
      cell: ({ id, preview, teamId: team, challengeId: challenge, canEvaluate }) => (
        <span className="flex items-center gap-3">
          <TeamTile name={team.name} size="sm" />
          {!savesData() && <WorkPreview work={{ preview, teamId: team, challengeId: challenge }} layout="icon" />}
          <span id={`work-${id}`} className="min-w-0">
            <span className="block font-semibold">
              <bdi>{team.name}</bdi>
            </span>
            <span className="block text-sm text-ink-2">
              <bdi>{challenge.title}</bdi>
            </span>
            {canEvaluate === false && (
              <span className="block text-sm text-muted">
                <ServerText of={appErrors.ownTeam} />
              </span>
            )}
          </span>
        </span>
      ),
    },
    {
      key: 'submitter',
      header: t('Submitted By'),
      cell: ({ submittedBy }) =>
        submittedBy ? (
          <>
            <span className="block">
              <bdi>{submittedBy.name}</bdi>
            </span>
            {submittedBy.email && (
              <span title={submittedBy.email} className="block text-sm text-muted md:max-w-58 md:truncate">
                <Email address={submittedBy.email} />
              </span>
            )}
          </>
        ) : (
          <span className="text-muted">{t('Deleted account')}</span>
        ),
    },
    { key: 'status', header: t('Status'), cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'score',
      header: t('Score'),
      sortable: true,
      cell: ({ score }) => (score === null ? <span aria-label={t('No score')}>–</span> : <Score score={score} />),
    },
    {
      key: 'submitted',
      header: t('Submitted'),
      sortable: true,
      cell: ({ createdAt, resubmittedAt }) => (
        <>
          <Day date={createdAt} />
          {resubmittedAt && (
            <span className="block text-sm text-muted">
              {t('{label}:', { label: t('Submitted again') })} <Day date={resubmittedAt} />
            </span>
          )}
        </>
      ),
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'end',
      onCard: 'actions',
      cell: (submission) => (
        <span className="inline-flex items-center justify-end gap-2">
          <Button size="sm" aria-describedby={`work-${submission.id}`} onClick={() => onDetails(submission)}>
            {t('Details')}
          </Button>
          {submission.status === 'pending' && (
            <Button
              id={evaluateButtonId(submission)}
              size="sm"
              variant="primary"
              // Receives the focus after a verdict; stays clear of the toast.
              className="scroll-mb-24"
              aria-describedby={`work-${submission.id}`}
              aria-disabled={submission.canEvaluate === false}
              onClick={() => onEvaluate(submission)}
            >
              {t('Evaluate')}
            </Button>
          )}
          <IconButton
            label={t('Delete Submission')}
            aria-describedby={`work-${submission.id}`}
            className="-my-1"
            onClick={() => onDelete(submission)}
          >
            <Trash2 aria-hidden="true" />
          </IconButton>
        </span>
      ),
    },
  ]
}
