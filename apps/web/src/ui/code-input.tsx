import { clsx } from 'clsx'
import type { ClipboardEvent, ComponentProps, Ref } from 'react'
import '../styles/code-input.css'
import { toLatinDigits } from '../lib/latin-digits.ts'
import { useFieldProps } from './field.tsx'

const DIGITS = 6
const SLOTS = Array.from({ length: DIGITS }, (_, index) => index)

/** The first six digits of a text as Latin digits, whether Latin, Arabic-Indic or Persian. */
export const digitsOf = (text: string): string => toLatinDigits(text).replace(/\D/g, '').slice(0, DIGITS)

interface CodeInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'maxLength'> {
  value: string
  onChange: (code: string) => void
  /** Called when the code has six digits. */
  onComplete?: (code: string) => void
  ref?: Ref<HTMLInputElement>
}

/** A six-digit code: one input, drawn as six slots. */
export function CodeInput({ value, onChange, onComplete, className, ...rest }: CodeInputProps) {
  const field = useFieldProps(rest)
  const accept = (text: string) => {
    const code = digitsOf(text)
    if (code === value) return
    onChange(code)
    if (code.length === DIGITS) onComplete?.(code)
  }
  const next = Math.min(value.length, DIGITS - 1)
  // The browser would cut a pasted "123 456" at six characters.
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault()
    accept(event.clipboardData.getData('text'))
  }
  return (
    <div dir="ltr" className={clsx('code-field', className)}>
      <input
        {...rest}
        {...field}
        type="text"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        spellCheck={false}
        value={value}
        onPaste={onPaste}
        onChange={(event) => accept(event.target.value)}
        // A click puts an invisible caret into a complete code: a digit typed there would be dropped, or would shift the others.
        onClick={({ currentTarget }) => {
          if (value.length === DIGITS) currentTarget.select()
        }}
        className="code-input"
      />
      {SLOTS.map((slot) => (
        <span key={slot} aria-hidden="true" className="code-slot" data-next={slot === next || undefined}>
          {value[slot]}
        </span>
      ))}
    </div>
  )
}
