import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Skeleton } from './states.tsx'

interface StatTileProps {
  label: ReactNode
  value: ReactNode
  icon?: LucideIcon
  /** Shown under the value: a trend, a share. */
  note?: ReactNode
  className?: string
}

/** A number with its label, inside `<StatTiles>`. */
export function StatTile({ label, value, icon: Icon, note, className }: StatTileProps) {
  return (
    <div className={clsx('rounded-card border border-line bg-surface px-4 py-3', className)}>
      <dt className="flex items-center gap-2 text-sm text-muted">
        {Icon && <Icon aria-hidden="true" className="size-4 shrink-0" />}
        {label}
      </dt>
      <dd className="mt-0.5 text-2xl font-bold leading-tight">{value}</dd>
      {note && <dd className="mt-1 text-sm text-ink-2">{note}</dd>}
    </div>
  )
}

const TILES = 'grid grid-cols-2 gap-3 md:grid-cols-4'

/** Two tiles in a row on phones, four from 48 rem. */
export function StatTiles({ className, children }: { className?: string; children: ReactNode }) {
  return <dl className={clsx(TILES, className)}>{children}</dl>
}

/** Four loading tiles. */
export function StatTileSkeletons() {
  return (
    <div className={TILES}>
      {[0, 1, 2, 3].map((tile) => (
        <Skeleton key={tile} className="h-20" />
      ))}
    </div>
  )
}
