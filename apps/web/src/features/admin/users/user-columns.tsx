import type { User } from '@community/contract'
import { EllipsisVertical } from 'lucide-react'
import { Avatar } from '../../../components/avatar.tsx'
import { useT } from '../../../lib/i18n.ts'
import { useUser } from '../../../lib/session.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Menu, type MenuItem } from '../../../ui/menu.tsx'
import { Day } from '../facts.tsx'
import { RoleBadge, UserStatusBadges } from './user-badges.tsx'
import { useUserMenuItems } from './user-actions.ts'

interface ColumnCallbacks {
  onDetails: (user: User) => void
  onPickTeams: (user: User) => void
}

/** The columns of the table of users. */
export function useUserColumns({ onDetails, onPickTeams }: ColumnCallbacks): Column<User>[] {
  const t = useT()
  const itemsFor = useUserMenuItems()
  return [
    { key: 'name', header: t('Name'), sortable: true, onCard: 'title', cell: (user) => <PersonCell user={user} /> },
    { key: 'role', header: t('Role'), cell: ({ role }) => <RoleBadge role={role} /> },
    { key: 'warnings', header: t('Status'), sortable: true, cell: (user) => <UserStatusBadges user={user} /> },
    {
      key: 'createdAt',
      header: t('Joined'),
      sortable: true,
      cell: ({ createdAt }) => <Day date={createdAt} />,
    },
    {
      key: 'actions',
      header: t('Actions'),
      align: 'end',
      onCard: 'actions',
      cell: (user) => (
        <ActionsCell
          user={user}
          items={itemsFor(user, { onPickTeams: () => onPickTeams(user) })}
          onDetails={onDetails}
        />
      ),
    },
  ]
}

function PersonCell({ user }: { user: User }) {
  const t = useT()
  const me = useUser()
  return (
    <span className="flex items-center gap-3">
      <Avatar person={user} />
      <span id={`person-${user.id}`} className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 font-semibold">
          <bdi>{user.name}</bdi>
          {user.id === me?.id && <Badge tone="info">{t('You')}</Badge>}
        </span>
        <span className="block text-sm wrap-anywhere text-muted">
          <bdi>{user.email}</bdi>
        </span>
      </span>
    </span>
  )
}

interface ActionsCellProps {
  user: User
  items: MenuItem[]
  onDetails: (user: User) => void
}

function ActionsCell({ user, items, onDetails }: ActionsCellProps) {
  const t = useT()
  return (
    <span className="inline-flex items-center gap-1">
      <Button size="sm" aria-describedby={`person-${user.id}`} onClick={() => onDetails(user)}>
        {t('View Details')}
      </Button>
      {items.length > 0 && (
        <Menu
          items={items}
          trigger={
            <IconButton label={t('Actions for {name}', { name: user.name })}>
              <EllipsisVertical aria-hidden="true" />
            </IconButton>
          }
        />
      )}
    </span>
  )
}
