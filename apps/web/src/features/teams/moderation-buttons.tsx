import type { Team, TeamMember } from '@community/contract'
import { Ban, type LucideIcon, TriangleAlert, UserMinus } from 'lucide-react'
import { useModeration } from '../../components/moderation.ts'
import { useT } from '../../lib/i18n.ts'
import { Button, type ButtonVariant } from '../../ui/button.tsx'
import type { MemberAccount } from './use-member-accounts.ts'

interface ModerationButtonsProps {
  team: Team
  member: TeamMember
  /** Undefined while loading and after a failure: then every action is offered, and the server decides. */
  account: MemberAccount | undefined
}

/** An administrator's actions on a member. Banned members cannot be warned or banned again. */
export function ModerationButtons({ team, member, account }: ModerationButtonsProps) {
  const t = useT()
  const { warn, ban, removeMember } = useModeration('team')
  const { name } = member
  const person = { id: member.userId, name }
  return (
    <>
      <ModerationButton
        label={t('Remove Member')}
        name={name}
        Icon={UserMinus}
        variant="outline"
        onPress={() => removeMember.run({ team, member })}
      />
      {account?.isBanned !== true && (
        <>
          <ModerationButton
            label={t('Give Warning')}
            name={name}
            Icon={TriangleAlert}
            variant="outline"
            onPress={() => warn.run(person)}
          />
          <ModerationButton
            label={t('Ban User')}
            name={name}
            Icon={Ban}
            variant="danger-outline"
            onPress={() => ban.run(person)}
          />
        </>
      )}
    </>
  )
}

interface ModerationButtonProps {
  label: string
  name: string
  Icon: LucideIcon
  variant: ButtonVariant
  onPress: () => Promise<unknown>
}

function ModerationButton({ label, name, Icon, variant, onPress }: ModerationButtonProps) {
  return (
    <Button size="sm" variant={variant} onClick={() => void onPress()}>
      <Icon aria-hidden="true" />
      <span>
        {label}
        <span className="sr-only"> {name}</span>
      </span>
    </Button>
  )
}
