import type { Message } from '@community/contract'
import { clsx } from 'clsx'
import { CircleAlert } from 'lucide-react'
import { type ComponentProps, createContext, type ReactNode, useContext, useId } from 'react'
import { useT } from '../lib/i18n.ts'
import { ServerText } from './server-text.tsx'

interface FieldState {
  id: string
  describedBy: string | undefined
  invalid: boolean
  required: boolean
}

const FieldContext = createContext<FieldState | null>(null)

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** Of a schema or the server; it is translated here. */
  error?: Message | undefined
  /** Only marks the field; the schema validates. */
  required?: boolean
  /** Shown at the end of the label's row: a link, a counter. */
  aside?: ReactNode
  /** Only screen readers get the label. */
  labelHidden?: boolean
  className?: string
  children: ReactNode
}

/** A label, hint and error, connected to the control inside, which is any input of this folder. */
export function Field({ label, hint, error, required = false, aside, labelHidden, className, children }: FieldProps) {
  const t = useT()
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  const describedBy = [errorId, hintId].filter(Boolean).join(' ') || undefined
  return (
    <div className={clsx('grid content-start gap-1.5', className)}>
      <div className={clsx('flex flex-wrap items-baseline justify-between gap-x-3', labelHidden && 'sr-only')}>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {!required && !labelHidden && <span className="me-auto text-sm text-muted">{t('optional')}</span>}
        {aside}
      </div>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error), required }}>{children}</FieldContext>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <FieldError id={errorId} error={error} />
    </div>
  )
}

/** An error message. Its live region is always there: readers announce changes of a region, not a new one. */
export function FieldError({ id, error }: { id?: string | undefined; error?: Message | undefined }) {
  return (
    <div aria-live="polite" className="empty:hidden">
      {error && (
        <p id={id} className="flex items-start gap-1.5 text-sm font-medium text-bad">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <span>
            <ServerText of={error} />
          </span>
        </p>
      )}
    </div>
  )
}

/** The props that connect a control with its `Field`. The control's own props take precedence. */
export function useFieldProps(own: Pick<ComponentProps<'input'>, 'id' | 'aria-describedby' | 'aria-invalid'>) {
  const field = useContext(FieldContext)
  return {
    id: own.id ?? field?.id,
    'aria-describedby': [field?.describedBy, own['aria-describedby']].filter(Boolean).join(' ') || undefined,
    'aria-invalid': own['aria-invalid'] ?? (field?.invalid || undefined),
    'aria-required': field?.required || undefined,
  }
}

/** The classes all controls share. Their border has a contrast of 3:1. */
export const controlClass = clsx(
  'w-full min-h-11 rounded-control border border-control bg-surface px-3 py-2 text-ink',
  'transition-colors hover:border-ink-2 aria-invalid:border-bad aria-invalid:bg-bad-soft',
  'disabled:bg-sunken disabled:text-muted [&[readonly]]:bg-sunken',
)
