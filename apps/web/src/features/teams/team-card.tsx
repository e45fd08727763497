import type { Team, TeamView } from '@community/contract'
import { Lock } from 'lucide-react'
import { useId } from 'react'
import { roleName } from '../../components/role-name.ts'
import { AvatarStack } from '../../components/avatar.tsx'
import { TeamBand } from '../../components/team-tile.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { isFullTeam, formatMemberCount } from './team-facts.ts'

export interface TeamCardProps {
  team: TeamView
  /** The signed-in user's id, to mark their own teams. */
  userId: string | undefined
  onOpen: () => void
}

/** A team in the list. The whole card is one button; visitors see less of it. */
export function TeamCard({ team, userId, onOpen }: TeamCardProps) {
  const t = useT()
  const nameId = useId()
  const fullTeam = isFullTeam(team) ? team : null
  const isMine = fullTeam?.members.some((member) => member.userId === userId) ?? false
  const note = fullTeam
    ? formatMemberCount(t, fullTeam)
    : t('{max, plural, one {Up to # member} other {Up to # members}}', { max: team.maxMembers })
  return (
    <article
      aria-labelledby={nameId}
      className="relative flex h-full min-h-60 flex-col overflow-hidden rounded-card border border-line bg-surface transition-colors hover:border-control"
    >
      <TeamBand
        name={team.name}
        heading={
          <h3 id={nameId} className="truncate text-lg">
            <bdi>{team.name}</bdi>
          </h3>
        }
        note={isMine ? `${note} · ${t('Your team')}` : note}
      />
      {fullTeam ? <TeamFacts team={fullTeam} /> : <SignInHint team={team} />}
      <button
        type="button"
        aria-labelledby={nameId}
        aria-haspopup="dialog"
        onClick={onOpen}
        className="absolute inset-0 rounded-card -outline-offset-3!"
      />
    </article>
  )
}

function TeamFacts({ team }: { team: Team }) {
  const t = useT()
  return (
    <div className="flex grow flex-col justify-between gap-3 p-4">
      <p dir="auto" className="line-clamp-3 text-ink-2">
        {team.description}
      </p>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <dl className="flex gap-6">
          <Figure label={t('Points')} value={team.points} />
          <Figure label={t('Challenges')} value={team.challengesCompleted} />
        </dl>
        <AvatarStack people={team.members} total={team.memberCount} />
      </div>
    </div>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="text-lg font-semibold leading-tight">{formatNumber(value)}</dd>
    </div>
  )
}

const ROLES_SHOWN = 3

/** For visitors: the roles the team needs, and a button to join. */
function SignInHint({ team }: { team: TeamView }) {
  const t = useT()
  const roles = team.rolesNeeded.slice(0, ROLES_SHOWN)
  const hiddenCount = team.rolesNeeded.length - roles.length
  return (
    <div className="flex grow flex-col justify-between gap-3 p-4">
      <ul aria-label={t('Roles needed')} className="flex flex-wrap gap-1.5">
        {roles.map((role) => (
          <li key={role.id}>
            <Badge>
              <span aria-hidden="true">{role.emoji}</span>
              {roleName(role)}
            </Badge>
          </li>
        ))}
        {hiddenCount > 0 && (
          <li>
            <Badge>
              <bdi dir="ltr">+{formatNumber(hiddenCount)}</bdi>
            </Badge>
          </li>
        )}
      </ul>
      <p className="flex items-center gap-2 font-medium text-primary">
        <Lock aria-hidden="true" className="size-4 shrink-0" />
        {t('Sign in to see this team')}
      </p>
    </div>
  )
}
