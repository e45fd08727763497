import { Loading, Skeleton } from './states.tsx'

/** Placeholders of a loading list of cards. `className` is the height of one. */
export function RowSkeletons({ className }: { className: string }) {
  return (
    <Loading className="grid gap-3">
      <Skeleton className={className} />
      <Skeleton className={className} />
    </Loading>
  )
}
