import type { ReactNode } from 'react'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'

interface FilterSelectProps<Value extends string> {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode }[]
  className?: string
}

/** A select that filters or sorts a list. */
export function FilterSelect<Value extends string>({
  label,
  value,
  onChange,
  options,
  className,
}: FilterSelectProps<Value>) {
  return (
    <Field label={label} labelHidden className={className ?? 'max-sm:grow'}>
      {/* The options are its only possible values. */}
      <Select value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
