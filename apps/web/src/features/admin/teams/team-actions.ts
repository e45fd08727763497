import { type Team, TeamName, messageOfIssue } from '@community/contract'
import { TEAM_NAME_LENGTH } from '@community/contract/limits'
import { AFTER_ADMIN_ACTION } from '../../../components/after-admin-action.ts'
import { useModeration } from '../../../components/moderation.ts'
import { useAction } from '../../../lib/action.ts'
import { useT } from '../../../lib/i18n.ts'
import { trpcClient } from '../../../lib/trpc.ts'

export type TeamActions = ReturnType<typeof useTeamActions>

/** Actions of administrators on teams. */
export function useTeamActions() {
  const { removeMember } = useModeration('admin')
  return {
    rename: useRename(),
    remove: useDelete(),
    removeMember,
    activate: useActivate(),
    deactivate: useDeactivate(),
    cleanUp: useCleanup(),
  }
}

function useRename() {
  const t = useT()
  return useAction(trpcClient.admin.renameTeam, {
    input: ({ id }: Team, { text, password }) => ({ id, name: text, password }),
    prompt: ({ name }) => ({
      title: t('Rename Team'),
      label: t('Team name'),
      confirmLabel: t('Continue'),
      initial: name,
      required: true,
      maxLength: TEAM_NAME_LENGTH.max,
      check: (typed: string) => TeamName.safeParse(typed).error?.issues.map(messageOfIssue)[0],
    }),
    password: ({ name: team }, name) => ({
      title: t('Confirm with your password'),
      message: t('{team} will be renamed to {name}.', { team, name }),
      confirmLabel: t('Rename Team'),
    }),
    success: (_output, _team, { text }) => t('Team renamed to {name}', { name: text }),
    failure: t('Failed to rename team'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useDelete() {
  const t = useT()
  return useAction(trpcClient.admin.deleteTeam, {
    input: ({ id }: Team, { password }) => ({ id, password }),
    password: ({ name: team }) => ({
      title: t('Delete Team'),
      message: t('{team} will be deleted with its submissions, files and points.', { team }),
      confirmLabel: t('Delete Team'),
      danger: true,
    }),
    success: t('Team deleted successfully'),
    failure: t('Failed to delete team'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useActivate() {
  const t = useT()
  return useAction(trpcClient.admin.activateTeam, {
    input: ({ id }: Team) => ({ id }),
    confirm: ({ name: team }) => ({
      title: t('Activate Team'),
      message: t('{team} will be visible again, and people can join it.', { team }),
      confirmLabel: t('Activate'),
    }),
    success: t('Team activated successfully'),
    failure: t('Failed to activate team'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useDeactivate() {
  const t = useT()
  return useAction(trpcClient.admin.deactivateTeam, {
    input: ({ id }: Team) => ({ id }),
    confirm: ({ name: team }) => ({
      title: t('Deactivate Team'),
      message: t('{team} will be hidden, and no one will be able to join it.', { team }),
      confirmLabel: t('Deactivate'),
    }),
    success: t('Team deactivated successfully'),
    failure: t('Failed to deactivate team'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useCleanup() {
  const t = useT()
  return useAction(trpcClient.admin.cleanupTeams, {
    confirm: {
      title: t('Clean up teams'),
      message: t('Teams without members that never submitted any work will be deleted.'),
      confirmLabel: t('Clean up'),
    },
    success: ({ deleted }) => t('Teams cleaned up: {deleted} deleted', { deleted }),
    failure: t('Failed to clean up teams'),
    ...AFTER_ADMIN_ACTION,
  })
}
