import type { Audience } from '@community/contract'
import type { Translate } from '../../../lib/i18n.ts'

export const audienceName = (audience: Audience, t: Translate): string =>
  ({ everyone: t('Everyone'), chefs: t('All chefs'), challenge: t('A challenge’s teams') })[audience]
