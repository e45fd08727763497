import type { Team } from '@community/contract'
import { useT } from '../lib/i18n.ts'
import { ShareLinkButton, type ShareLinkButtonProps } from './share-button.tsx'

/** Whether this user is the chef and others can join. */
export const canInvite = (team: Team, userId: string): boolean =>
  team.ownerId === userId && team.isActive && team.memberCount < team.maxMembers

/** Shares the link to a team, with which others join it. */
export function InviteButton({ team, ...rest }: { team: Team } & Pick<ShareLinkButtonProps, 'onOpen' | 'onClose'>) {
  const t = useT()
  return <ShareLinkButton item={{ kind: 'team', id: team.id }} text={team.name} label={t('Invite Members')} {...rest} />
}
