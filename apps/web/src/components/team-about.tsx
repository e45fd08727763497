import type { Team } from '@community/contract'
import { TEAM_SIZE } from '@community/contract/limits'
import { experienceLabels } from './experience-labels.ts'
import { formatNumber } from '../lib/format.ts'
import { useT } from '../lib/i18n.ts'
import { Badge } from '../ui/badge.tsx'
import { Notice } from '../ui/notice.tsx'
import { StatTile, StatTiles } from '../ui/stat-tile.tsx'
import { roleName } from './role-name.ts'

/** The description of a team, with a notice if the team is inactive. */
export function TeamDescription({ team }: { team: Team }) {
  const t = useT()
  return (
    <>
      {!team.isActive && <Notice tone="gold">{t('This team is not active')}</Notice>}
      <p dir="auto" className="whitespace-pre-line">
        {team.description}
      </p>
    </>
  )
}

/** A team's figures: members and maximum, points, level. The team dialog shows the largest size of any team, as specified. */
export function TeamStats({ team, maxMembers = TEAM_SIZE.max }: { team: Team; maxMembers?: number }) {
  const t = useT()
  return (
    <StatTiles>
      <StatTile
        label={t('Members')}
        value={<bdi dir="ltr">{`${formatNumber(team.memberCount)}/${formatNumber(maxMembers)}`}</bdi>}
      />
      <StatTile label={t('Points')} value={formatNumber(team.points)} />
      <StatTile label={t('Challenges')} value={formatNumber(team.challengesCompleted)} />
      <StatTile label={t('Experience')} value={<TeamLevel team={team} />} />
    </StatTiles>
  )
}

function TeamLevel({ team }: { team: Team }) {
  const t = useT()
  if (!team.experience) return <span className="text-base">{t('Any level')}</span>
  // Keeps the years, "(0-1 years)", together while they fit on a line.
  const [level, years = ''] = experienceLabels(t)[team.experience].split(/(?=\()/)
  return (
    <span className="block text-base leading-snug">
      {level}
      <span className="inline-block">{years}</span>
    </span>
  )
}

/** The roles the team needs. */
export function RolesNeeded({ roles }: { roles: Team['rolesNeeded'] }) {
  const t = useT()
  if (roles.length === 0) return null
  return (
    <section className="grid gap-2">
      <h3 className="text-lg">{t('Roles needed')}</h3>
      <ul className="flex flex-wrap gap-2">
        {roles.map((role) => (
          <li key={role.id}>
            <Badge>
              <span aria-hidden="true">{role.emoji}</span>
              {roleName(role)}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  )
}
