import type { Pagination as Pages } from '@community/contract'
import { clsx } from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatCapped, formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { ClearButton } from '../../ui/clear-button.tsx'
import { type Column, DataTable, type Sort } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { LoadFailure } from './load-failure.tsx'
import { SearchField } from './search-field.tsx'
import type { useAdminSearch } from './use-admin-search.ts'

/** The parts of a list's query that the list uses. */
interface ListQuery {
  data: { pagination: Pages } | undefined
  error: unknown
  isPending: boolean
  isError: boolean
  isFetching: boolean
  /** Whether the rows are those of the previous search or page. */
  isPlaceholderData: boolean
  refetch: () => Promise<unknown>
}

interface ListLayoutProps {
  listState: Omit<ReturnType<typeof useAdminSearch>, 'filters' | 'input' | 'update'>
  /** Left out if the list has no text search. */
  searchLabel?: string
  searchPlaceholder?: string
  /** Filters and buttons next to the search. */
  toolbar: ReactNode
  query: ListQuery
  isEmpty: boolean
  pagesLabel: string
  /** Shown when the list is empty. A text gets a button that clears what is searched and filtered. */
  empty: ReactNode
  children: ReactNode
}

/** A list of the admin area: search, toolbar, number of results, loading, error and empty states, page numbers. */
export function ListLayout(props: ListLayoutProps) {
  const { listState, query, isEmpty } = props
  const { page, setPage } = listState
  const rows = useRef<HTMLDivElement>(null)
  const countText = useCountText(query.data?.pagination)
  const totalPages = query.data?.pagination.totalPages ?? 0
  const lastPage = Math.max(totalPages, 1)
  // The rows of the last page may have been deleted.
  const isPastEnd = query.data !== undefined && page > lastPage
  useEffect(() => {
    if (isPastEnd) setPage(lastPage)
  }, [isPastEnd, lastPage, setPage])
  const isUnknown = query.isPending || (isEmpty && (isPastEnd || query.isPlaceholderData))
  const goTo = (to: number) => {
    setPage(to, to > page ? query.data?.pagination.nextCursor : null)
    // The buttons are below up to a hundred rows: start at the first one of the other page.
    rows.current?.focus({ preventScroll: true })
    rows.current?.scrollIntoView()
  }
  return (
    <>
      <div className="flex flex-wrap gap-3">
        {props.searchLabel && (
          <SearchField
            label={props.searchLabel}
            placeholder={props.searchPlaceholder ?? ''}
            value={listState.search}
            onChange={listState.setSearch}
          />
        )}
        {props.toolbar}
        <output className="self-center text-sm text-muted">{countText}</output>
      </div>
      {isUnknown && <Skeletons className="h-96" />}
      <LoadFailure query={query} />
      {query.data && isEmpty && !isUnknown && <Empty listState={listState}>{props.empty}</Empty>}
      {query.data && !isEmpty && (
        <div
          ref={rows}
          tabIndex={-1}
          aria-busy={query.isPlaceholderData || undefined}
          className={clsx('transition-opacity focus:outline-none', query.isPlaceholderData && 'opacity-60')}
        >
          {props.children}
          <Pagination
            label={props.pagesLabel}
            page={page}
            totalPages={totalPages}
            isTotalCapped={query.data.pagination.totalIsCapped ?? false}
            onPage={goTo}
          />
        </div>
      )}
    </>
  )
}

function Empty({ listState, children }: Pick<ListLayoutProps, 'listState' | 'children'>) {
  const t = useT()
  const { isFiltered, hasFilters, clear } = listState
  if (typeof children !== 'string') return children
  const label = hasFilters ? t('Clear filters') : t('Clear search')
  return <EmptyState title={children} action={isFiltered && <ClearButton onClear={clear}>{label}</ClearButton>} />
}

/** How many results there are; nothing while that is unknown. */
function useCountText(pages: Pages | undefined): string {
  const t = useT()
  if (!pages) return ''
  const { total: count, totalIsCapped } = pages
  const total = totalIsCapped ? formatCapped(count) : formatNumber(count)
  return t('{count, plural, one {{total} result} other {{total} results}}', { count, total })
}

interface AdminListProps<Row> extends Omit<ListLayoutProps, 'isEmpty' | 'children'> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** The accessible name of the table. */
  caption: string
  sort?: Sort
  onSort?: (sort: Sort) => void
}

/** An admin list as a table. */
export function AdminList<Row extends { id: string }>({
  rows,
  columns,
  caption,
  sort,
  onSort,
  ...layout
}: AdminListProps<Row>) {
  return (
    <ListLayout {...layout} isEmpty={rows.length === 0}>
      <DataTable
        caption={caption}
        rows={rows}
        columns={columns}
        rowKey={(row) => row.id}
        {...(sort && { sort })}
        {...(onSort && { onSort })}
      />
    </ListLayout>
  )
}
