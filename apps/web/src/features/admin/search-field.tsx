import { SEARCH_LENGTH_MAX } from '@community/contract/limits'
import { Search } from 'lucide-react'
import type { KeyboardEventHandler } from 'react'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'

/** Milliseconds after the last keystroke until the search is sent. */
export const SEARCH_DEBOUNCE_MS = 300

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  onKeyDown?: KeyboardEventHandler<HTMLInputElement>
}

export function SearchField({ onChange, label, ...input }: SearchFieldProps) {
  return (
    <Field label={label} labelHidden className="grow">
      <TextInput
        type="search"
        icon={Search}
        maxLength={SEARCH_LENGTH_MAX}
        {...input}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  )
}
