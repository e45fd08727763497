import type { Team } from '@community/contract'
import { useT } from '../../lib/i18n.ts'
import { type CurrentUser, isAdmin } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { TeamActions } from './team-actions.tsx'
import type { useJoinTeam } from './use-join-team.ts'

export const JOIN_FORM_ID = 'join-team'

/** What of a team is shown: 'manage' is the administrators' form with what may be done about members. */
export type View = 'read' | 'join' | 'manage'

export interface TeamViewProps {
  team: Team
  user: CurrentUser
  view: View
  join: ReturnType<typeof useJoinTeam>
  onView: (view: View) => void
}

/** The buttons under a team, by who looks at what. */
export function TeamFooter({ team, user, view, join, onView }: TeamViewProps) {
  const t = useT()
  if (isAdmin(user)) {
    if (view !== 'manage') {
      return (
        <>
          <TeamActions team={team} user={user} onJoin={() => onView('join')} />
          <Button onClick={() => onView('manage')}>{t('Manage Members')}</Button>
        </>
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
  return <TeamActions team={team} user={user} onJoin={() => onView('join')} />
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
