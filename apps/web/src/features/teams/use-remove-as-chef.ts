import { type Removal, useRemoveMember } from '../../components/remove-member.ts'

const countOthers = ({ team, member }: Removal) => team.members.filter((other) => other.userId !== member.userId).length

/**
 * Removes a member as the chef. If the chef leaves and several could follow, `askSuccessor` is called instead; if nobody
 * could, the server rejects the removal.
 */
export function useRemoveAsChef(askSuccessor: () => void): (removal: Removal) => Promise<unknown> {
  const remove = useRemoveMember('chef')
  return async (removal) => (removal.member.isChef && countOthers(removal) > 1 ? askSuccessor() : remove.run(removal))
}
