import type { Audience } from '@community/contract'
import { msg } from '../../../lib/i18n.ts'

/** English labels; translate with `t`. */
export const AUDIENCE_LABELS: Record<Audience, string> = {
  everyone: msg('Everyone'),
  chefs: msg('All chefs'),
  challenge: msg('A challenge’s teams'),
}
