import { z } from 'zod'
import { REMINDER_STEPS } from '../limits.ts'
import { Timestamp } from '../primitives.ts'
import { challengeHash, ChallengeParams, defineKind, TeamParams } from './kind.ts'

export type ReminderStep = keyof typeof REMINDER_STEPS
const STEP_NAMES = Object.keys(REMINDER_STEPS) as [ReminderStep, ...ReminderStep[]]

const DeadlineParams = ChallengeParams.extend({ deadline: Timestamp })
const shared = { recipients: 'audience', href: challengeHash, isSafety: false } as const

/** Notifications about challenges. */
export const CHALLENGE_KINDS = {
  'challenge.published': defineKind({
    ...shared,
    reason: 'challenge',
    params: DeadlineParams,
    text: { en: 'New challenge: {challenge}', fr: 'Nouveau défi : {challenge}', ar: 'تحدٍّ جديد: {challenge}' },
    times: ['deadline'],
    summary: { en: 'There is a new challenge', fr: 'Un nouveau défi est ouvert', ar: 'نُشر تحدٍّ جديد' },
    channels: { app: true, mail: 'weekly', push: false },
  }),
  'challenge.deadline-moved': defineKind({
    ...shared,
    reason: 'challenge',
    params: DeadlineParams,
    text: {
      en: 'The deadline of {challenge} is now {deadline}',
      fr: 'Nouvelle date limite de {challenge} : {deadline}',
      ar: 'الموعد النهائي الجديد لتحدّي {challenge}: {deadline}',
    },
    times: ['deadline'],
    summary: {
      en: 'The deadline of a challenge changed',
      fr: 'La date limite d’un défi a changé',
      ar: 'تغيّر الموعد النهائي لأحد التحدّيات',
    },
    channels: { app: true, mail: 'instant', push: true },
  }),
  'challenge.deleted': defineKind({
    reason: 'member',
    recipients: 'team',
    params: ChallengeParams.extend(TeamParams.shape).extend({ points: z.int().min(0) }),
    text: {
      en: '{challenge} was deleted. Points taken back: {points}',
      fr: 'Le défi {challenge} a été supprimé. Points retirés : {points}',
      ar: 'حُذف تحدّي {challenge}. النقاط المسحوبة: {points}',
    },
    href: () => '#dashboard',
    summary: {
      en: 'A challenge with your work was deleted',
      fr: 'Un défi auquel vous participiez a été supprimé',
      ar: 'حُذف تحدٍّ قدّمت فيه عملًا',
    },
    channels: { app: true, mail: 'instant', push: false },
    isSafety: false,
  }),
  'challenge.reminder': defineKind({
    ...shared,
    reason: 'reminder',
    params: DeadlineParams.extend({ step: z.enum(STEP_NAMES) }),
    // The deadline, not the time left: a reminder may be read hours later, in a digest or after quiet hours.
    text: {
      en: '{challenge} closes on {deadline}',
      fr: '{challenge} se termine le {deadline}',
      ar: 'موعد إغلاق تحدّي {challenge}: {deadline}',
    },
    times: ['deadline'],
    summary: { en: 'A challenge closes soon', fr: 'Un défi se termine bientôt', ar: 'اقترب إغلاق أحد التحدّيات' },
    channels: { app: true, mail: 'instant', push: true },
  }),
}
