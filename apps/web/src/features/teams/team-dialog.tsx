import type { Team } from '@community/contract'
import { type ReactNode, useState } from 'react'
import { TeamTile } from '../../brand/team-tile.tsx'
import { emit } from '../../lib/events.ts'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { type CurrentUser, useUser } from '../../lib/session.ts'
import { trpc } from '../../lib/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx'
import { JoinForm } from './join-form.tsx'
import { TeamActions } from './team-actions.tsx'
import { TeamDetail } from './team-detail.tsx'
import { isShownWhole, membersOfMax } from './team-facts.ts'
import { useJoinTeam } from './use-join-team.ts'

const FORM_ID = 'join-team'

export interface TeamDialogProps {
  teamId: string
  onClose: () => void
}

/** One team: who they are, and joining or leaving it. One dialog throughout, so that nothing blinks and the focus stays. */
export function TeamDialog({ teamId, onClose }: TeamDialogProps) {
  const t = useT()
  const user = useUser()
  const { data, error, refetch, isFetching } = trpc.teams.get.useQuery({ id: teamId })
  const [isJoining, setIsJoining] = useState(false)
  const join = useJoinTeam(() => setIsJoining(false))
  const team = data && isShownWhole(data.team) ? data.team : null

  if (user && team) {
    const view = { team, user, join }
    const stopJoining = () => {
      join.reset()
      setIsJoining(false)
    }
    return (
      <TeamFrame
        team={team}
        title={isJoining ? t('Join {team}', { team: team.name }) : team.name}
        busy={join.isPending}
        onClose={onClose}
        footer={
          isJoining ? (
            <JoinButtons busy={join.isPending} onBack={stopJoining} />
          ) : (
            <TeamActions team={team} user={user} onJoin={() => setIsJoining(true)} />
          )
        }
      >
        {isJoining ? <JoinView {...view} /> : <TeamDetail team={team} userId={user.id} />}
      </TeamFrame>
    )
  }
  const retry = { onRetry: () => void refetch(), busy: isFetching }
  return (
    <TeamFrame title={data?.team.name ?? t('Team')} onClose={onClose}>
      {error ? (
        <ErrorState title={t('Failed to load the team')} message={failureOf(error).message} {...retry} />
      ) : (
        <NotShown isKnown={data !== undefined && !user} />
      )}
    </TeamFrame>
  )
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
        description: membersOfMax(t, team),
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
}

function JoinView({ team, user, join }: JoinViewProps) {
  return (
    <JoinForm
      id={FORM_ID}
      team={team}
      user={user}
      error={join.error}
      onJoin={(answers, onRefused) => join.join(team, answers, onRefused)}
    />
  )
}

function JoinButtons({ busy, onBack }: { busy: boolean; onBack: () => void }) {
  const t = useT()
  return (
    <>
      <Button onClick={onBack} aria-disabled={busy}>
        {t('Back')}
      </Button>
      <Button type="submit" form={FORM_ID} variant="primary" busy={busy} busyLabel={t('Joining...')}>
        {t('Join Team')}
      </Button>
    </>
  )
}

/** In place of the detail: it loads, or it is for signed-in people. */
function NotShown({ isKnown }: { isKnown: boolean }) {
  const t = useT()
  if (isKnown) {
    return (
      <EmptyState
        title={t('Sign in to see this team')}
        action={
          <Button variant="primary" onClick={() => emit('openAuthModal', { mode: 'login' })}>
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
