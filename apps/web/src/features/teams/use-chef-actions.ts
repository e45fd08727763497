import { type Team, type TeamMember, TeamName } from '@community/contract'
import { TEAM_NAME_LENGTH } from '@community/contract/limits'
import { RefusedError } from '../../lib/failure.ts'
import { msg, useT } from '../../lib/i18n.ts'
import { reloadPage } from '../../lib/reload-page.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { prompt } from '../../lib/questions.ts'
import { actAsChef, confirmAsChef } from './as-chef.ts'
import { useRemoveMember } from './use-remove-member.ts'

/** The chef's dialogs that are more than a question. 'successor': who follows a chef that removes themself. */
export type ChefDialog = 'edit' | 'transfer' | 'successor'

export interface ChefActions {
  rename: () => Promise<void>
  deactivate: () => Promise<void>
  remove: () => Promise<void>
  removeMember: (member: TeamMember) => Promise<void>
  open: (dialog: ChefDialog) => void
}

/** What the chef may do, each with its question, its toast, and the reload where the specification has one. */
export function useChefActions(team: Team, open: (dialog: ChefDialog) => void, onGone: () => void): ChefActions {
  return {
    rename: useRename(team),
    deactivate: useDeactivate(team),
    remove: useDelete(team, onGone),
    removeMember: useRemoveMember(team, () => open('successor')),
    open,
  }
}

/** The schema's word against a name, before the server would say the same. */
function judgeName(name: string): void {
  const judged = TeamName.safeParse(name)
  if (!judged.success) throw new RefusedError(judged.error.issues[0]?.message ?? '', { code: 'VALIDATION' })
}

/** An empty answer and the name it has already are ignored. */
function useRename({ id, name: before }: Team): () => Promise<void> {
  const t = useT()
  const { mutateAsync } = trpc.teams.update.useMutation({
    meta: { invalidates: [], failed: msg('Failed to rename team') },
  })
  return async () => {
    const question = { title: t('Rename Team'), confirmLabel: t('Rename') }
    await prompt({
      ...question,
      label: t('Team Name'),
      initial: before,
      required: false,
      maxLength: TEAM_NAME_LENGTH.max,
      run: async (name) => {
        if (name === '' || name === before) return
        judgeName(name)
        if (!(await actAsChef(question, (confirmed) => mutateAsync({ id, name, ...confirmed })))) return
        toast.success(t('Team Renamed'), t('{before} is now called {after}.', { before, after: name }))
        reloadPage()
      },
    })
  }
}

function useDeactivate({ id, name: team }: Team): () => Promise<void> {
  const t = useT()
  const { mutateAsync } = trpc.teams.update.useMutation({
    meta: { invalidates: [], failed: msg('Failed to deactivate team') },
  })
  return async () => {
    const question = {
      title: t('Deactivate Team'),
      message: t(
        '{team} will be hidden from the list and accept no new members. Only an administrator can undo this.',
        {
          team,
        },
      ),
      confirmLabel: t('Deactivate'),
      danger: true,
    }
    if (!(await confirmAsChef(question, (confirmed) => mutateAsync({ id, isActive: false, ...confirmed })))) return
    toast.success(t('Team Deactivated'), t('{team} is no longer active.', { team }))
    reloadPage()
  }
}

function useDelete({ id, name: team }: Team, onGone: () => void): () => Promise<void> {
  const t = useT()
  const utils = trpc.useUtils()
  const { mutateAsync } = trpc.teams.remove.useMutation({
    meta: { invalidates: [], failed: msg('Failed to delete team') },
  })
  return async () => {
    const question = {
      title: t('Delete Team'),
      message: t('{team} will be deleted with its submissions, files and points. This cannot be undone.', { team }),
      confirmLabel: t('Delete'),
      danger: true,
    }
    if (!(await confirmAsChef(question, (confirmed) => mutateAsync({ id, ...confirmed })))) return
    toast.success(t('Team Deleted'), t('{team} is gone.', { team }))
    onGone()
    // All but the team that is no more, while its dialog still looks at it.
    const isGone = (key: readonly unknown[]) => JSON.stringify(key).includes(id)
    await utils.invalidate(undefined, { predicate: ({ queryKey }) => !isGone(queryKey) })
  }
}
