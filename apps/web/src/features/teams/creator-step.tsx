import { useT } from '../../lib/i18n.ts'
import { registerField } from '../../lib/use-form.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { CREATOR_FIELD } from './create-team-form.ts'
import { OptionalPersonFields, RequiredPersonFields, type PersonFieldName } from '../../components/person-fields.tsx'
import { RoleOptions } from './role-options.tsx'
import { useRoles } from './roles.ts'
import type { TeamForm } from './use-create-team.ts'

/** Step 1: the team's creator. */
export function CreatorStep({ form }: { form: TeamForm }) {
  const field = (name: PersonFieldName) => registerField(form, CREATOR_FIELD[name])
  return (
    <div className="grid gap-4">
      <RequiredPersonFields field={field} />
      <OwnRole form={form} />
      <OptionalPersonFields field={field} />
    </div>
  )
}

function OwnRole({ form }: { form: TeamForm }) {
  const t = useT()
  const { roles, isFallback } = useRoles()
  const role = registerField(form, 'userInfo.role.id')
  // The built-in roles have no ids to send, and this field is optional.
  if (isFallback) return null
  return (
    <Field label={t('Your role in the team')} error={role.error}>
      <Select {...role.control}>
        <option value="">{t('No role yet')}</option>
        <RoleOptions roles={roles} />
      </Select>
    </Field>
  )
}
