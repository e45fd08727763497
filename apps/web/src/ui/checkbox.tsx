import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode
  hint?: ReactNode
}

/** A native checkbox; its label is part of the click target. */
export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={clsx('flex min-h-11 items-start gap-3 py-2.5', className)}>
      <input type="checkbox" {...rest} className="mt-0.5 size-5 shrink-0 accent-primary" />
      <span>
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  )
}

/** A native radio button with its label; give the group a `<fieldset>` with a `<legend>`. */
export function Radio({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label
      className={clsx(
        'flex min-h-11 items-start gap-3 rounded-control border border-control px-3 py-2.5 transition-colors',
        'has-checked:border-primary has-checked:bg-primary-soft has-disabled:opacity-60',
        className,
      )}
    >
      <input type="radio" {...rest} className="mt-0.5 size-5 shrink-0 accent-primary" />
      <span>
        {label}
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
    </label>
  )
}

/** An on/off switch, for settings that apply immediately. */
export function Switch({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={clsx('flex min-h-11 items-center justify-between gap-4 py-1.5', className)}>
      <span>
        <span className="font-medium">{label}</span>
        {hint && <span className="block text-sm text-muted">{hint}</span>}
      </span>
      <span className="relative inline-flex shrink-0">
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- ARIA in HTML forbids aria-checked here: a native checkbox reports its own state
          role="switch"
          {...rest}
          className="peer h-7 w-12 appearance-none rounded-full border border-control bg-sunken transition-colors checked:border-primary checked:bg-primary"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute start-1 top-1 size-5 rounded-full bg-control transition-transform peer-checked:translate-x-5 peer-checked:bg-on-primary rtl:peer-checked:-translate-x-5"
        />
      </span>
    </label>
  )
}
