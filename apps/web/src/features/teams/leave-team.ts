import { oldestMember, type Team, type TeamMember } from '@community/contract'
import { msg, useT } from '../../lib/i18n.ts'
import { reloadPage } from '../../lib/reload-page.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { confirm } from '../../lib/questions.ts'

/** Asks, leaves, says so, and reloads the page. The chef is told who follows. `failed`: what a toast says of a failure without words. */
export function useLeaveTeam(failed = msg('Failed to leave team')): (team: Team, me: TeamMember) => Promise<void> {
  const t = useT()
  const { mutateAsync } = trpc.teams.leave.useMutation({
    meta: { invalidates: [], failed },
  })
  return async (team, me) => {
    const others = team.members.filter((member) => member.userId !== me.userId)
    const heir = oldestMember(others)
    const left = await confirm({
      title: me.isChef ? t('Leave as Chef') : t('Leave Team'),
      message: question(),
      confirmLabel: me.isChef ? t('Leave as Chef') : t('Leave Team'),
      danger: true,
      run: () => mutateAsync({ id: team.id }),
    })
    if (!left) return
    toast.success(t('Left Team'), farewell())
    reloadPage()

    function question(): string {
      if (!heir)
        return t('You are the last member of {team}: without members it is no longer active.', { team: team.name })
      if (!me.isChef) return t('You will no longer be a member of {team}.', { team: team.name })
      return t('You are the chef of {team}. The oldest remaining member, {heir}, will be the new chef.', {
        team: team.name,
        heir: heir.name,
      })
    }
    function farewell(): string {
      return me.isChef && heir
        ? t('You have left the team. The oldest remaining member is now the new team chef.')
        : t('You have successfully left the team.')
    }
  }
}
