import { type Challenge, nameKey } from '@community/contract'
import { TEAM_NAME_LENGTH } from '@community/contract/limits'
import { useId } from 'react'
import { emit } from '../../lib/events.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { bound, applyServerErrors, useSubmit } from '../../lib/use-form.ts'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useSendWork } from './send-work.ts'
import type { Standing } from './standing.ts'
import { useWorkForm } from './use-work-form.ts'
import { WorkDialog } from './work-dialog.tsx'
import { WorkFields } from './work-fields.tsx'
import { SubmitForm } from './work-form.ts'

export interface SubmitDialogProps {
  challenge: Challenge
  standings: readonly Standing[]
  onClose: () => void
}

/** Any member submits a project for a team of theirs, which they name. */
export function SubmitDialog({ challenge, standings, onClose }: SubmitDialogProps) {
  const t = useT()
  const namesId = useId()
  const names = standings.map(({ team }) => team.name)
  const { form, hasDraft, startOver, forget } = useWorkForm<SubmitForm>(SubmitForm, {
    name: `submit ${challenge.id}`,
    start: { teamName: (names.length === 1 && names[0]) || '' },
  })
  const sending = useSendWork(challenge.id, (error) => applyServerErrors(form, error).length > 0)
  const handIn = trpc.challenges.submit.useMutation({
    meta: { done: msg('Application submitted successfully!'), invalidates: ['challenges', 'submissions'] },
  })
  const submit = useSubmit(form, async (filled) => {
    let teamId = ''
    const isTaken = await sending.send(filled, async (work) => {
      const { teamName, notes } = filled
      const { submission } = await handIn.mutateAsync({ id: challenge.id, teamName, submissionNotes: notes, ...work })
      teamId = submission.teamId.id
    })
    if (!isTaken) return
    forget()
    emit('submissionCreated', { teamId, challengeId: challenge.id })
    onClose()
  })
  const teamName = bound(form, 'teamName')
  const named = nameKey(form.watch('teamName'))
  const rejected = standings.find(({ team }) => nameKey(team.name) === named)?.rejected ?? null
  return (
    <WorkDialog
      title={t('Submit Project')}
      challengeTitle={challenge.title}
      submitLabel={t('Submit Project')}
      sending={sending}
      hasDraft={hasDraft}
      onStartOver={startOver}
      onSubmit={submit}
      onClose={onClose}
      rejected={rejected}
    >
      <Field label={t('Team name')} error={teamName.error} hint={t('A team you are in, by its name.')} required>
        <TextInput {...teamName.control} list={namesId} autoComplete="off" maxLength={TEAM_NAME_LENGTH.max} />
      </Field>
      <datalist id={namesId}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <WorkFields form={form} sending={sending} />
    </WorkDialog>
  )
}
