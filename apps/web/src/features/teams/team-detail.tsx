import type { Team } from '@community/contract'
import { useT } from '../../lib/i18n.ts'
import { RemoveMemberButton } from '../../components/remove-member-button.tsx'
import { ChefBar } from './chef-bar.tsx'
import { MemberCard } from '../../components/member-card.tsx'
import { MemberList } from '../../components/member-list.tsx'
import { RolesNeeded, TeamStats, TeamDescription } from '../../components/team-about.tsx'
import type { ChefActions } from './use-chef-actions.ts'

interface TeamDetailProps {
  team: Team
  userId: string
  /** Only for the team's chef. */
  chef?: ChefActions | undefined
}

/** The details of a team for signed-in users, with its chef's actions. */
export function TeamDetail({ team, userId, chef }: TeamDetailProps) {
  const t = useT()
  return (
    <div className="grid gap-6">
      <TeamDescription team={team} />
      <TeamStats team={team} />
      {chef && <ChefBar team={team} chef={chef} />}
      <RolesNeeded roles={team.rolesNeeded} />
      <MemberList title={t('Members')} members={team.members}>
        {(member) => (
          <MemberCard
            member={member}
            isMe={member.userId === userId}
            actions={
              // A chef cannot remove the only member.
              chef &&
              team.members.length > 1 && (
                <RemoveMemberButton member={member} onRemove={() => void chef.removeMember({ team, member })} />
              )
            }
          />
        )}
      </MemberList>
    </div>
  )
}
