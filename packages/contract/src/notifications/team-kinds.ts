import { z } from 'zod'
import { dashboardHash, defineKind, TeamParams } from './kind.ts'

const FORMER_MEMBER = { en: 'A member', fr: 'Un membre', ar: 'أحد الأعضاء' }
const Membership = TeamParams.extend({ person: z.string().nullable() })

/** Notifications about teams. */
export const TEAM_KINDS = {
  'team.member.joined': defineKind({
    reason: 'member',
    recipients: 'team',
    params: Membership,
    text: { en: '{person} joined {team}', fr: '{person} a rejoint {team}', ar: 'انضمام {person} إلى فريق {team}' },
    nullTexts: { person: FORMER_MEMBER },
    href: dashboardHash,
    summary: {
      en: 'Somebody joined your team',
      fr: 'Une personne a rejoint votre équipe',
      ar: 'انضمام جديد إلى فريقك',
    },
    channels: { app: true, mail: 'daily', push: false },
    isSafety: false,
  }),
  'team.member.left': defineKind({
    reason: 'member',
    recipients: 'team',
    params: Membership,
    text: {
      en: '{person} is no longer in {team}',
      fr: '{person} ne fait plus partie de {team}',
      ar: 'انتهت عضوية {person} في فريق {team}',
    },
    nullTexts: { person: FORMER_MEMBER },
    href: dashboardHash,
    summary: {
      en: 'Somebody is no longer in your team',
      fr: 'Une personne ne fait plus partie de votre équipe',
      ar: 'انتهت عضوية أحد أعضاء فريقك',
    },
    channels: { app: true, mail: 'daily', push: false },
    isSafety: false,
  }),
  'team.member.removed': defineKind({
    reason: 'account',
    recipients: 'person',
    params: TeamParams,
    text: {
      en: 'You were removed from {team}',
      fr: 'Vous ne faites plus partie de {team}',
      ar: 'أُزيلت عضويتك من فريق {team}',
    },
    href: () => '#teams',
    summary: {
      en: 'You were removed from a team',
      fr: 'Vous ne faites plus partie d’une équipe',
      ar: 'أُزيلت عضويتك من فريق',
    },
    channels: { app: true, mail: 'instant', push: true },
    isSafety: false,
  }),
  'team.chef': defineKind({
    reason: 'chef',
    recipients: 'person',
    params: TeamParams,
    text: {
      en: 'You are now the chef of {team}',
      fr: 'Vous êtes désormais chef de {team}',
      ar: 'انتقلت إليك قيادة فريق {team}',
    },
    href: dashboardHash,
    summary: {
      en: 'You are now the chef of your team',
      fr: 'Vous êtes désormais chef de votre équipe',
      ar: 'انتقلت إليك قيادة فريقك',
    },
    channels: { app: true, mail: 'instant', push: true },
    isSafety: false,
  }),
  'team.renamed': defineKind({
    reason: 'member',
    recipients: 'team',
    params: TeamParams.extend({ before: z.string() }),
    text: {
      en: 'An administrator renamed {before} to {team}',
      fr: 'L’administration a renommé {before} en {team}',
      ar: 'غيّرت الإدارة اسم فريق {before} إلى {team}',
    },
    href: dashboardHash,
    summary: {
      en: 'An administrator renamed your team',
      fr: 'L’administration a renommé votre équipe',
      ar: 'غيّرت الإدارة اسم فريقك',
    },
    channels: { app: true, mail: 'daily', push: false },
    isSafety: false,
  }),
  'team.deactivated': defineKind({
    reason: 'member',
    recipients: 'team',
    params: TeamParams,
    text: {
      en: 'An administrator deactivated {team}',
      fr: 'L’administration a désactivé {team}',
      ar: 'عطّلت الإدارة فريق {team}',
    },
    href: dashboardHash,
    summary: {
      en: 'An administrator deactivated your team',
      fr: 'L’administration a désactivé votre équipe',
      ar: 'عطّلت الإدارة فريقك',
    },
    channels: { app: true, mail: 'instant', push: true },
    isSafety: false,
  }),
  'team.deleted': defineKind({
    reason: 'account',
    recipients: 'team',
    params: TeamParams,
    text: { en: '{team} was deleted', fr: 'L’équipe {team} a été supprimée', ar: 'حُذف فريق {team}' },
    href: () => '#teams',
    summary: { en: 'Your team was deleted', fr: 'Votre équipe a été supprimée', ar: 'حُذف فريقك' },
    channels: { app: true, mail: 'instant', push: true },
    isSafety: false,
  }),
  'team.top-three': defineKind({
    reason: 'member',
    recipients: 'team',
    params: TeamParams.extend({ rank: z.int().min(1).max(3) }),
    text: {
      en: '{team} entered the top three. Rank: {rank}',
      fr: '{team} entre dans le trio de tête. Rang : {rank}',
      ar: 'دخل فريق {team} المراكز الثلاثة الأولى. المركز: {rank}',
    },
    href: () => '#leaderboard',
    summary: {
      en: 'Your team entered the top three',
      fr: 'Votre équipe entre dans le trio de tête',
      ar: 'دخل فريقك المراكز الثلاثة الأولى',
    },
    channels: { app: true, mail: 'daily', push: true },
    isSafety: false,
  }),
}
