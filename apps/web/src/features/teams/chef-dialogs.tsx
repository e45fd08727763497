import type { Team } from '@community/contract'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'
import { passwordIfAdmin, passwordInput } from '../../components/confirm-as-chef.ts'
import { ChefChoiceDialog } from './chef-choice-dialog.tsx'
import { EditTeamDialog } from './edit-team-dialog.tsx'
import type { ChefDialog } from './use-chef-actions.ts'
import { AFTER_TEAM_CHANGE } from './after-team-change.ts'
import { useRemoveMember } from '../../components/remove-member.ts'

interface ChefDialogsProps {
  team: Team
  shown: ChefDialog | null
  onClose: () => void
}

/** The chef's open dialog, on top of the team's. */
export function ChefDialogs({ team, shown, onClose }: ChefDialogsProps) {
  if (shown === 'edit') return <EditTeamDialog team={team} onClose={onClose} />
  if (shown === 'transfer') return <TransferDialog team={team} onClose={onClose} />
  if (shown === 'successor') return <SuccessorDialog team={team} onClose={onClose} />
  return null
}

interface DialogProps {
  team: Team
  onClose: () => void
}

function TransferDialog({ team, onClose }: DialogProps) {
  const t = useT()
  const question = { title: t('Transfer Ownership'), confirmLabel: t('Transfer') }
  const transfer = useAction(trpcClient.teams.transferOwnership, {
    input: (newOwnerId: string, answers) => ({ id: team.id, newOwnerId, ...passwordInput(answers) }),
    ...passwordIfAdmin(question),
    success: (output) => {
      const chef = output.team.members.find((member) => member.isChef)
      const names = { name: chef?.name ?? '', team: team.name }
      return { title: t('Ownership Transferred'), message: t('{name} is the new chef of {team}.', names) }
    },
    failure: t('Failed to transfer ownership'),
    ...AFTER_TEAM_CHANGE,
  })
  return (
    <ChefChoiceDialog
      team={team}
      {...question}
      message={t('The member you choose becomes the chef of {team}. You stay a member.', { team: team.name })}
      isPending={transfer.isPending}
      failure={transfer.failure}
      onChoose={async (successor) => {
        if ('newOwnerId' in successor && (await transfer.run(successor.newOwnerId))) onClose()
      }}
      onClose={onClose}
    />
  )
}

function SuccessorDialog({ team, onClose }: DialogProps) {
  const t = useT()
  const question = { title: t('Choose the new chef'), confirmLabel: t('Remove Member'), danger: true }
  const remove = useRemoveMember('chef')
  const me = team.members.find((member) => member.isChef)
  if (!me) return null
  return (
    <ChefChoiceDialog
      team={team}
      {...question}
      message={t('You are the chef of {team}. Choose the new chef before you leave.', { team: team.name })}
      withOldest
      isPending={remove.isPending}
      failure={remove.failure}
      onChoose={async (successor) => {
        if (await remove.run({ team, member: me, successor })) onClose()
      }}
      onClose={onClose}
    />
  )
}
