import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlClass, useFieldProps } from './field.tsx'

/** A native select, dressed as the other controls. Options are children. */
export function Select({ className, dir, children, ...rest }: ComponentProps<'select'>) {
  const field = useFieldProps(rest)
  return (
    // The arrow stands where the value ends.
    <div dir={dir} className={clsx('relative', className)}>
      <select {...rest} {...field} className={clsx(controlClass, 'appearance-none pe-10')}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-5 text-muted"
      />
    </div>
  )
}
