import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Khatam } from './khatam.tsx'

const VARIANTS = {
  primary: 'bg-primary text-on-primary hover:bg-primary-hover',
  outline: 'border border-control bg-surface text-ink hover:bg-sunken',
  ghost: 'text-primary hover:bg-primary-soft',
  danger: 'bg-bad text-on-bad hover:bg-bad-hover',
  'danger-outline': 'border border-bad bg-surface text-bad hover:bg-bad-soft',
}

const SIZES = {
  // Touch targets stay 44 px high.
  sm: 'min-h-11 px-3 text-sm pointer-fine:min-h-9',
  md: 'min-h-11 px-4',
  lg: 'min-h-12 px-5 text-lg',
}

export type ButtonVariant = keyof typeof VARIANTS
type ButtonSize = keyof typeof SIZES

/** The classes of a button, for links that look like one. */
export const buttonClass = (variant: ButtonVariant = 'outline', size: ButtonSize = 'md'): string =>
  clsx(
    'inline-flex items-center justify-center gap-2 rounded-control py-1.5 text-center font-semibold leading-tight',
    'transition-colors [&_svg]:size-5 [&_svg]:shrink-0',
    'disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    VARIANTS[variant],
    SIZES[size],
  )

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  /** The action is running: clicks do nothing, and unlike a disabled button it keeps the focus. */
  busy?: boolean
  /** Replaces the children while busy. */
  busyLabel?: ReactNode
}

/** A button with `type="button"` by default. */
export function Button({ variant, size, busy = false, busyLabel, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={clsx(buttonClass(variant, size), busy && 'cursor-progress', className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={(event) => {
        if (busy || rest['aria-disabled'] === true) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {busy && <Khatam className="animate-pulse motion-reduce:animate-none" />}
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name and the tooltip. */
  label: string
}

/** A square button with one icon. */
export function IconButton({ label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={clsx(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-control text-ink-2 transition-colors',
        'hover:bg-sunken hover:text-ink disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-5',
        className,
      )}
    />
  )
}
