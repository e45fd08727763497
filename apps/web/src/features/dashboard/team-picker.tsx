import type { Team } from '@community/contract'
import { clsx } from 'clsx'
import { useState } from 'react'
import { AvatarStack } from '../../components/avatar.tsx'
import { roleName } from '../../components/role-name.ts'
import { TeamBand } from '../../components/team-tile.tsx'
import type { InfiniteRows } from '../../lib/infinite-list.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { Field } from '../../ui/field.tsx'
import { InfiniteList } from '../../ui/infinite-list.tsx'
import { Select } from '../../ui/select.tsx'

/** Number of cards shown at first; the other teams are shown on request or selected by name. */
const INITIAL_CARDS = 6
const CARDS_PER_PAGE = 12

interface TeamPickerProps {
  teams: readonly Team[]
  /** The total number; the server returns at most a hundred. */
  total: number
  selected: Team
  userId: string
  onSelect: (teamId: string) => void
  /** Called when a card is pressed. */
  onOpen: (teamId: string) => void
}

/** Lets the user select which of their teams is shown. */
export function TeamPicker({ teams, total, selected, userId, onSelect, onOpen }: TeamPickerProps) {
  const t = useT()
  const list = usePagedTeams(teams, total, teams.indexOf(selected))
  return (
    <div className="grid grid-cols-1 gap-4">
      {teams.length > INITIAL_CARDS && (
        <Field label={t('Choose a team')} required className="max-w-md">
          <Select value={selected.id} onChange={(event) => onSelect(event.target.value)}>
            {teams.map((team) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <InfiniteList
        list={list}
        label={t('My teams')}
        className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3"
        skeleton={null}
        failed=""
        empty={null}
        progress={t('{total, plural, one {{shown} of # team shown} other {{shown} of # teams shown}}', {
          shown: formatNumber(list.rows.length),
          total,
        })}
      >
        {(team) => (
          <TeamCard
            key={team.id}
            team={team}
            userId={userId}
            isSelected={team === selected}
            onOpen={() => onOpen(team.id)}
          />
        )}
      </InfiniteList>
    </div>
  )
}

/** Reveals the loaded teams step by step, at least up to the selected one. */
function usePagedTeams(teams: readonly Team[], total: number, selectedIndex: number): InfiniteRows<Team> {
  const [pages, setPages] = useState(1)
  const loadedCount = INITIAL_CARDS + (pages - 1) * CARDS_PER_PAGE
  const rows = teams.slice(0, Math.max(loadedCount, selectedIndex + 1))
  return {
    rows,
    total,
    pages,
    isLoading: false,
    error: null,
    isFetching: false,
    refetch: async () => {},
    isStale: false,
    isTotalCapped: false,
    hasMore: rows.length < teams.length,
    isLoadingMore: false,
    moreError: null,
    loadMore: () => setPages(pages + 1),
  }
}

interface TeamCardProps {
  team: Team
  userId: string
  isSelected: boolean
  onOpen: () => void
}

function TeamCard({ team, userId, isSelected, onOpen }: TeamCardProps) {
  const t = useT()
  const me = team.members.find((member) => member.userId === userId)
  return (
    <li
      className={clsx(
        'relative overflow-hidden rounded-card border bg-surface transition-colors',
        isSelected ? 'border-primary ring-1 ring-primary' : 'border-line hover:border-control',
      )}
    >
      <TeamBand
        name={team.name}
        heading={
          <h3 className="text-lg font-bold">
            <button
              type="button"
              aria-pressed={isSelected}
              onClick={onOpen}
              className="text-start after:absolute after:inset-0 after:rounded-card"
            >
              <bdi>{team.name}</bdi>
            </button>
          </h3>
        }
        note={t('{count}/{max} members', { count: formatNumber(team.memberCount), max: formatNumber(team.maxMembers) })}
      />
      <div className="grid gap-3 p-4">
        <p className="flex min-h-6 flex-wrap gap-2">
          {team.ownerId === userId ? <Badge tone="info">{t('Chef')}</Badge> : <Badge>{t('Member')}</Badge>}
          {me?.role && (
            <Badge>
              <bdi>{roleName(me.role)}</bdi>
            </Badge>
          )}
          {!team.isActive && <Badge tone="gold">{t('{team, select, other {Inactive}}')}</Badge>}
        </p>
        <div className="flex items-end justify-between gap-3">
          <dl className="flex gap-6">
            <div>
              <dt className="text-sm text-muted">{t('Points')}</dt>
              <dd className="text-lg font-semibold">{formatNumber(team.points)}</dd>
            </div>
            <div>
              <dt className="text-sm text-muted">{t('Challenges')}</dt>
              <dd className="text-lg font-semibold">{formatNumber(team.challengesCompleted)}</dd>
            </div>
          </dl>
          <AvatarStack people={team.members} total={team.memberCount} />
        </div>
      </div>
    </li>
  )
}
