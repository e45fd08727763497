import { clsx } from 'clsx'
import { type ReactNode, type RefObject, useDeferredValue, useId, useLayoutEffect, useRef, useState } from 'react'
import { failureOf } from '../lib/failure.ts'
import type { InfiniteRows } from '../lib/infinite-list.ts'
import { useT } from '../lib/i18n.ts'
import { Button } from './button.tsx'
import { focusOn } from './focus-on.ts'
import { Notice } from './notice.tsx'
import { QueryError } from './query-error.tsx'

interface InfiniteListProps<Row> {
  list: InfiniteRows<Row>
  /** One row, as an <li> with the row's id as its key. */
  children: (row: Row) => ReactNode
  /** Shown while the first page loads. */
  skeleton: ReactNode
  /** Title of the error if the first page fails. */
  failed: string
  /** Shown if there are no rows. */
  empty: ReactNode
  /** '24 of 60 teams shown'. Announced only after the user asked for more. */
  progress: string
  /** The accessible name. */
  label?: string
  /** For the `<ul>`. */
  className?: string
}

/** A list with its loading, error and empty states, and "Show more" below the rows. */
export function InfiniteList<Row>(props: InfiniteListProps<Row>) {
  const { list, failed, empty, skeleton, label, className, progress, children } = props
  const rows = useRef<HTMLUListElement>(null)
  // Deferred, so that React renders the first rows in slices: queries notify it synchronously.
  const wasLoading = useDeferredValue(list.isLoading)
  if (list.error !== null) {
    return <QueryError query={{ ...list, data: undefined }} title={failed} />
  }
  if (list.isLoading || wasLoading) return skeleton
  if (list.rows.length === 0 && !list.hasMore) return empty
  return (
    <>
      <ul
        ref={rows}
        aria-label={label}
        aria-busy={list.isStale || undefined}
        className={clsx('transition-opacity', list.isStale && 'opacity-60', className)}
      >
        {list.rows.map(children)}
      </ul>
      <ShowMore list={list} rows={rows} progress={progress} />
    </>
  )
}

interface ShowMoreProps {
  list: InfiniteRows<unknown>
  /** The parent of the rows. */
  rows: RefObject<HTMLElement | null>
  progress: string
}

/** The part below the rows: how many are shown, and a button for the next page. Nothing for a single page. */
export function ShowMore({ list, rows, progress }: ShowMoreProps) {
  const t = useT()
  const progressId = useId()
  const [hasAskedForMore, setHasAskedForMore] = useState(false)
  const { button, remember } = useFocusFirstNewRow(rows, list.pages)
  const { hasMore, isLoadingMore, moreError } = list
  if (!hasMore && list.pages === 1) return null
  const onPress = () => {
    setHasAskedForMore(true)
    remember()
    list.loadMore()
  }
  return (
    <div className="mt-6 grid justify-items-center gap-3">
      {moreError !== null && !isLoadingMore && (
        <Notice tone="bad" className="w-full max-w-md" message={failureOf(moreError)} />
      )}
      <p id={progressId} aria-live={hasAskedForMore ? 'polite' : 'off'} className="text-sm text-muted">
        {progress}
      </p>
      {hasMore && (
        <Button
          ref={button}
          onClick={onPress}
          busy={isLoadingMore}
          busyLabel={t('Loading...')}
          aria-describedby={progressId}
          className="min-w-40"
        >
          {moreError === null ? t('Show more') : t('Try Again')}
        </Button>
      )}
    </div>
  )
}

/** Moves the focus from the button to the first new row, unless the user has moved it. */
function useFocusFirstNewRow(rows: RefObject<HTMLElement | null>, pages: number) {
  const button = useRef<HTMLButtonElement>(null)
  const pressed = useRef<{ pages: number; last: Element } | null>(null)
  // Before the focus keeper, which moves the focus if the button has disappeared.
  useLayoutEffect(() => {
    const before = pressed.current
    if (before === null || pages === before.pages) return
    pressed.current = null
    const { activeElement } = document
    const hasUserMovedFocus = activeElement !== button.current && activeElement !== document.body
    if (pages < before.pages || !before.last.isConnected || hasUserMovedFocus) return
    // Without a new row and without the button the focus would be lost.
    const row = before.last.nextElementSibling ?? (button.current ? null : before.last)
    if (row instanceof HTMLElement) focusOn(row)
  }, [pages])
  const remember = () => {
    const last = rows.current?.lastElementChild
    pressed.current = last ? { pages, last } : null
  }
  return { button, remember }
}
