import { z } from 'zod'
import { defineKind, TeamParams } from './kind.ts'

const DASHBOARD = () => '#dashboard'
const FORMER_MEMBER = { en: 'A member', fr: 'Un membre', ar: 'أحد الأعضاء' }
const Membership = TeamParams.extend({ person: z.string().nullable() })

/** Notifications about teams. */
export const TEAM_KINDS = {
  'team.member.joined': defineKind({
    reason: 'member',
    params: Membership,
    text: { en: '{person} joined {team}', fr: '{person} a rejoint {team}', ar: 'انضمام {person} إلى {team}' },
    absent: { person: FORMER_MEMBER },
    href: DASHBOARD,
    channels: { app: true, mail: 'daily', push: false },
    isSafety: false,
  }),
  'team.member.left': defineKind({
    reason: 'member',
    params: Membership,
    text: {
      en: '{person} is no longer in {team}',
      fr: '{person} ne fait plus partie de {team}',
      ar: 'مغادرة {person} فريق {team}',
    },
    absent: { person: FORMER_MEMBER },
    href: DASHBOARD,
    channels: { app: true, mail: 'daily', push: false },
    isSafety: false,
  }),
  'team.member.removed': defineKind({
    reason: 'account',
    params: TeamParams,
    text: {
      en: 'You were removed from {team}',
      fr: 'Vous ne faites plus partie de {team}',
      ar: 'تمّت إزالتك من فريق {team}',
    },
    href: () => '#teams',
    channels: { app: true, mail: 'instant', push: true },
    isSafety: false,
  }),
  'team.chef': defineKind({
    reason: 'chef',
    params: TeamParams,
    text: {
      en: 'You are now the chef of {team}',
      fr: 'Vous êtes désormais chef de {team}',
      ar: 'انتقلت إليك قيادة فريق {team}',
    },
    href: DASHBOARD,
    channels: { app: true, mail: 'instant', push: true },
    isSafety: false,
  }),
  'team.renamed': defineKind({
    reason: 'member',
    params: TeamParams.extend({ before: z.string() }),
    text: {
      en: 'An administrator renamed {before} to {team}',
      fr: 'L’administration a renommé {before} en {team}',
      ar: 'غيّرت الإدارة اسم فريق {before} إلى {team}',
    },
    href: DASHBOARD,
    channels: { app: true, mail: 'daily', push: false },
    isSafety: false,
  }),
  'team.deactivated': defineKind({
    reason: 'member',
    params: TeamParams,
    text: {
      en: 'An administrator deactivated {team}',
      fr: 'L’administration a désactivé {team}',
      ar: 'عطّلت الإدارة فريق {team}',
    },
    href: DASHBOARD,
    channels: { app: true, mail: 'instant', push: true },
    isSafety: false,
  }),
  'team.top-three': defineKind({
    reason: 'member',
    params: TeamParams.extend({ rank: z.int().min(1).max(3) }),
    text: {
      en: '{team} entered the top three. Rank: {rank}',
      fr: '{team} entre dans le trio de tête. Rang : {rank}',
      ar: 'دخل فريق {team} المراكز الثلاثة الأولى. المركز: {rank}',
    },
    href: () => '#leaderboard',
    channels: { app: true, mail: 'daily', push: true },
    isSafety: false,
  }),
}
