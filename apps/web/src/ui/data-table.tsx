import { clsx } from 'clsx'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMediaQuery } from './media-query.ts'

export interface Column<Row> {
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** Makes the header a button that sorts by `key`. */
  sortable?: boolean
  /** Where the cell goes on phones, where each row is a card. By default a line with the header. */
  onCard?: 'title' | 'hidden' | 'actions'
  className?: string
}

export interface Sort {
  key: string
  order: 'asc' | 'desc'
}

interface DataTableProps<Row> {
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  /** The accessible name. */
  caption: string
  sort?: Sort
  onSort?: (sort: Sort) => void
}

/** A table from 48 rem; below that one card per row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  return useMediaQuery('(min-width: 48rem)') ? <WideTable {...props} /> : <Cards {...props} />
}

function WideTable<Row>({ rows, columns, rowKey, caption, sort, onSort }: DataTableProps<Row>) {
  return (
    <div className="overflow-x-auto rounded-card border border-line bg-surface">
      <table className="w-full border-collapse text-start">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line bg-sunken text-sm text-ink-2">
            {columns.map((column) => (
              <Header key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-b-0">
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What names the row on a card is its header here. */
function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  const isHeader = column.onCard === 'title'
  const Element = isHeader ? 'th' : 'td'
  return (
    <Element
      {...(isHeader && { scope: 'row' })}
      className={clsx('px-3 py-3 font-normal', column.align === 'end' ? 'text-end' : 'text-start', column.className)}
    >
      {column.cell(row)}
    </Element>
  )
}

interface HeaderProps<Row> {
  column: Column<Row>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}

function Header<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const order = sort?.key === column.key ? sort.order : undefined
  const Arrow = order === 'asc' ? ArrowUp : order === 'desc' ? ArrowDown : ChevronsUpDown
  const align = column.align === 'end' ? 'text-end' : 'text-start'
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" className={clsx('px-3 py-2.5 font-semibold', align)}>
        {column.header}
      </th>
    )
  }
  return (
    <th
      scope="col"
      aria-sort={order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : 'none'}
      className={clsx('px-3 py-1 font-semibold', align)}
    >
      <button
        type="button"
        onClick={() => onSort({ key: column.key, order: order === 'asc' ? 'desc' : 'asc' })}
        className="-mx-2 inline-flex min-h-11 items-center gap-1.5 rounded-control px-2 hover:text-ink pointer-fine:min-h-9"
      >
        {column.header}
        <Arrow aria-hidden="true" className="size-4" />
      </button>
    </th>
  )
}

function Cards<Row>({ rows, columns, rowKey, caption }: DataTableProps<Row>) {
  const titles = columns.filter((column) => column.onCard === 'title')
  const actions = columns.filter((column) => column.onCard === 'actions')
  const lines = columns.filter((column) => column.onCard === undefined)
  return (
    <ul aria-label={caption} className="grid grid-cols-1 gap-3">
      {rows.map((row) => (
        <li key={rowKey(row)} className="rounded-card border border-line bg-surface p-4">
          {titles.map((column) => (
            <div key={column.key} className="mb-2 wrap-anywhere">
              {column.cell(row)}
            </div>
          ))}
          <dl className="grid grid-cols-1 gap-1.5">
            {lines.map((column) => (
              <div key={column.key} className="flex items-baseline justify-between gap-4">
                <dt className="shrink-0 text-sm text-muted">{column.header}</dt>
                <dd className="min-w-0 text-end wrap-anywhere">{column.cell(row)}</dd>
              </div>
            ))}
          </dl>
          {actions.length > 0 && (
            <div className="mt-3 flex flex-wrap gap-2 border-t border-line pt-3">
              {actions.map((column) => (
                <div key={column.key}>{column.cell(row)}</div>
              ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
