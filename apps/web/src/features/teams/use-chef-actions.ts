import { type Team, TeamName, messageOfIssue } from '@community/contract'
import { TEAM_NAME_LENGTH } from '@community/contract/limits'
import { type Action, useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { confirmAsChef, passwordIfAdmin, passwordInput } from '../../components/confirm-as-chef.ts'
import type { Removal } from '../../components/remove-member.ts'
import { AFTER_TEAM_DELETION } from './after-team-change.ts'
import { useRemoveAsChef } from './use-remove-as-chef.ts'

/** The chef's dialogs with a form. 'successor' asks a leaving chef for the next chef. */
export type ChefDialog = 'edit' | 'transfer' | 'successor'

export interface ChefActions {
  rename: Action<Team, unknown>
  deactivate: Action<Team, unknown>
  remove: Action<Team, unknown>
  removeMember: (removal: Removal) => Promise<unknown>
  open: (dialog: ChefDialog) => void
}

/** The actions of a team's chef. */
export function useChefActions(open: (dialog: ChefDialog) => void, onDeleted: () => void): ChefActions {
  return {
    rename: useRename(),
    deactivate: useDeactivate(),
    remove: useDelete(onDeleted),
    removeMember: useRemoveAsChef(() => open('successor')),
    open,
  }
}

function useRename() {
  const t = useT()
  const question = { title: t('Rename Team'), confirmLabel: t('Rename') }
  return useAction(trpcClient.teams.update, {
    input: ({ id }: Team, answers) => ({ id, name: answers.text, ...passwordInput(answers) }),
    prompt: ({ name }) => ({
      ...question,
      label: t('Team name'),
      initial: name,
      maxLength: TEAM_NAME_LENGTH.max,
      check: (typed: string) => TeamName.safeParse(typed).error?.issues.map(messageOfIssue)[0],
      showsError: true,
    }),
    ...passwordIfAdmin(question),
    success: (_output, { name }, { text }) => ({
      title: t('Team Renamed'),
      message: t('{before} is now called {after}.', { before: name, after: text }),
    }),
    failure: t('Failed to rename team'),
    reloads: true,
  })
}

function useDeactivate() {
  const t = useT()
  return useAction(trpcClient.teams.update, {
    input: ({ id }: Team, answers) => ({ id, isActive: false, ...passwordInput(answers) }),
    ...confirmAsChef(({ name: team }: Team) => ({
      title: t('Deactivate Team'),
      message: t(
        '{team} will be hidden from the list and accept no new members. Only an administrator can undo this.',
        { team },
      ),
      confirmLabel: t('Deactivate'),
      danger: true,
    })),
    success: (_output, { name: team }) => ({
      title: t('Team Deactivated'),
      message: t('{team} is no longer active.', { team }),
    }),
    failure: t('Failed to deactivate team'),
    reloads: true,
  })
}

function useDelete(onDeleted: () => void) {
  const t = useT()
  return useAction(trpcClient.teams.remove, {
    input: ({ id }: Team, answers) => ({ id, ...passwordInput(answers) }),
    ...confirmAsChef(({ name: team }: Team) => ({
      title: t('Delete Team'),
      message: t('{team} will be deleted with its submissions, files and points. This cannot be undone.', { team }),
      confirmLabel: t('Delete'),
      danger: true,
    })),
    success: (_output, { name: team }) => ({
      title: t('Team Deleted'),
      message: t('{team} has been deleted.', { team }),
    }),
    failure: t('Failed to delete team'),
    onSuccess: onDeleted,
    ...AFTER_TEAM_DELETION,
  })
}
