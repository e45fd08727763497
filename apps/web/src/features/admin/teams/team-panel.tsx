import type { Team, TeamMember } from '@community/contract'
import { clsx } from 'clsx'
import { ChevronDown, EllipsisVertical, Eye, Pencil, Power, PowerOff, Trash2, UserCog } from 'lucide-react'
import { useId, useState } from 'react'
import { AccountNotes } from '../../../components/account-notes.tsx'
import { Avatar } from '../../../components/avatar.tsx'
import { TeamTile } from '../../../components/team-tile.tsx'
import { openDialog } from '../../../lib/dialogs.ts'
import { formatDate } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { useUser } from '../../../lib/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import type { TeamActions } from './team-actions.ts'

interface TeamPanelProps {
  team: Team
  actions: TeamActions
}

/** A team as administrators see it: its details, its members, and the actions on both. */
export function TeamPanel({ team, actions }: TeamPanelProps) {
  const t = useT()
  return (
    <article aria-labelledby={`team-${team.id}`} className="h-full rounded-card border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <TeamTile name={team.name} size="sm" />
        <div className="min-w-0 grow">
          <h2 id={`team-${team.id}`} className="text-lg wrap-anywhere">
            <bdi>{team.name}</bdi>
          </h2>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
            {team.isActive ? (
              <Badge tone="ok">{t('{team, select, other {Active}}')}</Badge>
            ) : (
              <Badge>{t('{team, select, other {Inactive}}')}</Badge>
            )}
            <span>{t('{count, plural, one {# member} other {# members}}', { count: team.memberCount })}</span>
            <span>{t('{count, plural, one {# point} other {# points}}', { count: team.points })}</span>
            <time dateTime={team.createdAt}>{t('Created {date}', { date: formatDate(team.createdAt) })}</time>
          </p>
        </div>
        <TeamMenu team={team} actions={actions} />
      </div>
      <p dir="auto" className="mt-3 line-clamp-3 wrap-anywhere text-ink-2">
        {team.description.trim() === '' ? t('No description available') : team.description}
      </p>
      {team.members.length > 0 && <Members team={team} actions={actions} />}
    </article>
  )
}

function Members({ team, actions }: TeamPanelProps) {
  const t = useT()
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="mt-3 border-t border-line pt-1">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-11 w-full items-center justify-between gap-4 font-semibold hover:text-primary"
      >
        {t('Members')}
        <ChevronDown
          aria-hidden="true"
          className={clsx('size-5 shrink-0 text-muted transition-transform', isOpen && 'rotate-180')}
        />
      </button>
      <ul id={listId} hidden={!isOpen} className="grid gap-2">
        {team.members.map((member) => (
          <Member key={member.id} team={team} member={member} actions={actions} />
        ))}
      </ul>
    </div>
  )
}

function TeamMenu({ team, actions }: TeamPanelProps) {
  const t = useT()
  const items: MenuItem[] = [
    { label: t('Open Team'), icon: Eye, onSelect: () => openDialog({ name: 'team', teamId: team.id }) },
    {
      label: t('Manage members'),
      icon: UserCog,
      onSelect: () => openDialog({ name: 'team', teamId: team.id, manage: true }),
    },
    { label: t('Rename Team'), icon: Pencil, separated: true, onSelect: () => void actions.rename.run(team) },
    team.isActive
      ? { label: t('Deactivate Team'), icon: PowerOff, onSelect: () => void actions.deactivate.run(team) }
      : { label: t('Activate Team'), icon: Power, onSelect: () => void actions.activate.run(team) },
    {
      label: t('Delete Team'),
      icon: Trash2,
      danger: true,
      separated: true,
      onSelect: () => void actions.remove.run(team),
    },
  ]
  return (
    <Menu
      items={items}
      trigger={
        <IconButton label={t('Actions for {name}', { name: team.name })} className="-me-2 -mt-1">
          <EllipsisVertical aria-hidden="true" />
        </IconButton>
      }
    />
  )
}

function Member({ team, member, actions }: TeamPanelProps & { member: TeamMember }) {
  const t = useT()
  const me = useUser()
  return (
    <li className="flex items-center gap-3">
      <Avatar person={member} size="sm" />
      <span id={`member-${member.id}`} className="min-w-0 grow">
        <span className="flex flex-wrap items-center gap-x-2">
          <bdi className="wrap-anywhere">{member.name}</bdi>
          {member.isChef && <Badge tone="gold">{t('Chef')}</Badge>}
        </span>
        <bdi className="block text-sm wrap-anywhere text-muted">{member.email}</bdi>
        <AccountNotes member={member} />
      </span>
      {member.userId !== me?.id && (
        <Button
          size="sm"
          aria-describedby={`member-${member.id}`}
          onClick={() => void actions.removeMember.run({ team, member })}
        >
          {t('Remove')}
        </Button>
      )}
    </li>
  )
}
