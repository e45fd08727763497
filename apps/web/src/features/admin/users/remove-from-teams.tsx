import type { Team, User } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { TeamTile } from '../../../components/team-tile.tsx'
import { useRemoveFromTeams } from './use-remove-from-teams.ts'
import { msg, useT } from '../../../lib/i18n.ts'
import { useFailureToast } from '../../../lib/failure-toast.ts'
import { trpc } from '../../../lib/trpc.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryError } from '../../../ui/query-error.tsx'
import { Skeletons } from '../../../ui/states.tsx'

interface RemoveFromTeamsDialogProps {
  user: Pick<User, 'id' | 'name'>
  onClose: () => void
}

/** Lets an administrator choose the teams to remove a user from. */
export function RemoveFromTeamsDialog({ user, onClose }: RemoveFromTeamsDialogProps) {
  const t = useT()
  const formId = useId()
  const [selectedIds, setSelectedIds] = useState<readonly string[]>([])
  const query = useQuery(trpc.users.teams.queryOptions({ id: user.id }))
  useFailureToast(query.error, { fallback: msg('Failed to fetch user teams') })
  const teams = query.data?.teams ?? []
  const selectedTeams = teams.filter((team) => selectedIds.includes(team.id))
  const remove = useRemoveFromTeams()
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (selectedTeams.length > 0 && (await remove.run({ user, teams: selectedTeams }))) onClose()
  }
  return (
    <Dialog
      open
      title={t('Remove from Teams')}
      description={<bdi>{user.name}</bdi>}
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          {teams.length > 0 && (
            <Button variant="danger" type="submit" form={formId} disabled={selectedTeams.length === 0}>
              {t('{count, plural, =0 {Remove from teams} one {Remove from # team} other {Remove from # teams}}', {
                count: selectedTeams.length,
              })}
            </Button>
          )}
        </>
      }
    >
      {query.isPending && <Skeletons className="h-32" />}
      <QueryError query={query} title={t('Failed to fetch user teams')} />
      {query.data && teams.length === 0 && <p className="text-ink-2">{t('This user is not in any team.')}</p>}
      <form id={formId} onSubmit={(event) => void onSubmit(event)}>
        {teams.length > 0 && (
          <TeamCheckboxes teams={teams} userId={user.id} selectedIds={selectedIds} onChange={setSelectedIds} />
        )}
      </form>
    </Dialog>
  )
}

interface TeamCheckboxesProps {
  teams: readonly Team[]
  userId: string
  selectedIds: readonly string[]
  onChange: (selectedIds: readonly string[]) => void
}

function TeamCheckboxes({ teams, userId, selectedIds, onChange }: TeamCheckboxesProps) {
  const t = useT()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-ink-2">{t('Which teams?')}</legend>
      {teams.map((team) => (
        <Checkbox
          key={team.id}
          checked={selectedIds.includes(team.id)}
          onChange={(event) =>
            onChange(event.target.checked ? [...selectedIds, team.id] : selectedIds.filter((id) => id !== team.id))
          }
          label={
            <span className="inline-flex flex-wrap items-center gap-2">
              <TeamTile name={team.name} size="sm" className="-my-2" />
              <bdi>{team.name}</bdi>
              {team.ownerId === userId && <Badge tone="gold">{t('Chef')}</Badge>}
            </span>
          }
        />
      ))}
    </fieldset>
  )
}
