import { appErrors, type Team, type TeamMember } from '@community/contract'
import { useT } from '../../lib/i18n.ts'
import type { CurrentUser } from '../../lib/session.ts'
import { Notice } from '../../ui/notice.tsx'
import { TryAgain } from '../../ui/query-error.tsx'
import { ServerText } from '../../ui/server-text.tsx'
import { MemberCard } from '../../components/member-card.tsx'
import { MemberList } from '../../components/member-list.tsx'
import { ChefBar } from './chef-bar.tsx'
import { ModerationButtons } from './moderation-buttons.tsx'
import { RolesNeeded, TeamStats, TeamDescription } from '../../components/team-about.tsx'
import type { ChefActions } from './use-chef-actions.ts'
import { type MemberAccount, type MemberAccounts, useMemberAccounts } from './use-member-accounts.ts'
import { WarningBadge } from './warning-badge.tsx'

interface AdminTeamDetailProps {
  team: Team
  user: CurrentUser
  /** Shows the actions on each member; otherwise read-only. */
  manage: boolean
  /** Given if the administrator is also the team's chef. */
  chef: ChefActions | undefined
}

/** A team for administrators: figures, chef and members with their warnings and, with `manage`, the actions on them. */
export function AdminTeamDetail({ team, user, manage, chef: chefActions }: AdminTeamDetailProps) {
  const t = useT()
  const accounts = useMemberAccounts(team.members)
  const chef = team.members.filter((member) => member.isChef)
  const others = team.members.filter((member) => !member.isChef)
  const card = (member: TeamMember) => (
    <AdminMemberCard team={team} member={member} user={user} account={accounts.of(member.userId)} manage={manage} />
  )
  return (
    <div className="grid gap-6">
      <TeamDescription team={team} />
      <AccountsFailure accounts={accounts} />
      <TeamStats team={team} />
      {manage && chefActions && <ChefBar team={team} chef={chefActions} />}
      {chef.length > 0 && (
        <MemberList title={t('Team chef')} members={chef}>
          {card}
        </MemberList>
      )}
      <RolesNeeded roles={team.rolesNeeded} />
      {others.length > 0 && (
        <MemberList title={t('Members')} members={others}>
          {card}
        </MemberList>
      )}
      {team.members.length === 0 && <p className="text-ink-2">{t('This team has no members.')}</p>}
    </div>
  )
}

interface AdminMemberCardProps extends Omit<AdminTeamDetailProps, 'chef'> {
  member: TeamMember
  account: MemberAccount | undefined
}

function AdminMemberCard({ team, member, user, account, manage }: AdminMemberCardProps) {
  const isMe = member.userId === user.id
  const actions = isMe ? (
    <p className="text-sm text-ink-2">
      <ServerText of={appErrors.ownAccount} />
    </p>
  ) : (
    <ModerationButtons team={team} member={member} account={account} />
  )
  return (
    <MemberCard
      member={member}
      isMe={isMe}
      badges={<WarningBadge account={account} />}
      actions={manage ? actions : undefined}
    />
  )
}

function AccountsFailure({ accounts }: { accounts: MemberAccounts }) {
  const t = useT()
  if (accounts.failed.length === 0) return null
  return (
    <Notice tone="gold" action={<TryAgain queries={accounts.failed} />}>
      {t('Could not load user data for admin features')}
    </Notice>
  )
}
