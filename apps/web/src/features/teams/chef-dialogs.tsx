import type { Team } from '@community/contract'
import { msg, useT } from '../../lib/i18n.ts'
import { toast } from '../../lib/toasts.ts'
import { trpc } from '../../lib/trpc.ts'
import { actAsChef } from './as-chef.ts'
import { ChefChoiceDialog } from './chef-choice-dialog.tsx'
import { EditTeamDialog } from './edit-team-dialog.tsx'
import type { ChefDialog } from './use-chef-actions.ts'
import { type Successor, useSayRemoved, useTakeOut } from './use-remove-member.ts'

interface ChefDialogsProps {
  team: Team
  shown: ChefDialog | null
  onClose: () => void
}

/** Above the team: the chef's dialog that is open. */
export function ChefDialogs({ team, shown, onClose }: ChefDialogsProps) {
  if (shown === 'edit') return <EditTeamDialog team={team} onClose={onClose} />
  if (shown === 'transfer') return <TransferDialog team={team} onClose={onClose} />
  if (shown === 'successor') return <SuccessorDialog team={team} onClose={onClose} />
  return null
}

interface OneDialogProps {
  team: Team
  onClose: () => void
}

function TransferDialog({ team, onClose }: OneDialogProps) {
  const t = useT()
  const utils = trpc.useUtils()
  const { mutateAsync } = trpc.teams.transferOwnership.useMutation({
    meta: { failed: msg('Failed to transfer ownership') },
  })
  const question = { title: t('Transfer Ownership'), confirmLabel: t('Transfer') }
  const run = async (successor: Successor) => {
    if (!('newOwnerId' in successor)) return
    const isDone = await actAsChef(question, async (confirmed) => {
      const answer = await mutateAsync({ id: team.id, newOwnerId: successor.newOwnerId, ...confirmed })
      utils.teams.get.setData({ id: team.id }, answer)
      const chef = answer.team.members.find((member) => member.isChef)
      const names = { name: chef?.name ?? '', team: team.name }
      toast.success(t('Ownership Transferred'), t('{name} is the new chef of {team}.', names))
    })
    if (isDone) onClose()
  }
  return (
    <ChefChoiceDialog
      team={team}
      {...question}
      message={t('The member you choose becomes the chef of {team}. You stay a member.', { team: team.name })}
      run={run}
      onClose={onClose}
    />
  )
}

function SuccessorDialog({ team, onClose }: OneDialogProps) {
  const t = useT()
  const takeOut = useTakeOut(team)
  const sayRemoved = useSayRemoved(team)
  const me = team.members.find((member) => member.isChef)
  if (!me) return null
  const question = { title: t('Select New Owner'), confirmLabel: t('Remove Member'), danger: true }
  const run = async (successor: Successor) => {
    if (!(await actAsChef(question, (confirmed) => takeOut(me, confirmed, successor)))) return
    onClose()
    sayRemoved(me)
  }
  return (
    <ChefChoiceDialog
      team={team}
      {...question}
      message={t('You are the chef of {team}. Choose who follows before you go.', { team: team.name })}
      withOldest
      run={run}
      onClose={onClose}
    />
  )
}
