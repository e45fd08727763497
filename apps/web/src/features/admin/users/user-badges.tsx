import type { User } from '@community/contract'
import { ShieldCheck } from 'lucide-react'
import { useT } from '../../../lib/i18n.ts'
import { Badge } from '../../../ui/badge.tsx'

export function RoleBadge({ role }: { role: User['role'] }) {
  const t = useT()
  return role === 'admin' ? (
    <Badge tone="info" icon={ShieldCheck}>
      {t('Admin')}
    </Badge>
  ) : (
    <Badge>{t('Member')}</Badge>
  )
}

/** Active or banned, and the number of warnings if there are any. */
export function UserStatusBadges({ user }: { user: Pick<User, 'isBanned' | 'warnings'> }) {
  const t = useT()
  return (
    <span className="inline-flex flex-wrap gap-2 max-md:justify-end">
      {user.isBanned ? <Badge tone="bad">{t('Banned')}</Badge> : <Badge tone="ok">{t('Active')}</Badge>}
      {user.warnings > 0 && (
        <Badge tone="gold">{t('{count, plural, one {# warning} other {# warnings}}', { count: user.warnings })}</Badge>
      )}
    </span>
  )
}
