import type { Message } from '@community/contract'
import { clsx } from 'clsx'
import { type Ref, useId } from 'react'
import { roleName } from '../../components/role-name.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { byCategory, categoryLabels, type RoleChoice, useRoles } from './roles.ts'

type ChosenRole = Omit<RoleChoice, 'category'>

interface RolePickerProps {
  chosen: readonly ChosenRole[]
  onChange: (next: ChosenRole[]) => void
  error: Message | undefined
  /** Receives the focus when the choice is invalid. */
  firstCheckboxRef: Ref<HTMLInputElement>
}

/** Checkboxes of all roles, by category. */
export function RolePicker({ chosen, onChange, error, firstCheckboxRef }: RolePickerProps) {
  const t = useT()
  const errorId = useId()
  const { roles } = useRoles()
  const labels = categoryLabels(t)
  const isChosen = (role: RoleChoice) => chosen.some((other) => other.name === role.name)
  const toggle = ({ id, name, emoji }: RoleChoice) => {
    const others = chosen.filter((other) => other.name !== name)
    onChange(others.length < chosen.length ? others : [...others, { id, name, emoji }])
  }
  return (
    <div className="grid gap-5">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <output className="text-ink-2">
          {t('{count, plural, =0 {No role selected} one {# role selected} other {# roles selected}}', {
            count: chosen.length,
          })}
        </output>
        <Button size="sm" variant="ghost" onClick={() => onChange([])} aria-disabled={chosen.length === 0}>
          {t('Clear All')}
        </Button>
      </div>
      <FieldError id={errorId} error={error} />
      {byCategory(roles).map((group, groupIndex) => (
        <fieldset key={group.category} aria-describedby={error ? errorId : undefined}>
          <legend className="mb-2 font-semibold">{labels[group.category]}</legend>
          <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {group.roles.map((role, roleIndex) => (
              <RoleCheckbox
                key={role.name}
                role={role}
                checked={isChosen(role)}
                onToggle={() => toggle(role)}
                {...(groupIndex === 0 && roleIndex === 0 && { ref: firstCheckboxRef })}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}

interface RoleCheckboxProps {
  role: RoleChoice
  checked: boolean
  onToggle: () => void
  ref?: Ref<HTMLInputElement>
}

function RoleCheckbox({ role, checked, onToggle, ref }: RoleCheckboxProps) {
  return (
    <label
      className={clsx(
        'flex min-h-11 items-center gap-2.5 rounded-control border border-control px-3 py-2 transition-colors',
        'hover:bg-sunken has-checked:border-primary has-checked:bg-primary-soft',
      )}
    >
      <input
        ref={ref}
        type="checkbox"
        checked={checked}
        onChange={onToggle}
        className="size-5 shrink-0 accent-primary"
      />
      <span aria-hidden="true">{role.emoji}</span>
      <span className="min-w-0">{roleName(role)}</span>
    </label>
  )
}
