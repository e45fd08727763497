import { oldestMember, type Team, type TeamMember } from '@community/contract'
import { type Action, type Answers, useAction } from '../lib/action.ts'
import { type Translate, useT } from '../lib/i18n.ts'
import { type Procedure, withInput } from '../lib/procedure.ts'
import type { Question } from '../lib/questions.ts'
import { currentUser } from '../lib/session.ts'
import { trpcClient } from '../lib/trpc.ts'
import { AFTER_ADMIN_ACTION } from './after-admin-action.ts'
import { confirmAsChef, passwordIfAdmin, passwordInput } from './confirm-as-chef.ts'

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
type RemovalContext = 'chef' | 'team' | 'admin'

type ConfirmedRemoval = Removal & { answers: Answers }

const procedureFor = (context: RemovalContext): Procedure<ConfirmedRemoval, unknown> =>
  context === 'chef'
    ? withInput(trpcClient.teams.removeMember, ({ team, member, successor, answers }: ConfirmedRemoval) => ({
        id: team.id,
        userId: member.userId,
        ...successor,
        ...passwordInput(answers),
      }))
    : withInput(trpcClient.admin.removeTeamMember, ({ team, member, answers }: ConfirmedRemoval) => ({
        id: team.id,
        userId: member.userId,
        password: answers.password,
      }))

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
): { confirm?: Question | undefined; password?: Question | undefined } {
  const confirmLabel = context === 'admin' ? t('Remove') : t('Remove Member')
  const question = { title: t('Remove Member'), message: messageFor(removal, t), confirmLabel, danger: true }
  if (context === 'admin') return { password: question }
  const passwordQuestion = { ...question, message: t('Enter your admin password to continue.') }
  if (context === 'team') return { confirm: question, password: passwordQuestion }
  if (removal.successor)
    return { password: passwordIfAdmin({ ...passwordQuestion, title: t('Choose the new chef') }).password() }
  const { confirm, password } = confirmAsChef<Removal>(() => question)
  return { confirm: confirm(removal), password: password(removal) }
}

/** Removes a member from a team. */
export function useRemoveMember(context: RemovalContext): Action<Removal, unknown> {
  const t = useT()
  return useAction(procedureFor(context), {
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
