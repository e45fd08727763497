import type { Webhook, WebhookDelivery } from '@community/contract'
import type { Translate } from '../../lib/i18n.ts'

export const eventDescription = (event: Webhook['events'][number], t: Translate): string =>
  ({
    'team.created': t('A member created a team'),
    'team.member.joined': t('A member joined a team'),
    'team.member.left': t('A member left or was removed from a team'),
    'challenge.published': t('A challenge opened for applications'),
    'challenge.closed': t('A challenge closed for applications'),
    'submission.created': t('A team submitted work'),
    'submission.approved': t('A submission was approved'),
    'submission.rejected': t('A submission was rejected'),
    'submission.reset': t('A submission was set back to pending'),
    'user.banned': t('An account was banned'),
  })[event]

export const statusLabel = (status: WebhookDelivery['status'], t: Translate): string =>
  ({
    pending: t('{delivery, select, other {Pending}}'),
    delivered: t('{delivery, select, other {Delivered}}'),
    failed: t('{delivery, select, other {Failed}}'),
  })[status]

export const STATUS_TONES = { pending: 'gold', delivered: 'ok', failed: 'bad' } as const
