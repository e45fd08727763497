import { clsx } from 'clsx'

/** The {8/2} star on a 64 grid; laid edge to edge, its gaps are the classic crosses. */
export const KHATAM_PATH =
  'M32 0l9.37 9.37h13.26v13.26L64 32l-9.37 9.37v13.26H41.37L32 64l-9.37-9.37H9.37V41.37L0 32l9.37-9.37V9.37h13.26z'

/** One filled star, in the current text colour. Decoration. */
export function Khatam({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 64 64" fill="currentColor" aria-hidden="true" className={clsx('shrink-0', className)}>
      <path d={KHATAM_PATH} />
    </svg>
  )
}
