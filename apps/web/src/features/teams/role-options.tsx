import { roleName } from '../../components/role-name.ts'
import { useT } from '../../lib/i18n.ts'
import { byCategory, categoryLabels, type RoleChoice } from './roles.ts'

/**
 * The options of a role select, grouped by category. They get the roles as a prop: React sets the value of a select only when the component
 * that contains it renders, so that component has to load them.
 */
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
