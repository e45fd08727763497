import type { Team, TeamMember } from '@community/contract'
import { useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { useRunOnce } from '../../lib/use-run-once.ts'
import { ChefDialogs } from './chef-dialogs.tsx'
import { useLeaveTeam } from './leave-team.ts'
import { useRemoveAsChef } from './use-remove-as-chef.ts'

interface OwnTeamActionProps {
  team: Team
  action: 'leave' | 'transfer' | 'remove'
  /** The member who leaves or is removed. */
  member: TeamMember
  onClose: () => void
}

/** Runs an action on the user's own team from outside the team dialog, with the same confirmations. */
export function OwnTeamAction({ team, action, member, onClose }: OwnTeamActionProps) {
  if (action === 'transfer') return <ChefDialogs team={team} shown="transfer" onClose={onClose} />
  if (action === 'leave') return <LeaveAction team={team} member={member} onClose={onClose} />
  return <RemoveAction team={team} member={member} onClose={onClose} />
}

type ActionProps = Omit<OwnTeamActionProps, 'action'>

function LeaveAction({ team, member, onClose }: ActionProps) {
  const t = useT()
  const leave = useLeaveTeam(t('Failed to leave team.'))
  useRunOnce(() => leave.run({ team, me: member }), onClose)
  return null
}

function RemoveAction({ team, member, onClose }: ActionProps) {
  const [asksSuccessor, setAsksSuccessor] = useState(false)
  const isAskingSuccessor = useRef(false)
  const remove = useRemoveAsChef(() => {
    isAskingSuccessor.current = true
    setAsksSuccessor(true)
  })
  useRunOnce(
    () => remove({ team, member }),
    () => isAskingSuccessor.current || onClose(),
  )
  return <ChefDialogs team={team} shown={asksSuccessor ? 'successor' : null} onClose={onClose} />
}
