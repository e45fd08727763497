import { OFFSET_MAX, PAGE_SIZE } from '@community/contract/limits'
import { useState } from 'react'
import { useDebounced } from '../../lib/use-debounced.ts'
import { type ListValues, readListValues, storeListValues } from '../../lib/list-values.ts'
import { SEARCH_DEBOUNCE_MS } from './search-field.tsx'

/** Later pages are loaded by cursor: the server limits how many rows it skips. */
const OFFSET_PAGES_MAX = OFFSET_MAX / PAGE_SIZE.max

type Choices = Record<string, readonly [string, ...string[]]>
type Filters<C extends Choices> = { [Key in keyof C]: C[Key][number] }

function parseFilters<C extends Choices>(choices: C, stored: ListValues): Filters<C> {
  const entries = Object.entries(choices).map(([key, values]) => [
    key,
    values.find((value) => value === stored[key]) ?? values[0],
  ])
  // Each key has one of its choices.
  return Object.fromEntries(entries) as Filters<C>
}

/** The values of the filters that show all rows: their first choices. `order` is left out, because it hides nothing. */
const blankFilters = (choices: Choices): Record<string, string> =>
  Object.fromEntries(Object.entries(choices).flatMap(([key, [blank]]) => (key === 'order' ? [] : [[key, blank]])))

function parsePage({ page }: ListValues): number {
  const number = Number(page)
  // The cursors of later pages are not stored.
  return Number.isSafeInteger(number) && number >= 1 && number <= OFFSET_PAGES_MAX ? number : 1
}

/**
 * The state of an admin list: search, page, filters and `order`. Each filter and `order` begins with its first choice. A new search or filter
 * returns to the first page. If `list` names the list, the state is kept when the page is reloaded, as after many actions, and when another
 * tab of the admin area is shown.
 */
export function useAdminSearch<const C extends Choices>(list?: string, choices?: C) {
  const [stored] = useState(() => (list === undefined ? {} : readListValues(list)))
  const [search, setSearchText] = useState(typeof stored['search'] === 'string' ? stored['search'] : '')
  const [filters, setFilters] = useState(() => parseFilters(choices ?? ({} as C), stored))
  const [page, setPageNumber] = useState(() => parsePage(stored))
  const [cursors, setCursors] = useState<Record<number, string>>({})
  const cursor = page > OFFSET_PAGES_MAX ? cursors[page] : undefined
  const debouncedSearch = useDebounced(search.trim(), SEARCH_DEBOUNCE_MS)
  const blank = blankFilters(choices ?? {})
  const store = (values: ListValues) => list !== undefined && storeListValues(list, values)
  const showFirstPage = () => {
    setPageNumber(1)
    setCursors({})
  }
  /** Shows a page; `nextCursor` is its start, if known. */
  const setPage = (nextPage: number, nextCursor?: string | null) => {
    store({ ...filters, search, page: nextPage })
    if (nextPage === 1) return showFirstPage()
    setPageNumber(nextPage)
    if (nextCursor) setCursors((known) => ({ ...known, [nextPage]: nextCursor }))
  }
  /** Changes filters, and the search. */
  const update = (changes: Partial<Filters<C>>, nextSearch = search) => {
    const nextFilters = { ...filters, ...changes }
    showFirstPage()
    setSearchText(nextSearch)
    setFilters(nextFilters)
    store({ ...nextFilters, search: nextSearch })
  }
  return {
    search,
    filters,
    page,
    /** The input of the list's query: the page to load, and the debounced search. */
    input: {
      page,
      limit: PAGE_SIZE.max,
      ...(cursor !== undefined && { cursor }),
      ...(debouncedSearch !== '' && { search: debouncedSearch }),
    },
    hasFilters: Object.keys(blank).length > 0,
    isFiltered:
      debouncedSearch !== '' || Object.entries(filters).some(([key, value]) => key in blank && value !== blank[key]),
    /** Clears the search and the filters. */
    clear: () => update(blank as Partial<Filters<C>>, ''),
    setPage,
    setSearch: (value: string) => update({}, value),
    update,
  }
}
