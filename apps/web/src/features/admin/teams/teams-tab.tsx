import type { Team, TeamView } from '@community/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Eraser } from 'lucide-react'
import { useT } from '../../../lib/i18n.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Button } from '../../../ui/button.tsx'
import { ListLayout } from '../admin-list.tsx'
import { FilterSelect } from '../filter-select.tsx'
import { useAdminSearch } from '../use-admin-search.ts'
import { useTeamActions } from './team-actions.ts'
import { TeamPanel } from './team-panel.tsx'

const ORDERS = ['name asc', 'name desc', 'members desc', 'members asc', 'points desc', 'points asc'] as const
type SortOrder = (typeof ORDERS)[number]

/** Administrators get every field of a team. */
const isFullTeam = (team: TeamView): team is Team => 'members' in team

/** All teams, inactive ones too. */
export function TeamsTab() {
  const t = useT()
  const listState = useAdminSearch('teams', { order: ORDERS })
  const { input, update } = listState
  const { order } = listState.filters
  const actions = useTeamActions()
  // Both parts come from `SortOrder`.
  const [sort, direction] = order.split(' ') as ['name' | 'members' | 'points', 'asc' | 'desc']
  const list = useQuery(
    trpc.teams.list.queryOptions(
      { ...input, sort, order: direction, includeInactive: true },
      { placeholderData: keepPreviousData },
    ),
  )
  const teams = list.data?.teams.filter(isFullTeam) ?? []
  return (
    <div className="grid grid-cols-1 gap-5">
      <ListLayout
        listState={listState}
        searchLabel={t('Search teams')}
        searchPlaceholder={t('Name or description')}
        toolbar={
          <>
            <SortSelect value={order} onChange={(value) => update({ order: value })} />
            <Button className="max-sm:w-full" onClick={() => void actions.cleanUp.run()}>
              <Eraser aria-hidden="true" />
              {t('Clean up teams')}
            </Button>
          </>
        }
        query={list}
        isEmpty={teams.length === 0}
        pagesLabel={t('Pages of teams')}
        empty={t('No Teams Found')}
      >
        <ul aria-label={t('Teams')} className="grid grid-cols-1 gap-3 lg:grid-cols-2">
          {teams.map((team) => (
            <li key={team.id} className="min-w-0">
              <TeamPanel team={team} actions={actions} />
            </li>
          ))}
        </ul>
      </ListLayout>
    </div>
  )
}

function SortSelect({ value, onChange }: { value: SortOrder; onChange: (value: SortOrder) => void }) {
  const t = useT()
  const options: { value: SortOrder; label: string }[] = [
    { value: 'name asc', label: t('Name (A to Z)') },
    { value: 'name desc', label: t('Name (Z to A)') },
    { value: 'members desc', label: t('Most members') },
    { value: 'members asc', label: t('Fewest members') },
    { value: 'points desc', label: t('Most points') },
    { value: 'points asc', label: t('Fewest points') },
  ]
  return <FilterSelect label={t('Sort by')} value={value} onChange={onChange} options={options} />
}
