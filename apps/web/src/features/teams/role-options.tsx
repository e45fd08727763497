import { roleName } from '../../components/role-name.ts'
import { useT } from '../../lib/i18n.ts'
import { byCategory, categoryLabels, type RoleChoice } from './roles.ts'

/** The options of a select, by category. Load the roles in the component that renders the select: React applies its value only when that renders. */
export function RoleOptions({ roles }: { roles: readonly RoleChoice[] }) {
  const labels = categoryLabels(useT())
  return byCategory(roles).map((group) => (
    <optgroup key={group.category} label={labels[group.category]}>
      {group.roles.map((role) => (
        <option key={role.id} value={role.id}>
          {role.emoji} {roleName(role)}
        </option>
      ))}
    </optgroup>
  ))
}
