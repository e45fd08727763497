import type { TeamMember } from '@community/contract'
import { UserMinus } from 'lucide-react'
import { useT } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'

/** Shown to the chef on a member's card. */
export function RemoveMemberButton({ member, onRemove }: { member: TeamMember; onRemove: () => void }) {
  const t = useT()
  return (
    <Button size="sm" onClick={onRemove}>
      <UserMinus aria-hidden="true" />
      <span>
        {t('Remove Member')}
        <span className="sr-only"> {member.name}</span>
      </span>
    </Button>
  )
}
