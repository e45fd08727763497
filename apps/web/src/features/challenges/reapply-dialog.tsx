import type { Submission } from '@community/contract'
import { linkName } from '../../components/link-name.ts'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { useSubmit } from '../../lib/use-form.ts'
import { useSendWork } from './send-work.ts'
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

/** A rejected application again, with what the judges said of it beside the form. */
export function ReapplyDialog({ application, isChef, onClose }: ReapplyDialogProps) {
  const t = useT()
  const { challengeId: challenge, teamId: team } = application
  const isLink = application.type === 'link'
  const { form, hasDraft, startOver, forget } = useWorkForm<ReapplyForm>(ReapplyForm, {
    name: `reapply ${application.id}`,
    start: { type: 'same', link: isLink ? application.content : '', notes: application.metadata.submissionNotes },
  })
  const { send, ...sending } = useSendWork(challenge.id, {
    again: () => trpcClient.submissions.setStatus.mutate({ id: application.id, status: 'pending' }),
    // Chefs apply for their team; who submitted as a member submits for it.
    handIn: ({ notes }: Exclude<ReapplyForm, { type: 'same' }>, work) =>
      isChef
        ? trpcClient.challenges.applyTo.mutate({ id: challenge.id, teamId: team.id, applicationNotes: notes, ...work })
        : trpcClient.challenges.submit.mutate({
            id: challenge.id,
            teamName: team.name,
            submissionNotes: notes,
            ...work,
          }),
    success: ({ type }) =>
      type === 'same'
        ? {
            title: t('Reapplication'),
            message: t('Submission status updated to pending. Waiting for admin review.'),
          }
        : t('Application submitted successfully!'),
    fallback: ({ type }) => (type === 'same' ? t('Failed to update submission status') : undefined),
    form,
  })
  const submit = useSubmit(form, async (filled) => {
    if (!(await send(filled))) return
    forget()
    if (filled.type !== 'same') emit('submissionCreated', { teamId: team.id, challengeId: challenge.id })
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
