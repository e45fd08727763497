import type { Team } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { TeamTile } from '../../components/team-tile.tsx'
import { emit } from '../../lib/events.ts'
import { wasInterrupted } from '../../lib/form-draft.ts'
import { useT } from '../../lib/i18n.ts'
import { type CurrentUser, isAdmin, useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading, Skeleton } from '../../ui/states.tsx'
import { AdminTeamDetail } from './admin-team-detail.tsx'
import { ChefDialogs } from './chef-dialogs.tsx'
import { JoinForm } from './join-form.tsx'
import { TeamDetail } from './team-detail.tsx'
import { JOIN_FORM_ID, type TeamViewProps, TeamFooter, type View } from './team-footer.tsx'
import { isFullTeam, formatMemberCount } from './team-facts.ts'
import { type ChefDialog, useChefActions } from './use-chef-actions.ts'
import { useJoinTeam } from './use-join-team.ts'

interface TeamDialogProps {
  teamId: string
  /** For administrators: opens with the actions on members shown. */
  manage?: boolean
  onClose: () => void
}

const joinDraftName = (teamId: string): string => `join ${teamId}`

function initialView(teamId: string, manage: boolean): View {
  if (manage) return 'manage'
  return wasInterrupted(joinDraftName(teamId)) ? 'join' : 'read'
}

/** A team, with joining, leaving and managing it. One dialog for all views, so that it does not flicker and keeps the focus. */
export function TeamDialog({ teamId, manage = false, onClose }: TeamDialogProps) {
  const t = useT()
  const user = useUser()
  const query = useQuery(trpc.teams.get.queryOptions({ id: teamId }))
  const { data } = query
  const [view, setView] = useState<View>(() => initialView(teamId, manage))
  const [chefDialog, setChefDialog] = useState<ChefDialog | null>(null)
  const join = useJoinTeam()
  const team = data && isFullTeam(data.team) ? data.team : null

  if (user && team) {
    const viewProps: TeamViewProps = { team, user, view, join, onView: setView }
    return (
      <>
        <TeamFrame
          team={team}
          title={view === 'join' ? t('Join {team}', { team: team.name }) : team.name}
          busy={join.isPending}
          onClose={onClose}
          footer={isAdmin(user) && manage ? undefined : <TeamFooter {...viewProps} />}
        >
          <TeamBody {...viewProps} onChefDialog={setChefDialog} onDeleted={onClose} />
        </TeamFrame>
        <ChefDialogs team={team} shown={chefDialog} onClose={() => setChefDialog(null)} />
      </>
    )
  }
  return (
    <>
      <TeamFrame title={data?.team.name ?? t('Team')} onClose={onClose}>
        {query.error ? (
          // A card from before the sign-in is not the team.
          <QueryError query={{ ...query, data: team }} title={t('Failed to load the team')} />
        ) : (
          <TeamPlaceholder teamId={teamId} needsSignIn={data !== undefined && !user} />
        )}
      </TeamFrame>
    </>
  )
}

interface TeamBodyProps extends TeamViewProps {
  onChefDialog: (dialog: ChefDialog) => void
  /** The team does not exist any more. */
  onDeleted: () => void
}

function TeamBody({ team, user, view, join, onView, onChefDialog, onDeleted }: TeamBodyProps) {
  const actions = useChefActions(onChefDialog, onDeleted)
  const chef = team.ownerId === user.id ? actions : undefined
  if (isAdmin(user)) return <AdminTeamDetail team={team} user={user} manage={view === 'manage'} chef={chef} />
  if (view === 'join') return <JoinView team={team} user={user} join={join} onJoined={() => onView('read')} />
  return <TeamDetail team={team} userId={user.id} chef={chef} />
}

interface TeamFrameProps {
  team?: Team
  title: string
  busy?: boolean
  onClose: () => void
  footer?: ReactNode
  children: ReactNode
}

function TeamFrame({ team, title, busy = false, onClose, footer, children }: TeamFrameProps) {
  const t = useT()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      dismissible={!busy}
      title={<bdi>{title}</bdi>}
      {...(team && {
        head: <TeamTile name={team.name} />,
        description: formatMemberCount(t, team),
      })}
      footer={footer}
    >
      {children}
    </Dialog>
  )
}

interface JoinViewProps {
  team: Team
  user: CurrentUser
  join: ReturnType<typeof useJoinTeam>
  onJoined: () => void
}

function JoinView({ team, user, join, onJoined }: JoinViewProps) {
  return (
    <JoinForm
      id={JOIN_FORM_ID}
      team={team}
      user={user}
      error={join.error}
      draftName={joinDraftName(team.id)}
      join={async (answers, applyToFields) => Boolean(await join.run({ team, answers, applyToFields }))}
      onJoined={onJoined}
    />
  )
}

/** Shown instead of the details while loading, on failure, and to visitors. */
function TeamPlaceholder({ teamId, needsSignIn }: { teamId: string; needsSignIn: boolean }) {
  const t = useT()
  if (needsSignIn) {
    return (
      <EmptyState
        title={t('Sign in to see this team')}
        action={
          <Button
            variant="primary"
            onClick={() => emit('openAuthModal', { mode: 'login', intent: { name: 'team', teamId } })}
          >
            {t('Sign In')}
          </Button>
        }
      />
    )
  }
  return (
    <Loading className="grid min-h-80 content-start gap-4">
      <Skeleton className="h-12" />
      <Skeleton className="h-20" />
      <Skeleton className="h-40" />
    </Loading>
  )
}
