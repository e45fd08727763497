import type { Team, TeamMember } from '@community/contract'
import { useAction } from '../../lib/action.ts'
import { type Translate, useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { confirmAsChef, passwordIfAdmin, passwordInput } from '../../components/confirm-as-chef.ts'

/** The next chef when the chef leaves: a given member, or the one who joined first. */
export type Successor = { autoAssign: true } | { newOwnerId: string }

export interface Removal {
  team: Team
  member: TeamMember
}

const otherMembers = ({ team, member }: Removal) => team.members.filter((other) => other.userId !== member.userId)

function messageFor(removal: Removal, t: Translate): string {
  const { team, member } = removal
  if (!member.isChef) return t('{name} will no longer be a member of {team}.', { name: member.name, team: team.name })
  const [successor] = otherMembers(removal)
  if (!successor) return t('You will no longer be a member of {team}.', { team: team.name })
  const names = { team: team.name, heir: successor.name }
  return t('You will no longer be a member of {team}. {heir} will be the new chef.', names)
}

function useAfterRemoval() {
  const t = useT()
  return {
    success: (_output: unknown, { team, member }: Removal) => ({
      title: t('Member Removed'),
      message: t('{name} is no longer a member of {team}.', { name: member.name, team: team.name }),
    }),
    failure: t('Failed to remove member from team'),
    reloads: true,
  }
}

/**
 * Removes a member after a confirmation. If the chef leaves, a single other member becomes chef; if there are
 * several, `askSuccessor` is called instead; if there is none, the server rejects the removal.
 */
export function useRemoveMember(askSuccessor: () => void): (removal: Removal) => Promise<unknown> {
  const t = useT()
  const remove = useAction(trpcClient.teams.removeMember, {
    input: ({ team, member }: Removal, answers) => ({ id: team.id, userId: member.userId, ...passwordInput(answers) }),
    ...confirmAsChef((removal: Removal) => ({
      title: t('Remove Member'),
      message: messageFor(removal, t),
      confirmLabel: t('Remove Member'),
      danger: true,
    })),
    ...useAfterRemoval(),
  })
  return async (removal) =>
    removal.member.isChef && otherMembers(removal).length > 1 ? askSuccessor() : remove.run(removal)
}

/** Removes a chef who has chosen a successor. */
export function useRemoveSelf(question: { title: string; confirmLabel: string; danger: boolean }) {
  return useAction(trpcClient.teams.removeMember, {
    input: ({ team, member, successor }: Removal & { successor: Successor }, answers) => ({
      id: team.id,
      userId: member.userId,
      ...successor,
      ...passwordInput(answers),
    }),
    ...passwordIfAdmin(question),
    ...useAfterRemoval(),
  })
}
