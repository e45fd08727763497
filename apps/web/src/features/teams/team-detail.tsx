import type { Team } from '@community/contract'
import { TEAM_SIZE } from '@community/contract/limits'
import { Badge } from '../../ui/badge.tsx'
import { Notice } from '../../ui/notice.tsx'
import { StatTile, StatTiles } from '../../ui/stat-tile.tsx'
import { formatNumber, useT } from '../../lib/i18n.ts'
import { MemberCard } from './member-card.tsx'
import { roleName } from './roles.ts'
import { experienceLabels } from '../../brand/experience-labels.ts'

/** All that signed-in people may read about a team. */
export function TeamDetail({ team, userId }: { team: Team; userId: string }) {
  const t = useT()
  return (
    <div className="grid gap-6">
      {!team.isActive && <Notice tone="gold" message="This team is not active" />}
      <p dir="auto" className="whitespace-pre-line">
        {team.description}
      </p>
      <StatTiles>
        <StatTile label={t('Members')} value={`${formatNumber(team.memberCount)}/${TEAM_SIZE.max}`} />
        <StatTile label={t('Points')} value={formatNumber(team.points)} />
        <StatTile label={t('Challenges')} value={formatNumber(team.challengesCompleted)} />
        <StatTile label={t('Experience')} value={<TeamLevel team={team} />} />
      </StatTiles>
      <RolesNeeded roles={team.rolesNeeded} />
      <section className="grid gap-3">
        <h3 className="text-lg">{t('Members')}</h3>
        <ul className="grid gap-3 md:grid-cols-2">
          {team.members.map((member) => (
            <li key={member.id}>
              <MemberCard member={member} isMe={member.userId === userId} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function TeamLevel({ team }: { team: Team }) {
  const t = useT()
  if (!team.experience) return <span className="text-base">{t('Any')}</span>
  // "Beginner" and "(0-1 years)": a range of years is not broken at its hyphen.
  const [level, years = ''] = experienceLabels(t)[team.experience].split(/(?=\()/)
  return (
    <span className="block text-base leading-snug">
      {level}
      <span className="whitespace-nowrap">{years}</span>
    </span>
  )
}

function RolesNeeded({ roles }: { roles: Team['rolesNeeded'] }) {
  const t = useT()
  if (roles.length === 0) return null
  return (
    <section className="grid gap-2">
      <h3 className="text-lg">{t('Roles Needed')}</h3>
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
