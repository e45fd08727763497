import { REASON_LENGTH_MAX } from '@community/contract/limits'
import { type Action, useAction } from '../lib/action.ts'
import { type Translate, useT } from '../lib/i18n.ts'
import { trpcClient } from '../lib/trpc.ts'
import { AFTER_ADMIN_ACTION } from './after-admin-action.ts'
import { useRemoveMember } from './remove-member.ts'

/** The account to moderate. */
export interface Person {
  id: string
  name: string
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
  return { warn: useWarning(context), ban: useBan(context), removeMember: useRemoveMember(context) }
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
