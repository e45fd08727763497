import type { Dashboard } from '@community/contract'
import { goToSection } from '../../lib/navigation/navigation.ts'
import { useT } from '../../lib/i18n.ts'
import { isAdmin, type CurrentUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { useSelectedTeam } from './selected-team.ts'
import { goToHeading } from './go-to-heading.ts'
import { TEAM_HEADING, TeamPanel, type TeamTab } from './team-panel.tsx'
import { TeamPicker } from './team-picker.tsx'

interface OwnTeamsProps {
  dashboard: Pick<Dashboard, 'teams' | 'stats'>
  user: CurrentUser
  selection: ReturnType<typeof useSelectedTeam>
  tab: TeamTab
  onTab: (tab: TeamTab) => void
}

/** The user's teams: a picker if there are several, and the selected team. */
export function OwnTeams({ dashboard, user, selection, tab, onTab }: OwnTeamsProps) {
  const t = useT()
  const { teams, stats } = dashboard
  const [selected, select] = selection
  const onOpen = (teamId: string) => {
    select(teamId)
    goToHeading(TEAM_HEADING)
  }
  return (
    <>
      {teams.length !== 1 && (
        <section aria-labelledby="own-teams" className="grid grid-cols-1 gap-4">
          <h2 id="own-teams" className="text-xl">
            {t('My teams')}
          </h2>
          {selected ? (
            <TeamPicker
              teams={teams}
              total={Math.max(stats.teams, teams.length)}
              selected={selected}
              userId={user.id}
              onSelect={select}
              onOpen={onOpen}
            />
          ) : (
            <NoTeams user={user} />
          )}
        </section>
      )}
      {selected && <TeamPanel team={selected} userId={user.id} tab={tab} onTab={onTab} />}
    </>
  )
}

function NoTeams({ user }: { user: CurrentUser }) {
  const t = useT()
  if (isAdmin(user)) return <EmptyState title={t('No Teams Yet')}>{t('Administrators cannot join teams.')}</EmptyState>
  return (
    <EmptyState
      title={t('No Teams Yet')}
      action={<Button onClick={() => goToSection('teams')}>{t('Browse teams')}</Button>}
    >
      {t('Join a team or create your own.')}
    </EmptyState>
  )
}
