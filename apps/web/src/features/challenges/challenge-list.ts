import type { Filters } from './filters.tsx'

/** The specification's page of challenges. */
const PAGE_SIZE = 50

/** The first page without filters: the list most readers see, the figures above it and linked cards share this one query. */
export const LIST_INPUT = { page: 1, limit: PAGE_SIZE } as const

/** What to ask for, with only the filters that are set. */
export function listInput(filters: Filters, page: number) {
  const { search, category, difficulty } = filters
  return {
    page,
    limit: PAGE_SIZE,
    ...(search !== '' && { search }),
    ...(category !== '' && { category }),
    ...(difficulty !== '' && { difficulty }),
  }
}
