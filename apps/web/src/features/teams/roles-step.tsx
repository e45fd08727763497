import { messageOf } from '../../lib/schema-resolver.ts'
import { useController } from 'react-hook-form'
import { RolePicker } from './role-picker.tsx'
import type { TeamForm } from './use-create-team.ts'

/** Step 3: the roles the team looks for. */
export function RolesStep({ form }: { form: TeamForm }) {
  const { field, fieldState } = useController({ control: form.control, name: 'rolesNeeded' })
  const { error } = fieldState
  return (
    <RolePicker
      chosen={field.value}
      onChange={(next) => {
        field.onChange(next)
        if (error) void form.trigger('rolesNeeded')
      }}
      error={messageOf(error)}
      firstCheckboxRef={field.ref}
    />
  )
}
