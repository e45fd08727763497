import { oldestMember, type Team, type TeamMember, type User } from '@community/contract'
import { type Action, type Answers, useAction } from '../lib/action.ts'
import { failureOf, isTransient } from '../lib/failure.ts'
import { listText, serverText, type Translate, useT } from '../lib/i18n.ts'
import { isRetryable } from '../lib/is-retryable.ts'
import type { Question } from '../lib/questions.ts'
import { currentUser, isAdmin } from '../lib/session.ts'
import { trpcClient } from '../lib/trpc.ts'
import { AFTER_ADMIN_ACTION } from './after-admin-action.ts'
import { passwordInput } from './confirm-as-chef.ts'

/** The next chef when the chef is removed: a given member, or the one who joined first. */
export type Successor = { autoAssign: true } | { newOwnerId: string }

export interface Removal {
  team: Team
  member: TeamMember
  /** Chosen in a dialog, which has confirmed the removal. */
  successor?: Successor
}

/**
 * Who removes: the chef, or an administrator in the team dialog or in the admin area. The specification gives the admin
 * area toasts of its own, and reloads the page after the others.
 */
export type RemovalContext = 'chef' | 'team' | 'admin'

const removeAsAdmin = (team: { id: string }, userId: string, password: string) =>
  trpcClient.admin.removeTeamMember.mutate({ id: team.id, userId, password })

const requestFor = (context: RemovalContext) => ({
  mutate: async ({ team, member, successor, answers }: Removal & { answers: Answers }) => {
    if (context !== 'chef') return removeAsAdmin(team, member.userId, answers.password)
    const input = { id: team.id, userId: member.userId, ...successor, ...passwordInput(answers) }
    return trpcClient.teams.removeMember.mutate(input)
  },
})

function messageFor({ team, member }: Removal, t: Translate): string {
  const names = { name: member.name, team: team.name }
  const successor = member.isChef ? oldestMember(team.members.filter((other) => other !== member)) : null
  const isOwn = member.userId === currentUser()?.id
  if (!successor) {
    return isOwn
      ? t('You will no longer be a member of {team}.', names)
      : t('{name} will no longer be a member of {team}.', names)
  }
  const withHeir = { ...names, heir: successor.name }
  return isOwn
    ? t('You will no longer be a member of {team}. {heir} will be the new chef.', withHeir)
    : t('{name} will no longer be a member of {team}. {heir} will be the new chef.', withHeir)
}

/** What is asked before a removal: a confirmation, an administrator's password, or both. */
function questionsFor(
  context: RemovalContext,
  removal: Removal,
  t: Translate,
): { confirm?: Question; password?: Question } {
  const confirmLabel = context === 'admin' ? t('Remove') : t('Remove Member')
  const question = { title: t('Remove Member'), message: messageFor(removal, t), confirmLabel, danger: true }
  if (context === 'admin') return { password: question }
  const password = { ...question, message: t('Enter your admin password to continue.') }
  if (context === 'team') return { confirm: question, password }
  if (!isAdmin(currentUser())) return removal.successor ? {} : { confirm: question }
  return { password: removal.successor ? { ...password, title: t('Choose the new chef') } : question }
}

/** Removes a member from a team. */
export function useRemoveMember(context: RemovalContext): Action<Removal, unknown> {
  const t = useT()
  return useAction(requestFor(context), {
    input: (removal: Removal, answers) => ({ ...removal, answers }),
    confirm: (removal) => questionsFor(context, removal, t).confirm,
    password: (removal) => questionsFor(context, removal, t).password,
    success: (_output, { team, member }) => {
      const names = { name: member.name, team: team.name }
      if (context === 'admin') return t('{name} removed from {team}', names)
      return { title: t('Member Removed'), message: t('{name} is no longer a member of {team}.', names) }
    },
    failure: context === 'admin' ? t('Failed to remove user from team') : t('Failed to remove member from team'),
    ...(context === 'admin' ? AFTER_ADMIN_ACTION : { reloads: true }),
  })
}

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
        await removeAsAdmin(team, user.id, password)
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
