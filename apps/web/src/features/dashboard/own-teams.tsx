import type { Team } from '@community/contract'
import { AvatarStack } from '../../brand/avatar.tsx'
import { TeamBand } from '../../brand/team-tile.tsx'
import { emit } from '../../lib/events.ts'
import { failureOf } from '../../lib/failure.ts'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '../../ui/states.tsx'

/** The teams somebody belongs to. */
export function OwnTeams({ userId }: { userId: string }) {
  const t = useT()
  const mine = trpc.users.teams.useQuery({ id: userId })
  return (
    <section aria-labelledby="own-teams" className="grid gap-4">
      <h2 id="own-teams" className="text-xl">
        {t('My Teams')}
      </h2>
      {mine.isPending && (
        <Loading className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <Skeleton className="h-40" />
          <Skeleton className="h-40" />
        </Loading>
      )}
      {mine.isError && !mine.data && (
        <ErrorState
          title={t('Failed to load dashboard data')}
          message={failureOf(mine.error).message}
          onRetry={() => void mine.refetch()}
          busy={mine.isFetching}
        />
      )}
      {mine.data?.teams.length === 0 && (
        <EmptyState
          title={t('No Teams Yet')}
          action={<Button onClick={() => emit('navigateToSection', { section: 'teams' })}>{t('Browse teams')}</Button>}
        >
          {t('Join a team or found your own.')}
        </EmptyState>
      )}
      {mine.data && mine.data.teams.length > 0 && (
        <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {mine.data.teams.map((team) => (
            <TeamCard key={team.id} team={team} userId={userId} />
          ))}
        </ul>
      )}
    </section>
  )
}

function TeamCard({ team, userId }: { team: Team; userId: string }) {
  const t = useT()
  const role = team.members.find((member) => member.userId === userId)?.role
  return (
    <li className="relative overflow-hidden rounded-card border border-line bg-surface transition-colors hover:border-control">
      <TeamBand
        name={team.name}
        heading={
          <h3 className="text-lg font-bold">
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => emit('openTeam', { teamId: team.id })}
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
          {role && (
            <Badge>
              <bdi>{role.name}</bdi>
            </Badge>
          )}
          {!team.isActive && <Badge tone="gold">{t('Inactive')}</Badge>}
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
