import { z } from 'zod'
import { ChallengeParams, defineKind, TeamParams } from './kind.ts'

const Work = ChallengeParams.extend(TeamParams.shape)
const shared = { reason: 'member', recipients: 'team', href: () => '#dashboard', isSafety: false } as const

/** Notifications about a team’s work. */
export const SUBMISSION_KINDS = {
  'submission.approved': defineKind({
    ...shared,
    params: Work.extend({ points: z.int().min(0) }),
    text: {
      en: 'Your work for {challenge} was approved. Points: {points}',
      fr: 'Votre travail pour {challenge} a été approuvé. Points : {points}',
      ar: 'قُبل عملك في تحدّي {challenge}. النقاط: {points}',
    },
    summary: { en: 'Your work was evaluated', fr: 'Votre travail a été évalué', ar: 'قُيِّم عملك' },
    channels: { app: true, mail: 'instant', push: true },
  }),
  'submission.rejected': defineKind({
    ...shared,
    params: Work.extend({ feedback: z.string().nullable() }),
    text: {
      en: 'Your work for {challenge} was rejected',
      fr: 'Votre travail pour {challenge} a été refusé',
      ar: 'رُفض عملك في تحدّي {challenge}',
    },
    detail: 'feedback',
    summary: { en: 'Your work was evaluated', fr: 'Votre travail a été évalué', ar: 'قُيِّم عملك' },
    channels: { app: true, mail: 'instant', push: true },
  }),
  'submission.reset': defineKind({
    ...shared,
    params: Work,
    text: {
      en: 'Your work for {challenge} will be evaluated again',
      fr: 'Votre travail pour {challenge} sera évalué à nouveau',
      ar: 'سيُقيَّم عملك في تحدّي {challenge} من جديد',
    },
    summary: {
      en: 'Your work will be evaluated again',
      fr: 'Votre travail sera évalué à nouveau',
      ar: 'سيُقيَّم عملك من جديد',
    },
    channels: { app: true, mail: 'daily', push: false },
  }),
  'submission.deleted': defineKind({
    ...shared,
    params: Work,
    text: {
      en: 'Your work for {challenge} was deleted',
      fr: 'Votre travail pour {challenge} a été supprimé',
      ar: 'حُذف عملك في تحدّي {challenge}',
    },
    summary: { en: 'Your work was deleted', fr: 'Votre travail a été supprimé', ar: 'حُذف عملك' },
    channels: { app: true, mail: 'instant', push: false },
  }),
}
