import { CreateTeamForm, type Team } from '@community/contract'
import { useId, useState } from 'react'
import { useController } from 'react-hook-form'
import { failureOf } from '../../lib/failure.ts'
import { formValues } from '../../lib/form-values.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { bound, applyServerErrors, useSchemaForm, useSubmit } from '../../lib/use-form.ts'
import { AnswerButtons } from '../../ui/answer-buttons.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { actAsChef } from './as-chef.ts'
import type { CreateTeamParsed } from './create-team-form.ts'
import { RolePicker } from './role-picker.tsx'
import { useRoleIds } from './roles.ts'
import { sizesFor, TeamFields } from './team-fields.tsx'

/** A team is renamed in a dialog of its own. */
const EditTeamForm = CreateTeamForm.omit({ name: true, userInfo: true })
type EditTeamForm = Omit<CreateTeamForm, 'name' | 'userInfo'>
type EditTeamParsed = Omit<CreateTeamParsed, 'name' | 'userInfo'>

/** Saves, says so, and shows the team as it now is. A refusal stands at its field, or above all. */
function useEdit(team: Team, onDone: () => void) {
  const t = useT()
  const utils = trpc.useUtils()
  const withIds = useRoleIds()
  const [failure, setFailure] = useState<string>()
  const form = useSchemaForm<EditTeamForm, EditTeamParsed>(EditTeamForm, formValues(EditTeamForm, team))
  const { mutateAsync, isPending } = trpc.teams.update.useMutation({ meta: { failed: msg('Failed to update team') } })
  const submit = useSubmit(form, async (edited) => {
    setFailure(undefined)
    try {
      const rolesNeeded = await withIds(edited.rolesNeeded)
      const question = { title: t('Edit {team}', { team: team.name }), confirmLabel: t('Save') }
      const isDone = await actAsChef(question, async (confirmed) => {
        const answer = await mutateAsync({ ...edited, rolesNeeded, id: team.id, ...confirmed })
        utils.teams.get.setData({ id: team.id }, answer)
        toast.success(t('Team Updated'), t('The changes to {team} are saved.', { team: team.name }))
      })
      if (isDone) onDone()
    } catch (error) {
      if (applyServerErrors(form, error).length === 0) setFailure(failureOf(error).message)
    }
  })
  return { form, submit, failure, isPending }
}

/** Edits what the team says of itself, whom it looks for and how many it takes. */
export function EditTeamDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const t = useT()
  const id = useId()
  const { form, submit, failure, isPending } = useEdit(team, onClose)
  const roles = useController({ control: form.control, name: 'rolesNeeded' })
  return (
    <Dialog
      open
      size="lg"
      title={t('Edit {team}', { team: team.name })}
      dismissible={!isPending}
      onOpenChange={onClose}
      footer={
        <AnswerButtons
          question={{ confirmLabel: t('Save') }}
          form={id}
          busy={isPending}
          busyLabel={t('Saving...')}
          onCancel={onClose}
        />
      }
    >
      <form id={id} noValidate onSubmit={submit} className="grid gap-4">
        {failure && <Notice tone="bad" message={failure} />}
        <TeamFields
          field={(part) => bound(form, part, part === 'maxMembers' ? { setValueAs: Number } : {})}
          description={form.watch('description')}
          sizes={sizesFor(team.memberCount, team.maxMembers)}
        />
        <h3 className="text-lg">{t('Roles Needed')}</h3>
        <RolePicker
          chosen={roles.field.value}
          onChange={(next) => {
            roles.field.onChange(next)
            if (roles.fieldState.error) void form.trigger('rolesNeeded')
          }}
          error={roles.fieldState.error?.message}
          firstBox={roles.field.ref}
        />
      </form>
    </Dialog>
  )
}
