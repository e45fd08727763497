import type { FieldError } from 'react-hook-form'
import { messageOf } from '../../lib/schema-resolver.ts'
import { JoinTeamForm, type Team } from '@community/contract'
import { useEffect, useState } from 'react'
import { roleName } from '../../components/role-name.ts'
import { failureOf } from '../../lib/failure.ts'
import { formValues } from '../../lib/form-values.ts'
import { useT } from '../../lib/i18n.ts'
import type { CurrentUser } from '../../lib/session.ts'
import { fieldErrorsToast } from '../../lib/toasts.ts'
import { registerField, applyServerErrors, useDraftForm, useSubmit } from '../../lib/use-form.ts'
import { DraftNotice } from '../../ui/draft-notice.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { joinFailure, missingFields, missingText } from './join-failure.ts'
import { OptionalPersonFields, RequiredPersonFields } from '../../components/person-fields.tsx'
import type { JoinAnswers } from './use-join-team.ts'

interface JoinFormProps {
  id: string
  team: Pick<Team, 'rolesNeeded'>
  user: CurrentUser
  /** The error of the last attempt, shown above the fields unless it is shown at one of them. */
  error: unknown
  /** Returns whether the user has joined. `applyToFields` shows the server's errors at the fields. */
  join: (answers: JoinAnswers, applyToFields: (error: unknown) => boolean) => Promise<boolean>
  onJoined: () => void
  draftName: string
}

/** Initial values from the profile, with the role preselected if the team needs only one. */
const initialValues = (user: CurrentUser, { rolesNeeded: [first, ...others] }: Pick<Team, 'rolesNeeded'>) =>
  formValues(JoinTeamForm, { ...user, role: { id: others.length === 0 && first ? first.id : '' } })

/** The form to join a team, prefilled from the profile. */
export function JoinForm({ id, team, user, error, join, onJoined, draftName }: JoinFormProps) {
  const t = useT()
  const [wasIncomplete, setWasIncomplete] = useState(false)
  const [isShownAtField, setIsShownAtField] = useState(false)
  const { form, draft } = useDraftForm(JoinTeamForm, initialValues(user, team), draftName)
  const role = registerField(form, 'role.id')
  const { setFocus } = form
  useEffect(() => setFocus('role.id'), [setFocus])
  const submit = useSubmit(
    form,
    async (input) => {
      setWasIncomplete(false)
      const chosen = team.rolesNeeded.find((option) => option.id === input.role.id)
      const applyToFields = (failure: unknown) => {
        const isAtField = applyServerErrors(form, failure).length > 0
        setIsShownAtField(isAtField)
        return isAtField
      }
      if (!(await join({ ...input, role: chosen ?? input.role }, applyToFields))) return
      draft.markSaved()
      onJoined()
    },
    (errors) => {
      const labels = missingFields(form.getValues(), t)
      setWasIncomplete(labels.length > 0)
      if (labels.length > 0) return { type: 'error', title: t('Validation Error'), message: missingText(labels, t) }
      return fieldErrorsToast(Object.values(errors).flatMap((fieldError) => messageOf(fieldError as FieldError) ?? []))
    },
  )
  const missing = wasIncomplete ? missingFields(form.watch(), t) : []
  return (
    <form id={id} noValidate onSubmit={submit} className="grid gap-4">
      {draft.isRestored && <DraftNotice onStartOver={draft.startOver} />}
      {missing.length > 0 && <Notice tone="bad">{missingText(missing, t)}</Notice>}
      {!wasIncomplete && error != null && !isShownAtField && (
        <Notice tone="bad">{joinFailure(failureOf(error), t).message}</Notice>
      )}
      <Field label={t('Role')} required error={role.error}>
        <Select {...role.control}>
          <option value="">{t('Choose a role')}</option>
          {team.rolesNeeded.map((option) => (
            <option key={option.id} value={option.id}>
              {option.emoji} {roleName(option)}
            </option>
          ))}
        </Select>
      </Field>
      <RequiredPersonFields field={(part) => registerField(form, part)} />
      <OptionalPersonFields field={(part) => registerField(form, part)} />
    </form>
  )
}
