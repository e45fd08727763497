import type { User } from '@community/contract'
import { AFTER_ADMIN_ACTION } from '../../../components/after-admin-action.ts'
import { type Action, useAction } from '../../../lib/action.ts'
import { failureOf, isTransient } from '../../../lib/failure.ts'
import { listText, serverText, useT } from '../../../lib/i18n.ts'
import { isRetryable } from '../../../lib/is-retryable.ts'
import { trpcClient } from '../../../lib/trpc.ts'

interface RemovalFromTeams {
  user: Pick<User, 'id' | 'name'>
  teams: readonly { id: string; name: string }[]
}

/** One team after the other. Throws the first error if none succeeded; otherwise returns the errors. */
const removeFromEach = {
  mutate: async ({ user, teams, password }: RemovalFromTeams & { password: string }) => {
    const errors: unknown[] = []
    for (const team of teams) {
      try {
        await trpcClient.admin.removeTeamMember.mutate({ id: team.id, userId: user.id, password })
      } catch (error) {
        errors.push(error)
        // The other teams would fail too: the password is wrong, or the server cannot be reached.
        if (team === teams[0] && isRetryable(error)) throw error
      }
    }
    if (errors.length === teams.length) throw errors[0]
    return { errors }
  },
}

/** Removes a user from several teams with one password, and shows from how many. */
export function useRemoveFromTeams(): Action<RemovalFromTeams, unknown> {
  const t = useT()
  return useAction(removeFromEach, {
    input: (removal: RemovalFromTeams, { password }) => ({ ...removal, password }),
    password: ({ user, teams }) => ({
      title: t('Confirm with your password'),
      message: t('{name} will be removed from: {teams}', {
        name: user.name,
        teams: listText(teams.map((team) => team.name)),
      }),
      confirmLabel: t('Remove'),
      danger: true,
    }),
    success: ({ errors }, { user: { name }, teams }) => {
      const [firstTeam] = teams
      if (teams.length === 1) return t('{name} removed from {team}', { name, team: firstTeam?.name })
      const removedCount = teams.length - errors.length
      const title = t('{name} removed from {done} of {count, plural, one {# team} other {# teams}}', {
        name,
        done: removedCount,
        count: teams.length,
      })
      if (errors.length === 0) return title
      const message = serverText(failureOf(errors[0]))
      return { title, warning: { title: t('Failed to remove user from teams'), message } }
    },
    failure: (reason, { teams }) => {
      const title = t('Error')
      if (teams.length === 1 || isTransient(reason)) return { title, fallback: t('Failed to remove user from team') }
      return { title, message: t('Failed to remove user from any teams') }
    },
    ...AFTER_ADMIN_ACTION,
  })
}
