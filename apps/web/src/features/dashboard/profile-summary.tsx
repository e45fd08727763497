import type { Profile } from '@community/contract'
import { TriangleAlert, UserRoundCog } from 'lucide-react'
import { Avatar } from '../../components/avatar.tsx'
import { experienceLabels } from '../../components/experience-labels.ts'
import { openDialog } from '../../lib/dialogs.ts'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { isAdmin } from '../../lib/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Email } from '../../ui/email.tsx'

/** The signed-in user. */
export function ProfileSummary({ user }: { user: Profile }) {
  const t = useT()
  return (
    <div className="flex flex-wrap items-center gap-4 rounded-card border border-line bg-surface p-4">
      <Avatar person={user} size="lg" />
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-2 text-lg font-semibold">
          <bdi>{user.name}</bdi>
          {isAdmin(user) && <Badge tone="info">{t('Admin')}</Badge>}
          {user.warnings > 0 && (
            <Badge tone="gold" icon={TriangleAlert}>
              {t('{count, plural, one {# warning} other {# warnings}}', { count: user.warnings })}
            </Badge>
          )}
        </p>
        <p className="text-ink-2">
          <Email address={user.email} />
        </p>
        <p className="text-sm text-muted">
          {user.experience && (
            <span className="me-3 inline-block whitespace-nowrap">{experienceLabels(t)[user.experience]}</span>
          )}
          {t('Member since {date}', { date: formatDate(user.createdAt) })}
        </p>
        {user.bio && (
          <p dir="auto" className="mt-1 line-clamp-3 w-fit max-w-2xl whitespace-pre-line text-ink-2">
            {user.bio}
          </p>
        )}
      </div>
      <Button onClick={() => openDialog({ name: 'account' })}>
        <UserRoundCog aria-hidden="true" />
        {t('Account settings')}
      </Button>
    </div>
  )
}
