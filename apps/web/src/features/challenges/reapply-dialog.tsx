import type { Submission } from '@community/contract'
import { useRef } from 'react'
import { applicationLinkId } from '../../components/application.tsx'
import { parseLink } from '../../components/parse-link.ts'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { useSubmit } from '../../lib/use-form.ts'
import { useSubmitWork } from './submit-work.ts'
import { useWorkForm } from './use-work-form.ts'
import { WorkDialog } from './work-dialog.tsx'
import { WorkFields } from './work-fields.tsx'
import { ReapplyForm } from './work-form.ts'

interface ReapplyDialogProps {
  application: Submission
  /** A chef applies for the team; the member who submitted the work submits for it. */
  isChef: boolean
  onClose: () => void
}

/** Submits a rejected application again, with its feedback next to the form. */
export function ReapplyDialog({ application, isChef, onClose }: ReapplyDialogProps) {
  const t = useT()
  const { challengeId: challenge, teamId: team } = application
  const isLink = application.type === 'link'
  const { form, hasDraft, startOver, discardDraft } = useWorkForm<ReapplyForm>(ReapplyForm, {
    name: `reapply ${application.id}`,
    initialValues: {
      type: 'same',
      link: isLink ? application.content : '',
      notes: application.metadata.submissionNotes,
    },
  })
  const finalFocus = useRef<HTMLElement>(null)
  const { submitWork, ...submission } = useSubmitWork(challenge.id, {
    resubmit: () => trpcClient.submissions.setStatus.mutate({ id: application.id, status: 'pending' }),
    // A chef applies for the team; the member who submitted the work submits for it.
    submitNew: ({ notes }: Exclude<ReapplyForm, { type: 'same' }>, work) =>
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
  const submit = useSubmit(form, async (values) => {
    const output = await submitWork(values)
    if (!output) return
    // The button that opened this dialog is gone, and the application may have moved, because it is now the newest.
    finalFocus.current = document.getElementById(applicationLinkId(output.submission))
    discardDraft()
    if (values.type !== 'same') emit('submissionCreated', { teamId: team.id, challengeId: challenge.id })
    onClose()
  })
  const previousWork = (isLink ? parseLink(application.content)?.title : application.fileInfo?.originalName) ?? ''
  return (
    <WorkDialog
      title={t('Re-apply')}
      challengeTitle={challenge.title}
      submitLabel={t('Re-apply')}
      submission={submission}
      hasDraft={hasDraft}
      onStartOver={startOver}
      onSubmit={submit}
      onClose={onClose}
      finalFocus={finalFocus}
      rejected={application}
    >
      <WorkFields form={form} submission={submission} sameWork={<bdi>{previousWork}</bdi>} />
    </WorkDialog>
  )
}
