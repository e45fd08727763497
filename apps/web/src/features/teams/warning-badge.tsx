import { warningLevel } from '@community/contract'
import { Ban, RectangleVertical } from 'lucide-react'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import type { MemberAccount } from './use-member-accounts.ts'

/** A member's warnings or ban, shown to administrators; nothing for other members. */
export function WarningBadge({ account }: { account: MemberAccount | undefined }) {
  const t = useT()
  if (!account) return null
  const level = warningLevel(account.warnings, account.isBanned)
  if (level === 'none') return null
  if (level === 'banned')
    return (
      <Badge tone="bad" icon={Ban}>
        {t('BANNED')}
      </Badge>
    )
  return (
    <Badge tone="gold" icon={RectangleVertical}>
      {level === 'yellow-1' ? t('Yellow Card 1') : t('Yellow Card 2')}
    </Badge>
  )
}
