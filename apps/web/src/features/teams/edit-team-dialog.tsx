import { messageOf } from '../../lib/schema-resolver.ts'
import { CreateTeamForm, type Team } from '@community/contract'
import { useId } from 'react'
import { useController } from 'react-hook-form'
import { formValues } from '../../lib/form-values.ts'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { registerField, fieldErrorsOf, useDraftForm, useSubmit } from '../../lib/use-form.ts'
import { AnswerButtons } from '../../ui/answer-buttons.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { passwordIfAdmin, passwordInput } from '../../components/confirm-as-chef.ts'
import type { CreateTeamParsed } from './create-team-form.ts'
import { RolePicker } from './role-picker.tsx'
import { useRoleIds } from './roles.ts'
import { AFTER_TEAM_CHANGE } from './after-team-change.ts'
import { sizesFor, TeamFields } from './team-fields.tsx'

/** Without the name: renaming has a dialog of its own. */
const EditTeamForm = CreateTeamForm.omit({ name: true, userInfo: true })
type EditTeamForm = Omit<CreateTeamForm, 'name' | 'userInfo'>
type EditTeamParsed = Omit<CreateTeamParsed, 'name' | 'userInfo'>

/** Saves the team. Errors are shown at their fields, or above the form. */
function useEdit(team: Team, onDone: () => void) {
  const t = useT()
  const toServerRoles = useRoleIds()
  const { form, draft } = useDraftForm<EditTeamForm, EditTeamParsed>(
    EditTeamForm,
    formValues(EditTeamForm, team),
    `team ${team.id}`,
  )
  const update = {
    mutate: async ({ rolesNeeded, ...rest }: EditTeamParsed & { id: string; password?: string }) =>
      trpcClient.teams.update.mutate({ ...rest, rolesNeeded: await toServerRoles(rolesNeeded) }),
  }
  const { run, failure, isPending } = useAction(update, {
    input: (edited: EditTeamParsed, answers) => ({ ...edited, id: team.id, ...passwordInput(answers) }),
    ...passwordIfAdmin({ title: t('Edit {team}', { team: team.name }), confirmLabel: t('Save') }),
    success: { title: t('Team Updated'), message: t('The changes to {team} are saved.', { team: team.name }) },
    fields: fieldErrorsOf(form),
    ...AFTER_TEAM_CHANGE,
  })
  const submit = useSubmit(form, async (edited) => {
    if (!(await run(edited))) return
    draft.markSaved()
    onDone()
  })
  return { form, draft, submit, failure, isPending }
}

/** Edits a team's description, roles needed and size. */
export function EditTeamDialog({ team, onClose }: { team: Team; onClose: () => void }) {
  const t = useT()
  const id = useId()
  const { form, draft, submit, failure, isPending } = useEdit(team, onClose)
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
        {draft.isRestored && <DraftNotice onStartOver={draft.startOver} disabled={isPending} />}
        <TeamFields
          field={(part) => registerField(form, part, part === 'maxMembers' ? { setValueAs: Number } : {})}
          description={form.watch('description')}
          sizes={sizesFor(team.memberCount, team.maxMembers)}
        />
        <h3 className="text-lg">{t('Roles needed')}</h3>
        <RolePicker
          chosen={roles.field.value}
          onChange={(next) => {
            roles.field.onChange(next)
            if (roles.fieldState.error) void form.trigger('rolesNeeded')
          }}
          error={messageOf(roles.fieldState.error)}
          firstCheckboxRef={roles.field.ref}
        />
      </form>
    </Dialog>
  )
}
