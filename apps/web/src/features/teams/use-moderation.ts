import { oldestMember, type Team, type TeamMember } from '@community/contract'
import { REASON_LENGTH_MAX } from '@community/contract/limits'
import { failureOf } from '../../lib/failure.ts'
import { useT } from '../../lib/i18n.ts'
import { reloadPage } from '../../lib/reload-page.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { askPassword, confirm, prompt } from '../../lib/questions.ts'

interface Moderation {
  remove: () => Promise<void>
  warn: () => Promise<void>
  ban: () => Promise<void>
}

interface Step {
  title: string
  /** What the toast says of a failure without words of its own. */
  fallback: string
  done: { title: string; message: string }
  run: (password: string) => Promise<unknown>
}

/** Asks for the administrator's password, does it, says how it went, and reloads after a success. Left, nothing happens. */
function useWithPassword(): (step: Step) => Promise<void> {
  const t = useT()
  return async ({ title, fallback, done, run }) => {
    const password = await askPassword({
      title,
      message: t('Enter your admin password to go on.'),
      confirmLabel: title,
      danger: true,
      verify: async (given) => {
        try {
          await run(given)
        } catch (error) {
          // The dialog shows what is wrong with a password; anything else is told as a toast too.
          if (!failureOf(error).invalid) toast.failure(error, t('Error'), fallback)
          throw error
        }
      },
    })
    if (password === null) return
    toast.success(done.title, done.message)
    reloadPage()
  }
}

/** What an administrator does about a member: a reason or a yes first, then the password. Either left, nothing happens. */
export function useModeration(team: Team, member: TeamMember): Moderation {
  return { remove: useRemoval(team, member), warn: useWarning(member), ban: useBan(member) }
}

function useRemoval(team: Team, member: TeamMember): () => Promise<void> {
  const t = useT()
  const withPassword = useWithPassword()
  const { mutateAsync } = trpc.admin.removeTeamMember.useMutation({ meta: { invalidates: [] } })
  const heir = member.isChef ? oldestMember(team.members.filter((one) => one !== member)) : null
  const names = { name: member.name, team: team.name, heir: heir?.name ?? '' }
  return async () => {
    const title = t('Remove Member')
    const message = heir
      ? t('{name} will no longer be a member of {team}. {heir} will be the new chef.', names)
      : t('{name} will no longer be a member of {team}.', names)
    if (!(await confirm({ title, message, confirmLabel: title, danger: true }))) return
    await withPassword({
      title,
      fallback: t('Failed to remove member from team'),
      done: { title: t('Member Removed'), message: t('{name} is no longer a member of {team}.', names) },
      run: (password) => mutateAsync({ id: team.id, userId: member.userId, password }),
    })
  }
}

function useReason(): (title: string, message: string) => Promise<string | null> {
  const t = useT()
  return (title, message) =>
    prompt({
      title,
      message,
      label: t('Reason'),
      required: true,
      maxLength: REASON_LENGTH_MAX,
      multiline: true,
      confirmLabel: t('Continue'),
    })
}

function useWarning({ userId, name }: TeamMember): () => Promise<void> {
  const t = useT()
  const withPassword = useWithPassword()
  const askReason = useReason()
  const { mutateAsync } = trpc.admin.warn.useMutation({ meta: { invalidates: [] } })
  return async () => {
    const title = t('Give Warning')
    const reason = await askReason(title, t('Why is {name} warned?', { name }))
    if (reason === null) return
    await withPassword({
      title,
      fallback: t('Failed to give warning'),
      done: { title: t('Warning Given'), message: t('{name} has been warned.', { name }) },
      run: (password) => mutateAsync({ userId, reason, password }),
    })
  }
}

function useBan({ userId, name }: TeamMember): () => Promise<void> {
  const t = useT()
  const withPassword = useWithPassword()
  const askReason = useReason()
  const { mutateAsync } = trpc.admin.ban.useMutation({ meta: { invalidates: [] } })
  return async () => {
    const title = t('Ban User')
    const reason = await askReason(
      title,
      t(
        'Why is {name} banned? A ban signs them out, takes them out of all teams and puts their address on the blacklist.',
        {
          name,
        },
      ),
    )
    if (reason === null) return
    await withPassword({
      title,
      fallback: t('Failed to ban user'),
      done: { title: t('User Banned'), message: t('{name} is banned.', { name }) },
      run: (password) => mutateAsync({ userId, reason, password }),
    })
  }
}
