import { clsx } from 'clsx'
import { type ComponentProps, useState } from 'react'
import { formatNumber } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { controlClass, useFieldProps } from './field.tsx'

export interface TextAreaProps extends ComponentProps<'textarea'> {
  /** Shows a live counter against this many characters. Typing past it is possible: the schema says so, nothing is cut. */
  max?: number | undefined
}

// Readers hear the count only when it starts to matter.
const SPOKEN_FROM = 0.9

/** Several lines of text, with a live counter when `max` is given. */
export function TextArea({ max, className, onChange, rows = 4, ref, ...rest }: TextAreaProps) {
  const t = useT()
  const field = useFieldProps(rest)
  const [typed, setTyped] = useState(String(rest.defaultValue ?? '').length)
  const attach = (element: HTMLTextAreaElement | null) => {
    if (typeof ref === 'function') ref(element)
    else if (ref) ref.current = element
    // A form that registers the field fills it in here: what it holds is counted too.
    if (element) setTyped(element.value.length)
  }
  const length = typeof rest.value === 'string' ? rest.value.length : typed
  return (
    <div className="grid gap-1">
      <textarea
        dir="auto"
        placeholder=" "
        rows={rows}
        {...rest}
        {...field}
        ref={attach}
        onChange={(event) => {
          setTyped(event.target.value.length)
          onChange?.(event)
        }}
        className={clsx(controlClass, 'resize-y', className)}
      />
      {max !== undefined && (
        <p
          aria-live={length >= max * SPOKEN_FROM ? 'polite' : 'off'}
          className={clsx('text-end text-sm', length > max ? 'font-semibold text-bad' : 'text-muted')}
        >
          {t('{count} of {max} characters', { count: formatNumber(length), max: formatNumber(max) })}
        </p>
      )}
    </div>
  )
}
