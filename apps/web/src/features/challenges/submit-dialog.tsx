import { type Challenge, nameKey } from '@community/contract'
import { useId } from 'react'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, useSubmit } from '../../lib/use-form.ts'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useSubmitWork } from './submit-work.ts'
import type { TeamEligibility } from './eligibility.ts'
import { useDraftReminder } from './use-draft-reminder.ts'
import { useWorkForm } from './use-work-form.ts'
import { WorkDialog } from './work-dialog.tsx'
import { WorkFields } from './work-fields.tsx'
import { SubmitForm } from './work-form.ts'

interface SubmitDialogProps {
  challenge: Challenge
  eligibilities: readonly TeamEligibility[]
  onClose: () => void
}

/** Lets any member of a team submit a project for it. The team is given by its name. */
export function SubmitDialog({ challenge, eligibilities, onClose }: SubmitDialogProps) {
  const t = useT()
  const namesId = useId()
  const names = eligibilities.map(({ team }) => team.name)
  const draftName = `submit ${challenge.id}`
  const { form, hasDraft, startOver, discardDraft } = useWorkForm<SubmitForm>(SubmitForm, {
    name: draftName,
    initialValues: { teamName: (names.length === 1 && names[0]) || '' },
  })
  const { submitWork, ...submission } = useSubmitWork(challenge.id, {
    submitNew: ({ teamName: name, notes }: SubmitForm, work) =>
      trpcClient.challenges.submit.mutate({ id: challenge.id, teamName: name, submissionNotes: notes, ...work }),
    success: () => t('Application submitted successfully!'),
    form,
  })
  const submit = useSubmit(form, async (values) => {
    const output = await submitWork(values)
    if (!output) return
    discardDraft()
    emit('submissionCreated', { teamId: output.submission.teamId.id, challengeId: challenge.id })
    onClose()
  })
  const teamName = registerField(form, 'teamName')
  const teamKey = nameKey(form.watch('teamName'))
  const selected = eligibilities.find(({ team }) => nameKey(team.name) === teamKey)
  useDraftReminder({ challenge, draftName, eligibility: selected, isSending: submission.isSending })
  return (
    <WorkDialog
      title={t('Submit Project')}
      challengeTitle={challenge.title}
      submitLabel={t('Submit Project')}
      submission={submission}
      hasDraft={hasDraft}
      onStartOver={startOver}
      onSubmit={submit}
      onClose={onClose}
      rejected={selected?.rejected ?? null}
    >
      <Field label={t('Team name')} error={teamName.error} hint={t('The name of a team you belong to.')} required>
        <TextInput {...teamName.control} list={namesId} autoComplete="off" />
      </Field>
      <datalist id={namesId}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <WorkFields form={form} submission={submission} />
    </WorkDialog>
  )
}
