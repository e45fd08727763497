import type { Submission } from '@community/contract'
import { linkName } from '../../components/link-name.ts'
import { emit } from '../../lib/events.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { applyServerErrors, useSubmit } from '../../lib/use-form.ts'
import { type SentWork, useSendWork } from './send-work.ts'
import { useWorkForm } from './use-work-form.ts'
import { WorkDialog } from './work-dialog.tsx'
import { WorkFields } from './work-fields.tsx'
import { ReapplyForm } from './work-form.ts'

export interface ReapplyDialogProps {
  application: Submission
  /** Chefs apply for their team; who submitted as a member submits for it. */
  isChef: boolean
  onClose: () => void
}

const STALE = ['challenges', 'submissions', 'teams', 'users']

/** Sends the same work back to the judges, or other work in its place. */
function useReapply({ application, isChef }: ReapplyDialogProps) {
  const { challengeId: challenge, teamId: team } = application
  const taken = { done: msg('Application submitted successfully!'), invalidates: STALE }
  const again = trpc.submissions.setStatus.useMutation({
    meta: {
      done: {
        title: msg('Reapplication'),
        message: msg('Submission status updated to pending. Waiting for admin review.'),
      },
      invalidates: STALE,
    },
  })
  const apply = trpc.challenges.applyTo.useMutation({ meta: taken })
  const submit = trpc.challenges.submit.useMutation({ meta: taken })
  return {
    sameWork: () => again.mutateAsync({ id: application.id, status: 'pending' }),
    otherWork: (work: SentWork, notes: string) =>
      isChef
        ? apply.mutateAsync({ id: challenge.id, teamId: team.id, applicationNotes: notes, ...work })
        : submit.mutateAsync({ id: challenge.id, teamName: team.name, submissionNotes: notes, ...work }),
  }
}

/** A rejected application again, with what the judges said of it beside the form. */
export function ReapplyDialog(props: ReapplyDialogProps) {
  const { application, onClose } = props
  const t = useT()
  const { challengeId: challenge, teamId: team } = application
  const isLink = application.type === 'link'
  const { form, hasDraft, startOver, forget } = useWorkForm<ReapplyForm>(ReapplyForm, {
    name: `reapply ${application.id}`,
    start: { type: 'same', link: isLink ? application.content : '', notes: application.metadata.submissionNotes },
  })
  const sending = useSendWork(challenge.id, (error) => applyServerErrors(form, error).length > 0)
  const { sameWork, otherWork } = useReapply(props)
  const submit = useSubmit(form, async (filled) => {
    const isAgain = filled.type === 'same'
    const isTaken = isAgain
      ? await sending.sendAgain(sameWork, t('Failed to update submission status'))
      : await sending.send(filled, (work) => otherWork(work, filled.notes))
    if (!isTaken) return
    forget()
    if (!isAgain) emit('submissionCreated', { teamId: team.id, challengeId: challenge.id })
    onClose()
  })
  const before = (isLink ? linkName(application.content)?.title : application.fileInfo?.originalName) ?? ''
  return (
    <WorkDialog
      title={t('Re-apply')}
      challengeTitle={challenge.title}
      submitLabel={t('Re-apply')}
      sending={sending}
      hasDraft={hasDraft}
      onStartOver={startOver}
      onSubmit={submit}
      onClose={onClose}
      rejected={application}
    >
      <WorkFields form={form} sending={sending} same={<bdi>{before}</bdi>} />
    </WorkDialog>
  )
}
