import { UserRoundCog } from 'lucide-react'
import { Avatar } from '../../brand/avatar.tsx'
import { emit } from '../../lib/events.ts'
import { formatDate, useT } from '../../lib/i18n.ts'
import { type CurrentUser, isAdmin } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'

/** Who is signed in. */
export function ProfileLine({ user }: { user: CurrentUser }) {
  const t = useT()
  return (
    <div className="flex flex-wrap items-center gap-4 rounded-card border border-line bg-surface p-4">
      <Avatar person={user} size="lg" />
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-2 text-lg font-semibold">
          <bdi>{user.name}</bdi>
          {isAdmin(user) && <Badge tone="info">{t('Admin')}</Badge>}
        </p>
        <p dir="ltr" className="truncate text-ink-2 rtl:text-end">
          {user.email}
        </p>
        <p className="text-sm text-muted">{t('Member since {date}', { date: formatDate(user.createdAt) })}</p>
      </div>
      <Button onClick={() => emit('openAccount')}>
        <UserRoundCog aria-hidden="true" />
        {t('Account settings')}
      </Button>
    </div>
  )
}
