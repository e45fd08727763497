import { clsx } from 'clsx'
import { type Ref, useId } from 'react'
import { useController } from 'react-hook-form'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { FieldError } from '../../ui/field.tsx'
import { byCategory, categoryLabels, type RoleChoice, roleName, useRoles } from './roles.ts'
import type { TeamForm } from './use-create-team.ts'

/** Step 3: the roles the team looks for. */
export function RolesStep({ form }: { form: TeamForm }) {
  const t = useT()
  const errorId = useId()
  const { roles } = useRoles()
  const labels = categoryLabels(t)
  const { field, fieldState } = useController({ control: form.control, name: 'rolesNeeded' })
  const chosen = field.value
  const isChosen = (role: RoleChoice) => chosen.some((one) => one.name === role.name)
  const set = (next: typeof chosen) => {
    field.onChange(next)
    if (fieldState.error) void form.trigger('rolesNeeded')
  }
  const toggle = ({ id, name, emoji }: RoleChoice) =>
    set(
      chosen.some((one) => one.name === name)
        ? chosen.filter((one) => one.name !== name)
        : [...chosen, { id, name, emoji }],
    )
  return (
    <div className="grid gap-5">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <output className="text-ink-2">
          {t('{count, plural, =0 {No role selected} one {# role selected} other {# roles selected}}', {
            count: chosen.length,
          })}
        </output>
        <Button size="sm" variant="ghost" onClick={() => set([])} disabled={chosen.length === 0}>
          {t('Clear All')}
        </Button>
      </div>
      <FieldError id={errorId} error={fieldState.error?.message} />
      {byCategory(roles).map((group, index) => (
        <fieldset key={group.category} aria-describedby={fieldState.error ? errorId : undefined}>
          <legend className="mb-2 font-semibold">{labels[group.category]}</legend>
          <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {group.roles.map((role, place) => (
              <RoleBox
                key={role.name}
                role={role}
                checked={isChosen(role)}
                onToggle={() => toggle(role)}
                {...(index === 0 && place === 0 && { ref: field.ref })}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}

interface RoleBoxProps {
  role: RoleChoice
  checked: boolean
  onToggle: () => void
  ref?: Ref<HTMLInputElement>
}

function RoleBox({ role, checked, onToggle, ref }: RoleBoxProps) {
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
