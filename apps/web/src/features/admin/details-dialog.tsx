import { appErrors, type Submission } from '@community/contract'
import { Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Score, StatusBadge } from '../../components/submission-badges.tsx'
import { TeamTile } from '../../components/team-tile.tsx'
import { WorkContent } from '../../components/work-content.tsx'
import { mailtoLink } from '../../lib/contact-links.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useCurrentSubmission } from './current-submission.ts'
import { Fact } from './facts.tsx'
import { Email } from '../../ui/email.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { Notice } from '../../ui/notice.tsx'

interface DetailsDialogProps {
  submission: Submission
  onClose: () => void
  onEvaluate: (submission: Submission) => void
  /** Takes the verdict back, making the submission pending again. */
  onReset: (submission: Submission) => void
  onDelete: (submission: Submission) => void
}

/** Every detail of a submission. Its verdict can be given, changed or taken back. */
export function DetailsDialog({ submission: given, onClose, onEvaluate, onReset, onDelete }: DetailsDialogProps) {
  const t = useT()
  const { submission, isDeleted } = useCurrentSubmission(given)
  const { teamId: team, challengeId: challenge, metadata, status } = submission
  const isOwnTeam = submission.canEvaluate === false
  const cannotEvaluate = isOwnTeam || isDeleted
  return (
    <Dialog
      open
      size="lg"
      title={t('Submission details')}
      onOpenChange={onClose}
      head={<TeamTile name={team.name} size="sm" />}
      description={
        <>
          <bdi>{team.name}</bdi> · <bdi>{challenge.title}</bdi>
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>{t('Close')}</Button>
          <Button variant="primary" aria-disabled={cannotEvaluate} onClick={() => onEvaluate(submission)}>
            {t('Evaluate')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        {isDeleted && <Notice tone="bad" message={appErrors.submissionMissing} />}
        {isOwnTeam && <Notice message={appErrors.ownTeam} />}
        <WorkContent work={submission} showsUrl />
        <Facts submission={submission} />
        {metadata.submissionNotes !== '' && (
          <TextSection name={t('Notes')}>
            <LinkedText text={metadata.submissionNotes} isByMember />
          </TextSection>
        )}
        {submission.feedback && (
          <TextSection name={t('Feedback')}>
            <LinkedText text={submission.feedback} />
          </TextSection>
        )}
        <section>
          <h3 className="mb-2 text-base">{t('Actions')}</h3>
          <div className="flex flex-wrap gap-2">
            {status !== 'pending' && (
              <Button size="sm" aria-disabled={cannotEvaluate} onClick={() => onReset(submission)}>
                <Undo2 aria-hidden="true" className="rtl:-scale-x-100" />
                {t('Reset evaluation')}
              </Button>
            )}
            <Button size="sm" variant="danger-outline" aria-disabled={isDeleted} onClick={() => onDelete(submission)}>
              <Trash2 aria-hidden="true" />
              {t('Delete')}
            </Button>
          </div>
        </section>
      </div>
    </Dialog>
  )
}

function Facts({ submission }: { submission: Submission }) {
  const t = useT()
  const { submittedBy, evaluatedBy, evaluatedAt, score, points, type, createdAt, resubmittedAt } = submission
  return (
    <dl className="grid gap-4 sm:grid-cols-2">
      <Fact name={t('Status')}>
        <StatusBadge status={submission.status} />
      </Fact>
      <Fact name={t('Type')}>{type === 'link' ? t('Link') : t('Upload')}</Fact>
      <Fact name={t('Submitted By')}>{submittedBy ? <bdi>{submittedBy.name}</bdi> : t('Deleted account')}</Fact>
      {submittedBy?.email && (
        <Fact name={t('Email')}>
          <a href={mailtoLink(submittedBy.email)} className="text-primary underline">
            <Email address={submittedBy.email} />
          </a>
        </Fact>
      )}
      <Fact name={t('Submitted')}>
        <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>
      </Fact>
      {resubmittedAt && (
        <Fact name={t('Submitted again')}>
          <time dateTime={resubmittedAt}>{formatDateTime(resubmittedAt)}</time>
        </Fact>
      )}
      <Fact name={t('Points available')}>{formatNumber(submission.challengeId.points)}</Fact>
      {score !== null && (
        <Fact name={t('Score')}>
          <Score score={score} />
        </Fact>
      )}
      {points !== null && <Fact name={t('Points earned')}>{formatNumber(points)}</Fact>}
      {evaluatedBy && (
        <Fact name={t('Evaluated By')}>
          <bdi>{evaluatedBy.name}</bdi>
        </Fact>
      )}
      {evaluatedAt && (
        <Fact name={t('Evaluated')}>
          <time dateTime={evaluatedAt}>{formatDateTime(evaluatedAt)}</time>
        </Fact>
      )}
    </dl>
  )
}

function TextSection({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-1 text-base">{name}</h3>
      <p dir="auto" className="rounded-control bg-sunken px-3 py-2 whitespace-pre-line">
        {children}
      </p>
    </section>
  )
}
