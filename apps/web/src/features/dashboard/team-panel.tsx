import type { Team, TeamMember } from '@community/contract'
import { ArrowRightLeft, LogOut, Settings2, Webhook } from 'lucide-react'
import { canInvite, InviteButton } from '../../components/invite-button.tsx'
import { MemberCard } from '../../components/member-card.tsx'
import { MemberList } from '../../components/member-list.tsx'
import { RemoveMemberButton } from '../../components/remove-member-button.tsx'
import { RolesNeeded, TeamStats, TeamDescription } from '../../components/team-about.tsx'
import { TeamBand } from '../../components/team-tile.tsx'
import { openDialog } from '../../lib/dialogs.ts'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TeamSubmissions } from './team-submissions.tsx'

export const TEAM_HEADING = 'own-team'
export const SUBMISSIONS_HEADING = 'own-team-submissions'

export const TEAM_TABS = ['submissions', 'members'] as const
export type TeamTab = (typeof TEAM_TABS)[number]

interface TeamPanelProps {
  team: Team
  userId: string
  tab: TeamTab
  onTab: (tab: TeamTab) => void
}

/** One of the user's teams: its details, submissions, members and actions. */
export function TeamPanel({ team, userId, tab, onTab }: TeamPanelProps) {
  const t = useT()
  const isChef = team.ownerId === userId
  const actions = (member: TeamMember) =>
    // A chef cannot remove the only member.
    isChef &&
    team.members.length > 1 && (
      <RemoveMemberButton
        member={member}
        onRemove={() => openDialog({ name: 'teamAction', team, action: 'remove', member })}
      />
    )
  return (
    <section aria-labelledby={TEAM_HEADING} className="overflow-hidden rounded-card border border-line bg-surface">
      <TeamBand
        name={team.name}
        heading={
          <h2 id={TEAM_HEADING} tabIndex={-1} className="text-xl">
            <bdi>{team.name}</bdi>
          </h2>
        }
        note={t('{count}/{max} members', { count: formatNumber(team.memberCount), max: formatNumber(team.maxMembers) })}
      />
      <div className="grid grid-cols-1 gap-6 p-4 sm:p-6">
        <TeamDescription team={team} />
        <OwnTeamActions team={team} userId={userId} />
        <TeamStats team={team} maxMembers={team.maxMembers} />
        <RolesNeeded roles={team.rolesNeeded} />
        <Tabs
          value={tab}
          onChange={onTab}
          label={team.name}
          items={[
            {
              value: 'submissions',
              label: t('Submissions'),
              content: <TeamSubmissions key={team.id} teamId={team.id} headingId={SUBMISSIONS_HEADING} />,
            },
            {
              value: 'members',
              label: t('Members'),
              count: formatNumber(team.memberCount),
              content: (
                <MemberList title={t('Members')} members={team.members}>
                  {(member) => <MemberCard member={member} isMe={member.userId === userId} actions={actions(member)} />}
                </MemberList>
              ),
            },
          ]}
        />
      </div>
    </section>
  )
}

/** Leaving the team; for its chef, also the actions on the team. */
function OwnTeamActions({ team, userId }: { team: Team; userId: string }) {
  const t = useT()
  const me = team.members.find((member) => member.userId === userId)
  if (!me) return null
  return (
    <div className="flex flex-wrap gap-2">
      {canInvite(team, userId) && <InviteButton team={team} />}
      {me.isChef && (
        <Button aria-haspopup="dialog" onClick={() => openDialog({ name: 'team', teamId: team.id, manage: true })}>
          <Settings2 aria-hidden="true" />
          {t('Manage team')}
        </Button>
      )}
      {me.isChef && team.members.length > 1 && (
        <Button
          aria-haspopup="dialog"
          onClick={() => openDialog({ name: 'teamAction', team, action: 'transfer', member: me })}
        >
          <ArrowRightLeft aria-hidden="true" />
          {t('Transfer Ownership')}
        </Button>
      )}
      {me.isChef && (
        <Button aria-haspopup="dialog" onClick={() => openDialog({ name: 'webhooks', team })}>
          <Webhook aria-hidden="true" />
          {t('Webhooks')}
        </Button>
      )}
      <Button
        variant="danger-outline"
        aria-haspopup="dialog"
        onClick={() => openDialog({ name: 'teamAction', team, action: 'leave', member: me })}
      >
        <LogOut aria-hidden="true" className="rtl:-scale-x-100" />
        {me.isChef ? t('Leave as Chef') : t('Leave Team')}
      </Button>
    </div>
  )
}
