import type { Pagination as Pages } from '@community/contract'
import { type ReactNode, useState } from 'react'
import { useDebounced } from '../../lib/use-debounced.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { LoadFailure } from './load-failure.tsx'
import { SearchField, TYPING_REST_MS } from './search-field.tsx'

/** What is searched and which page is shown; whatever changes the question begins at the first page. */
export function useAdminSearch() {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  return {
    search,
    /** What to ask the server for, once the typing rests. */
    wanted: useDebounced(search.trim(), TYPING_REST_MS),
    page,
    setPage,
    setSearch: (value: string) => {
      setSearch(value)
      setPage(1)
    },
  }
}

/** What is read of a list's query. */
interface ListQuery {
  data: { pagination: Pages } | undefined
  error: unknown
  isPending: boolean
  isError: boolean
  isFetching: boolean
  refetch: () => Promise<unknown>
}

interface AdminListProps<Row> {
  searching: ReturnType<typeof useAdminSearch>
  searchLabel: string
  searchPlaceholder: string
  /** Beside the search: a filter, a button. */
  beside: ReactNode
  query: ListQuery
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  /** What the table holds. */
  caption: string
  pagesLabel: string
  /** In the table's place when there is nothing. */
  empty: ReactNode
}

/** A searched table of the admin area: its head, its states, its numbered pages. */
export function AdminList<Row extends { id: string }>(props: AdminListProps<Row>) {
  const { searching, query, rows } = props
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <SearchField
          label={props.searchLabel}
          placeholder={props.searchPlaceholder}
          value={searching.search}
          onChange={searching.setSearch}
        />
        {props.beside}
      </div>
      {query.isPending && (
        <Loading>
          <Skeleton className="h-96" />
        </Loading>
      )}
      {query.isError && !query.data && (
        <LoadFailure error={query.error} onRetry={() => void query.refetch()} busy={query.isFetching} />
      )}
      {query.data && rows.length === 0 && props.empty}
      {query.data && rows.length > 0 && (
        <div>
          <DataTable caption={props.caption} rows={rows} columns={props.columns} rowKey={(row) => row.id} />
          <Pagination
            label={props.pagesLabel}
            page={searching.page}
            totalPages={query.data.pagination.totalPages}
            onPage={searching.setPage}
          />
        </div>
      )}
    </>
  )
}
