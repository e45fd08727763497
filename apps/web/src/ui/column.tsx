import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** The content column of the page. */
export function Column({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={clsx('mx-auto w-full max-w-page px-4 sm:px-6', className)}>{children}</div>
}
