import { clsx } from 'clsx'
import { type ComponentProps, useState } from 'react'
import { countCharacters } from '../lib/count-characters.ts'
import { formatNumber } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { controlClass, useFieldProps } from './field.tsx'

interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Shows a counter up to this many characters. Longer text is left to the schema, not cut. */
  max?: number | undefined
}

// Screen readers announce the count only near the limit.
const ANNOUNCE_FROM = 0.9

/** Several lines of text, with a character counter if `max` is given. */
export function TextArea({ max, className, onChange, rows = 4, ref, ...rest }: TextAreaProps) {
  const t = useT()
  const field = useFieldProps(rest)
  const [uncontrolledLength, setUncontrolledLength] = useState(countCharacters(String(rest.defaultValue ?? '')))
  const attach = (element: HTMLTextAreaElement | null) => {
    if (typeof ref === 'function') ref(element)
    else if (ref) ref.current = element
    // react-hook-form has set the value in its ref by now.
    if (element) setUncontrolledLength(countCharacters(element.value))
  }
  const length = typeof rest.value === 'string' ? countCharacters(rest.value) : uncontrolledLength
  return (
    <div className="grid gap-1">
      <textarea
        dir="auto"
        rows={rows}
        {...rest}
        {...field}
        // `:placeholder-shown` of base.css needs one.
        placeholder={rest.placeholder || ' '}
        ref={attach}
        onChange={(event) => {
          setUncontrolledLength(countCharacters(event.target.value))
          onChange?.(event)
        }}
        className={clsx(controlClass, 'resize-y', className)}
      />
      {max !== undefined && (
        <p
          aria-live={length >= max * ANNOUNCE_FROM ? 'polite' : 'off'}
          className={clsx('text-end text-sm', length > max ? 'font-semibold text-bad' : 'text-muted')}
        >
          {t('{count} of {max} characters', { count: formatNumber(length), max: formatNumber(max) })}
        </p>
      )}
    </div>
  )
}
