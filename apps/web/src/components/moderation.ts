import { oldestMember, type Team, type TeamMember } from '@community/contract'
import { REASON_LENGTH_MAX } from '@community/contract/limits'
import { type Action, useAction } from '../lib/action.ts'
import { type Translate, useT } from '../lib/i18n.ts'
import { trpcClient } from '../lib/trpc.ts'
import { AFTER_ADMIN_ACTION } from './after-admin-action.ts'

/** The account to moderate. */
export interface Person {
  id: string
  name: string
}

export interface Membership {
  team: Team
  member: TeamMember
}

/** The specification gives the team dialog and the admin area different toasts, and reloads the page after the former. */
type ModerationContext = 'team' | 'admin'

const refreshFor = (context: ModerationContext) => (context === 'team' ? { reloads: true } : AFTER_ADMIN_ACTION)

const reasonQuestion = (t: Translate, title: string, message: string) => ({
  title,
  message,
  label: t('Reason'),
  confirmLabel: t('Continue'),
  required: true,
  maxLength: REASON_LENGTH_MAX,
  multiline: true,
})

/** Warns, bans or removes a user: asks for a reason or a confirmation, then for the administrator's password. */
export function useModeration(context: ModerationContext) {
  return { warn: useWarning(context), ban: useBan(context), removeMember: useRemoval(context) }
}

function useWarning(context: ModerationContext): Action<Person, unknown> {
  const t = useT()
  const title = t('Give Warning')
  return useAction(trpcClient.admin.warn, {
    input: ({ id }: Person, { text, password }) => ({ userId: id, reason: text, password }),
    prompt: ({ name }) =>
      reasonQuestion(t, title, t('Why are you warning {name}? The reason is saved with the account.', { name })),
    password: ({ name }) => ({ title, message: t('{name} will be warned.', { name }), confirmLabel: title }),
    success: (_output, { name }) =>
      context === 'team'
        ? { title: t('Warning Given'), message: t('{name} has been warned.', { name }) }
        : t('Warning given successfully'),
    failure: t('Failed to give warning'),
    ...refreshFor(context),
  })
}

function useBan(context: ModerationContext): Action<Person, unknown> {
  const t = useT()
  const title = t('Ban User')
  return useAction(trpcClient.admin.ban, {
    input: ({ id }: Person, { text, password }) => ({ userId: id, reason: text, password }),
    prompt: ({ name }) =>
      reasonQuestion(t, title, t('Why are you banning {name}? The reason is saved with the account.', { name })),
    password: ({ name }) => ({
      title,
      message: t(
        '{name} will be signed out everywhere and removed from all teams. Their email will be added to the blacklist.',
        {
          name,
        },
      ),
      confirmLabel: title,
      danger: true,
    }),
    success: (_output, { name }) =>
      context === 'team'
        ? { title: t('User Banned'), message: t('{name} is banned.', { name }) }
        : t('User banned successfully'),
    failure: t('Failed to ban user'),
    ...refreshFor(context),
  })
}

/** The team dialog confirms before it asks for the password. */
function useRemoval(context: ModerationContext): Action<Membership, unknown> {
  const t = useT()
  const isTeamDialog = context === 'team'
  const question = ({ team, member }: Membership) => {
    const successor = member.isChef ? oldestMember(team.members.filter((other) => other !== member)) : null
    const names = { name: member.name, team: team.name }
    return {
      title: t('Remove Member'),
      message: successor
        ? t('{name} will no longer be a member of {team}. {heir} will be the new chef.', {
            ...names,
            heir: successor.name,
          })
        : t('{name} will no longer be a member of {team}.', names),
      confirmLabel: isTeamDialog ? t('Remove Member') : t('Remove'),
      danger: true,
    }
  }
  return useAction(trpcClient.admin.removeTeamMember, {
    input: ({ team, member }: Membership, { password }) => ({ id: team.id, userId: member.userId, password }),
    confirm: (membership) => (isTeamDialog ? question(membership) : undefined),
    password: (membership) => ({
      ...question(membership),
      ...(isTeamDialog && { message: t('Enter your admin password to continue.') }),
    }),
    success: (_output, { team, member }) => {
      const names = { name: member.name, team: team.name }
      if (!isTeamDialog) return t('{name} removed from {team}', names)
      return { title: t('Member Removed'), message: t('{name} is no longer a member of {team}.', names) }
    },
    failure: isTeamDialog ? t('Failed to remove member from team') : t('Failed to remove user from team'),
    ...refreshFor(context),
  })
}
