import type { User, Warning } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Avatar } from '../../../components/avatar.tsx'
import { useRemoveFromTeams } from './use-remove-from-teams.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useUser } from '../../../lib/session.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Email } from '../../../ui/email.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeletons } from '../../../ui/states.tsx'
import { Day, Fact } from '../facts.tsx'
import { LoadFailure, useLoadFailureToast } from '../load-failure.tsx'
import { useTakeWarningBack, useUserMenuItems } from './user-actions.ts'
import { RoleBadge, UserStatusBadges } from './user-badges.tsx'

/** The specification's length of the list of warnings. */
const WARNINGS_SHOWN = 50

interface UserDialogProps {
  user: User
  onClose: () => void
  onPickTeams: () => void
}

/** A user's status, warnings and teams, with the actions on them. */
export function UserDialog({ user: listedUser, onClose, onPickTeams }: UserDialogProps) {
  const t = useT()
  const me = useUser()
  const { data, error } = useQuery(trpc.users.get.queryOptions({ id: listedUser.id }))
  useLoadFailureToast(error)
  // Administrators get every field.
  const user = data?.user.visibility === 'full' ? data.user : listedUser
  const isOwn = user.id === me?.id
  const items = useUserMenuItems()(user, { onPickTeams, onDeleted: onClose })
  return (
    <Dialog
      open
      size="lg"
      title={<bdi>{user.name}</bdi>}
      description={<Email address={user.email} />}
      head={<Avatar person={user} />}
      onOpenChange={onClose}
      footer={<Button onClick={onClose}>{t('Close')}</Button>}
    >
      <div className="grid grid-cols-1 gap-6">
        {isOwn && <Notice>{t('You cannot perform admin actions on your own account')}</Notice>}
        <Facts user={user} />
        <Warnings user={user} canAct={!isOwn} />
        <Teams user={user} canAct={!isOwn} />
        {items.length > 0 && (
          <Section title={t('Actions')}>
            <div className="flex flex-wrap gap-2">
              {items.map(({ label, icon: Icon, danger, onSelect }, index) => (
                <Button key={index} size="sm" variant={danger ? 'danger-outline' : 'outline'} onClick={onSelect}>
                  {Icon && <Icon aria-hidden="true" />}
                  {label}
                </Button>
              ))}
            </div>
          </Section>
        )}
      </div>
    </Dialog>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-base">{title}</h3>
      {children}
    </section>
  )
}

function Facts({ user }: { user: User }) {
  const t = useT()
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      <Fact name={t('Role')}>
        <RoleBadge role={user.role} />
      </Fact>
      <Fact name={t('Status')}>
        <UserStatusBadges user={{ isBanned: user.isBanned, warnings: 0 }} />
      </Fact>
      <Fact name={t('Warnings')}>{formatNumber(user.warnings)}</Fact>
      <Fact name={t('Joined')}>
        <Day date={user.createdAt} />
      </Fact>
      {user.banReason && (
        <div className="col-span-full">
          <Fact name={t('Ban reason')}>
            <span dir="auto" className="block whitespace-pre-line wrap-anywhere">
              {user.banReason}
            </span>
          </Fact>
        </div>
      )}
    </dl>
  )
}

interface SectionProps {
  user: User
  canAct: boolean
}

function Warnings({ user, canAct }: SectionProps) {
  const t = useT()
  const takeBack = useTakeWarningBack()
  const list = useQuery(trpc.admin.warnings.queryOptions({ userId: user.id, limit: WARNINGS_SHOWN }))
  return (
    <Section title={t('Warnings')}>
      {list.isPending && <Skeletons className="h-12" />}
      <LoadFailure query={list} />
      {list.data?.warnings.length === 0 && <p className="text-ink-2">{t('No warnings.')}</p>}
      <ul className="grid gap-2 empty:hidden">
        {list.data?.warnings.map((warning) => (
          <li key={warning.id} className="flex items-start gap-3 rounded-control bg-gold-soft px-3 py-2">
            <WarningText warning={warning} />
            {canAct && (
              <Button
                size="sm"
                aria-describedby={`warning-${warning.id}`}
                onClick={() => void takeBack.run({ id: warning.id })}
              >
                {t('Remove warning')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function WarningText({ warning }: { warning: Warning }) {
  const t = useT()
  return (
    <div className="min-w-0 grow">
      <p id={`warning-${warning.id}`} dir="auto" className="whitespace-pre-line wrap-anywhere">
        {warning.reason}
      </p>
      <p className="text-sm text-ink-2">
        <Day date={warning.createdAt} />
        {' · '}
        {warning.createdBy ? <bdi>{warning.createdBy.name}</bdi> : t('Deleted account')}
      </p>
    </div>
  )
}

function Teams({ user, canAct }: SectionProps) {
  const t = useT()
  const remove = useRemoveFromTeams()
  const query = useQuery(trpc.users.teams.queryOptions({ id: user.id }))
  return (
    <Section title={t('Teams')}>
      {query.isPending && <Skeletons className="h-12" />}
      <LoadFailure query={query} />
      {query.data?.teams.length === 0 && <p className="text-ink-2">{t('This user is not in any team.')}</p>}
      <ul className="grid gap-1 empty:hidden">
        {query.data?.teams.map((team) => (
          <li key={team.id} className="flex flex-wrap items-center gap-2">
            <bdi id={`team-${team.id}`}>{team.name}</bdi>
            {team.ownerId === user.id && <Badge tone="gold">{t('Chef')}</Badge>}
            {!team.isActive && <Badge>{t('{team, select, other {Inactive}}')}</Badge>}
            {canAct && (
              <Button
                size="sm"
                className="ms-auto"
                aria-describedby={`team-${team.id}`}
                onClick={() => void remove.run({ user, teams: [team] })}
              >
                {t('Remove')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
