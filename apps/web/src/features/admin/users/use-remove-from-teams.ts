import type { User } from '@community/contract'
import { failureOf } from '../../../lib/failure.ts'
import { listText, serverText, useT } from '../../../lib/i18n.ts'
import { toast } from '../../../lib/toasts.ts'
import { trpc } from '../../../lib/trpc.ts'
import { askPassword } from '../../../lib/questions.ts'
import { reloadListsSoon } from '../admin-queries.ts'
import { throwToStay } from '../admin-action.ts'

type Person = Pick<User, 'id' | 'name'>
interface NamedTeam {
  id: string
  name: string
}

/**
 * Takes somebody out of teams with one password, one team after the other, and tells of how many.
 * Answers whether there was any success.
 */
export function useRemoveFromTeams() {
  const t = useT()
  const { client } = trpc.useUtils()

  async function removeFromEach(user: Person, teams: readonly NamedTeam[], password: string): Promise<unknown[]> {
    const refusals: unknown[] = []
    for (const team of teams) {
      try {
        await client.admin.removeTeamMember.mutate({ id: team.id, userId: user.id, password })
      } catch (error) {
        // Nothing is done yet: it may be tried again.
        if (team === teams[0]) throwToStay(error, t('Failed to remove user from team'))
        refusals.push(error)
      }
    }
    return refusals
  }

  function tell(user: Person, teams: readonly NamedTeam[], refusals: readonly unknown[]): boolean {
    reloadListsSoon()
    const [only] = teams
    const successes = teams.length - refusals.length
    if (successes === 0) {
      const isOne = teams.length === 1
      if (isOne) toast.failure(refusals[0], t('Error'), t('Failed to remove user from team'))
      else toast.error(t('Error'), t('Failed to remove user from any teams'))
      return false
    }
    toast.success(
      teams.length === 1
        ? t('{name} removed from {team}', { name: user.name, team: only?.name })
        : t('{name} removed from {done} of {count, plural, one {# team} other {# teams}}', {
            name: user.name,
            done: successes,
            count: teams.length,
          }),
    )
    if (refusals.length > 0) {
      toast.warning(t('Failed to remove user from teams'), serverText(failureOf(refusals[0]).message).text)
    }
    return true
  }

  return async (user: Person, teams: readonly NamedTeam[]): Promise<boolean> => {
    let refusals: unknown[] = []
    const names = listText(teams.map((team) => team.name))
    const answer = await askPassword({
      title: t('Confirm with your password'),
      message: t('{name} will be taken out of: {teams}', { name: user.name, teams: names }),
      confirmLabel: t('Remove'),
      danger: true,
      verify: async (password) => {
        refusals = await removeFromEach(user, teams, password)
      },
    })
    return answer !== null && tell(user, teams, refusals)
  }
}
