import type { Message } from '@community/contract'
import { Plus, Trash2 } from 'lucide-react'
import { type Ref, useEffect, useRef } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/text-input.tsx'

/** Focuses the line that was just added. */
function useFocusOnAdded() {
  const list = useRef<HTMLUListElement>(null)
  const added = useRef(false)
  useEffect(() => {
    if (!added.current) return
    added.current = false
    list.current?.lastElementChild?.querySelector('input')?.focus()
  })
  const markAdded = () => {
    added.current = true
  }
  return { list, markAdded }
}

interface TextListFieldProps {
  legend: string
  /** The label of the line with this number. */
  itemLabel: (number: string) => string
  addLabel: string
  required?: boolean
  max: number
  lines: readonly string[]
  onChange: (lines: string[]) => void
  error?: Message | undefined
  /** The index of the line that shows the error. */
  invalidLine: number
  ref: Ref<HTMLFieldSetElement>
}

/** A list of short texts, a field for each, with buttons to add and remove them. */
export function TextListField({
  legend,
  itemLabel,
  addLabel,
  required = false,
  max,
  lines,
  onChange,
  error,
  invalidLine,
  ref,
}: TextListFieldProps) {
  const t = useT()
  const { list, markAdded } = useFocusOnAdded()
  const add = () => {
    markAdded()
    onChange([...lines, ''])
  }
  return (
    <fieldset ref={ref} className="grid grid-cols-1 gap-2">
      <legend className="mb-1.5 font-medium">
        {legend} {!required && <span className="ms-2 text-sm font-normal text-muted">{t('optional')}</span>}
      </legend>
      <ul ref={list} className="grid gap-2 empty:hidden">
        {lines.map((line, index) => (
          // A line has no id, only its index.
          <li key={index} className="flex items-start gap-1">
            <Field
              label={itemLabel(formatNumber(index + 1))}
              labelHidden
              error={index === invalidLine ? error : undefined}
              className="grow"
            >
              <TextInput
                value={line}
                onChange={(event) => onChange(lines.with(index, event.target.value))}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                  event.preventDefault()
                  if (lines.length < max) add()
                }}
              />
            </Field>
            {(!required || lines.length > 1) && (
              <IconButton
                label={t('Remove {what}', { what: itemLabel(formatNumber(index + 1)) })}
                onClick={() => onChange(lines.toSpliced(index, 1))}
              >
                <Trash2 aria-hidden="true" />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {lines.length < max && (
        <Button size="sm" className="justify-self-start" onClick={add}>
          <Plus aria-hidden="true" />
          {addLabel}
        </Button>
      )}
    </fieldset>
  )
}
