import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Column } from './column.tsx'

export interface SectionProps {
  title: ReactNode
  lead?: ReactNode
  /** Shown at the end of the title's row. */
  action?: ReactNode
  /** 1 in a view of its own: the dashboard, the admin area. */
  level?: 1 | 2
  children: ReactNode
}

/** The heading and content of a section. The shell draws the `<section id>` around it. */
export function SectionBody({ title, lead, action, level = 2, children }: SectionProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <Column className="py-10 sm:py-12">
      {/* As high as a button, which may come later. */}
      <div className={clsx('mb-4 flex flex-wrap items-end justify-between gap-x-6 gap-y-3', action && 'min-h-11')}>
        <div className="grid max-w-2xl gap-1">
          <Heading className="text-2xl sm:text-3xl">{title}</Heading>
          {lead && <p className="text-ink-2">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </Column>
  )
}
