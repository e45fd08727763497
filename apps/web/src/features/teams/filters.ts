import type { Translate } from '../../lib/i18n.ts'
import { memoryState } from '../../lib/memory-state.ts'

type TeamSort = 'name' | 'members' | 'points' | 'challenges'
type TeamOrder = 'asc' | 'desc'

export interface TeamFilters {
  search: string
  /** A role's id; empty for all. */
  role: string
  sort: TeamSort
  order: TeamOrder
}

export const NO_FILTERS: TeamFilters = { search: '', role: '', sort: 'name', order: 'asc' }

/** The eight orders by the value of their `<option>`. */
export const sortLabels = (t: Translate): Record<`${TeamSort}-${TeamOrder}`, string> => ({
  'name-asc': t('Name (A to Z)'),
  'name-desc': t('Name (Z to A)'),
  'members-desc': t('Most members'),
  'members-asc': t('Fewest members'),
  'points-desc': t('Most points'),
  'points-asc': t('Fewest points'),
  'challenges-desc': t('Most challenges'),
  'challenges-asc': t('Fewest challenges'),
})

/** Parses an option's value; anything else is the order by name. */
export function sortOf(value: string): Pick<TeamFilters, 'sort' | 'order'> {
  const [sort, order] = value.split('-')
  const isKnown = sort === 'name' || sort === 'members' || sort === 'points' || sort === 'challenges'
  return { sort: isKnown ? sort : 'name', order: order === 'desc' ? 'desc' : 'asc' }
}

/** What applies to a visitor, who cannot sort by members: the server withholds their numbers. */
export const filtersOfVisitor = (filters: TeamFilters): TeamFilters =>
  filters.sort === 'members' ? { ...filters, sort: NO_FILTERS.sort, order: NO_FILTERS.order } : filters

export const isFiltered = ({ search, role }: TeamFilters): boolean => search.trim() !== '' || role !== ''

/** The stored filters. */
export const useTeamFilters = memoryState(NO_FILTERS)
