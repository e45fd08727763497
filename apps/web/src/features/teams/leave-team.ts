import { oldestMember, type Team, type TeamMember } from '@community/contract'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'

interface Membership {
  team: Team
  me: TeamMember
}

const successorOf = ({ team, me }: Membership) =>
  oldestMember(team.members.filter((member) => member.userId !== me.userId))

/** Leaves a team. Its chef sees who will be the next one. `failure` is the text of a failure without a message. */
export function useLeaveTeam(failure?: string) {
  const t = useT()
  const messageFor = (membership: Membership): string => {
    const team = membership.team.name
    const successor = successorOf(membership)
    if (!successor) return t('You are the last member of {team}. If you leave, the team is deactivated.', { team })
    if (!membership.me.isChef) return t('You will no longer be a member of {team}.', { team })
    return t('You are the chef of {team}. The oldest remaining member, {heir}, will be the new chef.', {
      team,
      heir: successor.name,
    })
  }
  return useAction(trpcClient.teams.leave, {
    input: ({ team }: Membership) => ({ id: team.id }),
    confirm: (membership) => {
      const title = membership.me.isChef ? t('Leave as Chef') : t('Leave Team')
      return { title, message: messageFor(membership), confirmLabel: title, danger: true }
    },
    success: (_output, membership) => ({
      title: t('Left Team'),
      message:
        membership.me.isChef && successorOf(membership)
          ? t('You have left the team. The oldest remaining member is now the new team chef.')
          : t('You have successfully left the team.'),
    }),
    failure: failure ?? t('Failed to leave team'),
    reloads: true,
  })
}
