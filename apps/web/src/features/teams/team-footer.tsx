import type { Team } from '@community/contract'
import type { ReactNode } from 'react'
import { canInvite, InviteButton } from '../../components/invite-button.tsx'
import { ShareLinkButton } from '../../components/share-button.tsx'
import { useT } from '../../lib/i18n.ts'
import { type CurrentUser, isAdmin } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { TeamActions } from './team-actions.tsx'
import type { useJoinTeam } from './use-join-team.ts'

export const JOIN_FORM_ID = 'join-team'

/** The view of a team: 'manage' shows administrators the actions on members. */
export type View = 'read' | 'join' | 'manage'

export interface TeamViewProps {
  team: Team
  user: CurrentUser
  view: View
  join: ReturnType<typeof useJoinTeam>
  onView: (view: View) => void
}

/** The buttons below a team, by user and view. */
export function TeamFooter({ team, user, view, join, onView }: TeamViewProps) {
  const t = useT()
  if (isAdmin(user)) {
    if (view !== 'manage') {
      return (
        <ReadFooter team={team} user={user}>
          <TeamActions team={team} user={user} onJoin={() => onView('join')} />
          <Button onClick={() => onView('manage')}>{t('Manage members')}</Button>
        </ReadFooter>
      )
    }
    return <Button onClick={() => onView('read')}>{t('Back')}</Button>
  }
  if (view === 'join') {
    const stopJoining = () => {
      join.reset()
      onView('read')
    }
    return <JoinButtons busy={join.isPending} onBack={stopJoining} />
  }
  return (
    <ReadFooter team={team} user={user}>
      <TeamActions team={team} user={user} onJoin={() => onView('join')} />
    </ReadFooter>
  )
}

/** The footer of a team's details: Invite Members or Share, then the actions. */
function ReadFooter({ team, user, children }: Pick<TeamViewProps, 'team' | 'user'> & { children: ReactNode }) {
  return (
    <div className="flex grow flex-wrap items-center gap-2 max-sm:[&>button+button]:grow">
      {canInvite(team, user.id) ? (
        <InviteButton team={team} />
      ) : (
        <ShareLinkButton item={{ kind: 'team', id: team.id }} text={team.name} className="me-auto" />
      )}
      {children}
    </div>
  )
}

function JoinButtons({ busy, onBack }: { busy: boolean; onBack: () => void }) {
  const t = useT()
  return (
    <>
      <Button onClick={onBack} aria-disabled={busy}>
        {t('Back')}
      </Button>
      <Button type="submit" form={JOIN_FORM_ID} variant="primary" busy={busy} busyLabel={t('Joining...')}>
        {t('Join Team')}
      </Button>
    </>
  )
}
