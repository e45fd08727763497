import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useDeferredValue } from 'react'
import { emit } from '../../lib/events.ts'
import { useInvalidateOn } from '../../lib/invalidate-on.ts'
import { useT } from '../../lib/i18n.ts'
import { isAdmin, useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { useDebounced } from '../../lib/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { filtersOfVisitor, isFiltered, NO_FILTERS, useTeamFilters } from './filters.ts'
import { TeamFilterBar } from './team-filter-bar.tsx'
import { TeamResults } from './team-results.tsx'
import { useTeamLink } from './use-team-link.ts'
import { useTeamList } from './use-team-list.ts'

const SEARCH_DEBOUNCE_MS = 250

/** The list of teams, with search and filters. */
export function TeamsSection() {
  const t = useT()
  const isVisitor = useUser() === null
  const [stored, setFilters] = useTeamFilters()
  const filters = isVisitor ? filtersOfVisitor(stored) : stored
  const search = useDeferredValue(useDebounced(filters.search, SEARCH_DEBOUNCE_MS))
  const debouncedFilters = { ...filters, search }
  const list = useTeamList(debouncedFilters)
  useInvalidateOn('teamCreated', ['teams'])
  useTeamLink()

  return (
    <SectionBody title={t('Teams')} action={<CreateTeamButton />}>
      <TeamFilterBar filters={filters} onChange={setFilters} />
      <TeamResults
        list={list}
        isFiltered={isFiltered(debouncedFilters)}
        onClearFilters={() => setFilters({ ...filters, search: NO_FILTERS.search, role: NO_FILTERS.role })}
      />
    </SectionBody>
  )
}

/** Hidden from administrators, who cannot create teams. Visitors sign in first. */
function CreateTeamButton() {
  const t = useT()
  const user = useUser()
  const { data } = useQuery(trpc.system.settings.queryOptions())
  if (isAdmin(user) || !data?.settings.teamCreationEnabled) return null
  return (
    <Button onClick={() => emit('openCreateTeamModal')}>
      <Plus aria-hidden="true" />
      {t('Create New Team')}
    </Button>
  )
}
