import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { KHATAM_PATH } from './khatam.tsx'

const GRID = [0, 1, 2, 3, 4, 5]
const MISSING = 4

/** A picture of tiles, one of them missing. */
function MissingTile() {
  return (
    <svg viewBox="-1 -1 194 130" aria-hidden="true" className="h-20 w-auto text-line">
      {GRID.map((cell) => (
        <path
          key={cell}
          d={KHATAM_PATH}
          transform={`translate(${(cell % 3) * 64} ${Math.floor(cell / 3) * 64})`}
          fill={cell === MISSING ? 'none' : 'currentColor'}
          className={cell === MISSING ? 'stroke-control' : undefined}
          strokeDasharray={cell === MISSING ? '5 4' : undefined}
          strokeWidth={cell === MISSING ? 1.5 : undefined}
        />
      ))}
    </svg>
  )
}

interface EmptyStateProps {
  title: ReactNode
  /** The reason, in one sentence. */
  children?: ReactNode
  /** A button. */
  action?: ReactNode
  className?: string | undefined
}

/** An empty list: the reason, and what to do. */
export function EmptyState({ title, children, action, className }: EmptyStateProps) {
  return (
    <div className={clsx('grid justify-items-center gap-4 px-4 py-12 text-center', className)}>
      <MissingTile />
      <div className="grid max-w-md gap-1">
        <p className="text-lg font-semibold">{title}</p>
        {children && <p className="text-ink-2">{children}</p>}
      </div>
      {action}
    </div>
  )
}
