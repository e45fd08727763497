import type { Team, TeamMember } from '@community/contract'
import { msg, useT } from '../../lib/i18n.ts'
import { reloadPage } from '../../lib/reload-page.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { type Confirmed, confirmAsChef } from './as-chef.ts'

/** Who follows a chef that removes themself: somebody named, or the one who joined first. */
export type Successor = { autoAssign: true } | { newOwnerId: string }

/** Says who was taken out, and reloads the page: the toast outlives it. */
export function useSayRemoved(team: Team): (member: TeamMember) => void {
  const t = useT()
  return ({ name }) => {
    toast.success(t('Member Removed'), t('{name} is no longer a member of {team}.', { name, team: team.name }))
    reloadPage()
  }
}

/** The call that takes a member out; a chef who goes among several says who follows. */
export function useTakeOut(team: Team) {
  const { mutateAsync } = trpc.teams.removeMember.useMutation({
    meta: { invalidates: [], failed: msg('Failed to remove member from team') },
  })
  return (member: TeamMember, confirmed: Confirmed, successor?: Successor) =>
    mutateAsync({ id: team.id, userId: member.userId, ...confirmed, ...successor })
}

/**
 * Asks, takes a member out, says so, and reloads. Of a chef and one other, the other follows; a chef alone is refused by
 * the server; among several `askSuccessor` is called in place of the question.
 */
export function useRemoveMember(team: Team, askSuccessor: () => void): (member: TeamMember) => Promise<void> {
  const t = useT()
  const takeOut = useTakeOut(team)
  const sayRemoved = useSayRemoved(team)
  const question = (member: TeamMember, heir: TeamMember | undefined) => {
    if (!member.isChef) return t('{name} will no longer be a member of {team}.', { name: member.name, team: team.name })
    if (!heir) return t('You will no longer be a member of {team}.', { team: team.name })
    const names = { team: team.name, heir: heir.name }
    return t('You will no longer be a member of {team}. {heir} will be the new chef.', names)
  }
  return async (member) => {
    const others = team.members.filter((one) => one.userId !== member.userId)
    if (member.isChef && others.length > 1) return askSuccessor()
    const asked = {
      title: t('Remove Member'),
      message: question(member, others[0]),
      confirmLabel: t('Remove Member'),
      danger: true,
    }
    if (await confirmAsChef(asked, (confirmed) => takeOut(member, confirmed))) sayRemoved(member)
  }
}
