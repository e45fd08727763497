import { SEARCH_LENGTH_MAX } from '@community/contract/limits'
import { Search } from 'lucide-react'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { sortLabels, sortOf, type TeamFilters } from './filters.ts'
import { RoleOptions } from './role-options.tsx'
import { useRoles } from './roles.ts'

interface TeamFilterBarProps {
  filters: TeamFilters
  onChange: (filters: TeamFilters) => void
}

/** Search, role and order. */
export function TeamFilterBar({ filters, onChange }: TeamFilterBarProps) {
  const t = useT()
  const isVisitor = useUser() === null
  const { roles, isFallback } = useRoles()
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
      <Select
        aria-label={t('Filter by role')}
        className="lg:w-56"
        value={filters.role}
        onChange={(event) => onChange({ ...filters, role: event.target.value })}
      >
        <option value="">{t('All roles')}</option>
        {/* Roles that could not be loaded have no ids to filter by. */}
        <RoleOptions roles={isFallback ? [] : roles} />
      </Select>
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
