import { type Challenge, nameKey } from '@community/contract'
import { TEAM_NAME_LENGTH } from '@community/contract/limits'
import { useId } from 'react'
import { emit } from '../../lib/events.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { bound, useSubmit } from '../../lib/use-form.ts'
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
  const { send, ...sending } = useSendWork(challenge.id, {
    handIn: ({ teamName: name, notes }: SubmitForm, work) =>
      trpcClient.challenges.submit.mutate({ id: challenge.id, teamName: name, submissionNotes: notes, ...work }),
    success: () => t('Application submitted successfully!'),
    form,
  })
  const submit = useSubmit(form, async (filled) => {
    const taken = await send(filled)
    if (!taken) return
    forget()
    emit('submissionCreated', { teamId: taken.submission.teamId.id, challengeId: challenge.id })
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
