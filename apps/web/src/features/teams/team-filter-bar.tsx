import { SEARCH_LENGTH_MAX } from '@community/contract/limits'
import { Search } from 'lucide-react'
import { roleName } from '../../components/role-name.ts'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { sortLabels, sortOf, type TeamFilters } from './filters.ts'
import { byCategory, categoryLabels, useRoles } from './roles.ts'

interface TeamFilterBarProps {
  filters: TeamFilters
  onChange: (filters: TeamFilters) => void
}

/** Search, role and order. */
export function TeamFilterBar({ filters, onChange }: TeamFilterBarProps) {
  const t = useT()
  const isVisitor = useUser() === null
  const orders = Object.entries(sortLabels(t)).filter(([value]) => !isVisitor || sortOf(value).sort !== 'members')
  return (
    <search className="mb-4 grid gap-2 sm:grid-cols-2 lg:grid-cols-[1fr_auto_auto]">
      <Field label={t('Search teams')} labelHidden className="sm:col-span-2 lg:col-span-1">
        <TextInput
          icon={Search}
          type="search"
          maxLength={SEARCH_LENGTH_MAX}
          placeholder={t('Search teams')}
          value={filters.search}
          onChange={(event) => onChange({ ...filters, search: event.target.value })}
        />
      </Field>
      <RoleFilter role={filters.role} onChange={(role) => onChange({ ...filters, role })} />
      <Select
        aria-label={t('Sort by')}
        className="lg:w-52"
        value={`${filters.sort}-${filters.order}`}
        onChange={(event) => onChange({ ...filters, ...sortOf(event.target.value) })}
      >
        {orders.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </search>
  )
}

function RoleFilter({ role, onChange }: { role: string; onChange: (role: string) => void }) {
  const t = useT()
  const { roles, isFallback } = useRoles()
  const labels = categoryLabels(t)
  // The built-in roles have no ids to filter by.
  const groups = isFallback ? [] : byCategory(roles)
  return (
    <Select
      aria-label={t('Filter by role')}
      className="lg:w-56"
      value={role}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">{t('All roles')}</option>
      {groups.map((group) => (
        <optgroup key={group.category} label={labels[group.category]}>
          {group.roles.map((option) => (
            <option key={option.id} value={option.id}>
              {option.emoji} {roleName(option)}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}
