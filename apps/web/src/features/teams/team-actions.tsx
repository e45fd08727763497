import { type Team, whyCannotJoin } from '@community/contract'
import { LogOut, UserPlus } from 'lucide-react'
import { useT } from '../../lib/i18n.ts'
import type { CurrentUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { ServerText } from '../../ui/server-text.tsx'
import { useLeaveTeam } from './leave-team.ts'

interface TeamActionsProps {
  team: Team
  user: CurrentUser
  onJoin: () => void
}

/** The button to join or leave a team, or the reason why neither is possible. */
export function TeamActions({ team, user, onJoin }: TeamActionsProps) {
  const t = useT()
  const leave = useLeaveTeam()
  const me = team.members.find((member) => member.userId === user.id)
  if (me) {
    return (
      <Button variant="danger-outline" onClick={() => void leave.run({ team, me })}>
        <LogOut aria-hidden="true" className="rtl:-scale-x-100" />
        {me.isChef ? t('Leave as Chef') : t('Leave Team')}
      </Button>
    )
  }
  const reason = whyCannotJoin(team, { role: user.role, isMember: false })
  if (reason)
    return (
      <p className="grow text-ink-2">
        <ServerText of={reason} />
      </p>
    )
  return (
    <Button variant="primary" onClick={onJoin}>
      <UserPlus aria-hidden="true" />
      {t('Join This Team')}
    </Button>
  )
}
