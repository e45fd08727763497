import type { Team, TeamMember } from '@community/contract'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { ChefDialogs } from './chef-dialogs.tsx'
import { useLeaveTeam } from './leave-team.ts'
import { useRemoveMember } from './use-remove-member.ts'

interface TeamActProps {
  team: Team
  act: 'leave' | 'transfer' | 'remove'
  /** Who leaves or is taken out. */
  member: TeamMember
  onClose: () => void
}

/** What somebody does with their own team from outside its dialog: the same questions, asked at once. */
export function TeamAct({ team, act, member, onClose }: TeamActProps) {
  if (act === 'transfer') return <ChefDialogs team={team} shown="transfer" onClose={onClose} />
  if (act === 'leave') return <Leave team={team} member={member} onClose={onClose} />
  return <Remove team={team} member={member} onClose={onClose} />
}

type OneAct = Omit<TeamActProps, 'act'>

function Leave({ team, member, onClose }: OneAct) {
  const t = useT()
  const leave = useLeaveTeam(t('Failed to leave team.'))
  useAtOnce(() => leave.run({ team, me: member }), onClose)
  return null
}

function Remove({ team, member, onClose }: OneAct) {
  const [asksSuccessor, setAsksSuccessor] = useState(false)
  const isAsking = useRef(false)
  const remove = useRemoveMember(() => {
    isAsking.current = true
    setAsksSuccessor(true)
  })
  useAtOnce(
    () => remove({ team, member }),
    () => isAsking.current || onClose(),
  )
  return <ChefDialogs team={team} shown={asksSuccessor ? 'successor' : null} onClose={onClose} />
}

/** Runs once, also where effects run twice. `onEnd` is the newest: asked for again meanwhile, the act closes by another. */
function useAtOnce(run: () => Promise<unknown>, onEnd: () => void): void {
  const latest = useRef({ run, onEnd })
  const hasRun = useRef(false)
  useEffect(() => {
    latest.current = { run, onEnd }
  })
  useEffect(() => {
    if (hasRun.current) return
    hasRun.current = true
    void latest.current.run().finally(() => latest.current.onEnd())
  }, [])
}
