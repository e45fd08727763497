import type { ReactNode } from 'react'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

interface FilterSelectProps<V extends string> {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: ReactNode }[]
  className?: string
}

/** One choice that narrows or sorts a list. */
export function FilterSelect<V extends string>({ label, value, onChange, options, className }: FilterSelectProps<V>) {
  return (
    <Field label={label} labelHidden className={className ?? 'max-sm:grow'}>
      {/* The options are its only values. */}
      <Select value={value} onChange={(event) => onChange(event.target.value as V)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
