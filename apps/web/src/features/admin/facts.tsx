import type { ReactNode } from 'react'
import { formatDate } from '../../lib/format.ts'

/** A term and its description, in a list of such. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A date without line breaks. */
export function Day({ date }: { date: string }) {
  return (
    <time dateTime={date} className="whitespace-nowrap">
      {formatDate(date)}
    </time>
  )
}
