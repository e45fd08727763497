import { oldestMember, type Team, type TeamMember, TeamName } from '@community/contract'
import { TEAM_NAME_LENGTH } from '@community/contract/limits'
import { serverText, type Translate, useT } from '../../../lib/i18n.ts'
import { toast } from '../../../lib/toasts.ts'
import { trpc } from '../../../lib/trpc.ts'
import { prompt } from '../../../lib/questions.ts'
import { actAfterQuestion, actWithPassword } from '../admin-action.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']

/** Asks for a name until it is one, is the old one, or is left; null in both last cases. */
async function askName(t: Translate, team: Team, typed = team.name): Promise<string | null> {
  const name = await prompt({
    title: t('Rename Team'),
    label: t('Team Name'),
    confirmLabel: t('Continue'),
    initial: typed,
    required: true,
    maxLength: TEAM_NAME_LENGTH.max,
  })
  if (name === null || name === team.name) return null
  const { data, error } = TeamName.safeParse(name)
  if (error === undefined) return data
  toast.error(t('Validation Error'), serverText(error.issues[0]?.message ?? '').text)
  return askName(t, team, name)
}

async function rename(t: Translate, client: Client, team: Team): Promise<void> {
  const name = await askName(t, team)
  if (name === null) return
  const words = {
    title: t('Confirm with your password'),
    message: t('{team} will be called {name}.', { team: team.name, name }),
    confirmLabel: t('Rename Team'),
    done: t('Team renamed to {name}', { name }),
    failed: t('Failed to rename team'),
  }
  await actWithPassword(words, (password) => client.admin.renameTeam.mutate({ id: team.id, name, password }))
}

const remove = (t: Translate, client: Client, team: Team) =>
  actWithPassword(
    {
      title: t('Delete Team'),
      message: t('{team} will be deleted with its submissions, files and points.', { team: team.name }),
      confirmLabel: t('Delete Team'),
      danger: true,
      done: t('Team deleted successfully'),
      failed: t('Failed to delete team'),
    },
    (password) => client.admin.deleteTeam.mutate({ id: team.id, password }),
  )

function removeMember(t: Translate, client: Client, team: Team, member: TeamMember) {
  const names = { name: member.name, team: team.name }
  const heir = member.isChef ? oldestMember(team.members.filter((one) => one !== member)) : null
  return actWithPassword(
    {
      title: t('Remove Member'),
      message: heir
        ? t('{name} will no longer be a member of {team}. {heir} will be the new chef.', { ...names, heir: heir.name })
        : t('{name} will no longer be a member of {team}.', names),
      confirmLabel: t('Remove'),
      danger: true,
      done: t('{name} removed from {team}', names),
      failed: t('Failed to remove user from team'),
    },
    (password) => client.admin.removeTeamMember.mutate({ id: team.id, userId: member.userId, password }),
  )
}

const activate = (t: Translate, client: Client, team: Team) =>
  actAfterQuestion(
    {
      title: t('Activate Team'),
      message: t('{team} will be shown again, and people can join it.', { team: team.name }),
      confirmLabel: t('Activate'),
      done: t('Team activated successfully'),
      failed: t('Failed to activate team'),
    },
    () => client.admin.activateTeam.mutate({ id: team.id }),
  )

const deactivate = (t: Translate, client: Client, team: Team) =>
  actAfterQuestion(
    {
      title: t('Deactivate Team'),
      message: t('{team} will be hidden, and nobody can join it.', { team: team.name }),
      confirmLabel: t('Deactivate'),
      done: t('Team deactivated successfully'),
      failed: t('Failed to deactivate team'),
    },
    () => client.admin.deactivateTeam.mutate({ id: team.id }),
  )

function cleanUp(t: Translate, client: Client) {
  let counts = { deactivated: 0, deleted: 0 }
  return actAfterQuestion(
    {
      title: t('Clean up teams'),
      message: t('Teams without members are deactivated; those of them that never submitted anything are deleted.'),
      confirmLabel: t('Clean up'),
      done: () => t('Teams cleaned up: {deactivated} deactivated, {deleted} deleted', counts),
      failed: t('Failed to clean up teams'),
    },
    async () => {
      counts = await client.admin.cleanupTeams.mutate()
    },
  )
}

/** What administrators do about teams; each asks what it needs, and tells what came of it. */
export function useTeamActions() {
  const t = useT()
  const { client } = trpc.useUtils()
  return {
    rename: (team: Team) => rename(t, client, team),
    remove: (team: Team) => remove(t, client, team),
    removeMember: (team: Team, member: TeamMember) => removeMember(t, client, team, member),
    activate: (team: Team) => activate(t, client, team),
    deactivate: (team: Team) => deactivate(t, client, team),
    cleanUp: () => cleanUp(t, client),
  }
}
