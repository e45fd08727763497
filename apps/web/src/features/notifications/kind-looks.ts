import type { Notification } from '@community/contract'
import {
  CalendarClock,
  CircleCheck,
  CircleX,
  Crown,
  Flag,
  type LucideIcon,
  Megaphone,
  ShieldCheck,
  UserRound,
  Users,
} from 'lucide-react'
import { msg } from '../../lib/i18n.ts'

interface Look {
  icon: LucideIcon
  /** Why the user gets it. */
  label: string
}

const REASONS: Record<Notification['reason'], Look> = {
  member: { icon: Users, label: msg('Your team') },
  chef: { icon: Crown, label: msg('Your team') },
  account: { icon: UserRound, label: msg('Your account') },
  security: { icon: ShieldCheck, label: msg('Security') },
  challenge: { icon: Flag, label: msg('Challenges') },
  reminder: { icon: CalendarClock, label: msg('Reminder') },
  announcement: { icon: Megaphone, label: msg('Announcement') },
}

/** A reason's name, to translate. */
export const reasonLabel = (reason: Notification['reason']): string => REASONS[reason].label

/** The icon of a notification, and its colour. */
export function iconOf({ kind, reason }: Pick<Notification, 'kind' | 'reason'>): { icon: LucideIcon; tone: string } {
  if (kind === 'submission.approved') return { icon: CircleCheck, tone: 'text-ok' }
  if (kind === 'submission.rejected') return { icon: CircleX, tone: 'text-bad' }
  return { icon: REASONS[reason].icon, tone: 'text-ink-2' }
}
