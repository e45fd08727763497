import { PleaseSignIn } from '../../components/please-sign-in.tsx'
import { useListen } from '../../lib/events.ts'
import { goToView } from '../../lib/navigation/navigation.ts'
import { useFailureToast } from '../../lib/failure-toast.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { useRememberedChoice } from '../../lib/memory-state.ts'
import { type CurrentUser, isAdmin, useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { SectionBody } from '../../ui/section.tsx'
import { StatTileSkeletons } from '../../ui/stat-tile.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { AttentionList } from './attention-list.tsx'
import { TAB_KEY, useSelectedTeam } from './selected-team.ts'
import { goToHeading } from './go-to-heading.ts'
import { FirstSteps } from './first-steps.tsx'
import { OwnStats } from './own-stats.tsx'
import { OwnTeams } from './own-teams.tsx'
import { ProfileSummary } from './profile-summary.tsx'
import { SUBMISSIONS_HEADING, TEAM_TABS } from './team-panel.tsx'
import { useDashboard } from './use-dashboard.ts'

/** The user's dashboard: profile, what needs attention, teams and their submissions. */
export function Dashboard() {
  const user = useUser()
  return user ? <OwnDashboard key={user.id} user={user} /> : <SignedOut />
}

function SignedOut() {
  const t = useT()
  return (
    <SectionBody level={1} title={t('Dashboard')}>
      <PleaseSignIn text={t('Sign in to see your teams and applications.')} className="min-h-96 content-center" />
    </SectionBody>
  )
}

function OwnDashboard({ user }: { user: CurrentUser }) {
  const t = useT()
  const query = useDashboard()
  const dashboard = query.data?.dashboard
  useFailureToast(query.error, { fallback: msg('Failed to load dashboard data') })
  const selection = useSelectedTeam(dashboard?.teams ?? [])
  const [, select] = selection
  const [tab, setTab] = useRememberedChoice(TAB_KEY, TEAM_TABS)
  useListen('teamCreated', (detail) => {
    if (detail?.teamId) select(detail.teamId)
  })
  const onShowTeam = (teamId: string) => {
    select(teamId)
    setTab('submissions')
    goToHeading(SUBMISSIONS_HEADING)
  }
  return (
    <SectionBody
      level={1}
      title={t('Dashboard')}
      action={isAdmin(user) && <Button onClick={() => goToView('admin')}>{t('Admin Panel')}</Button>}
    >
      <div className="grid grid-cols-1 gap-8">
        <ProfileSummary user={dashboard?.user ?? user} />
        <QueryError query={query} title={t('Failed to load dashboard data')} />
        {query.isPending && <DashboardSkeletons />}
        {dashboard && (
          <>
            {dashboard.teams.length > 0 && <AttentionList dashboard={dashboard} onShowTeam={onShowTeam} />}
            {dashboard.teams.length === 0 && !isAdmin(user) && <FirstSteps />}
            <OwnStats stats={dashboard.stats} />
            <OwnTeams dashboard={dashboard} user={user} selection={selection} tab={tab} onTab={setTab} />
          </>
        )}
      </div>
    </SectionBody>
  )
}

function DashboardSkeletons() {
  return (
    <Loading className="grid grid-cols-1 gap-8">
      <StatTileSkeletons />
      <Skeleton className="h-96" />
    </Loading>
  )
}
