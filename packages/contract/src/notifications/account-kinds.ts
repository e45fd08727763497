import { z } from 'zod'
import { ROLES_OF_USERS } from '../users/schemas.ts'
import { challengeHash, dashboardHash, defineKind } from './kind.ts'

/** Notifications about the account, and announcements. */
export const ACCOUNT_KINDS = {
  'account.warned': defineKind({
    reason: 'account',
    recipients: 'person',
    params: z.object({ warning: z.string() }),
    text: {
      en: 'You received a warning from an administrator',
      fr: 'Vous avez reçu un avertissement de l’administration',
      ar: 'وجّهت إليك الإدارة إنذارًا',
    },
    detail: 'warning',
    href: dashboardHash,
    summary: {
      en: 'There is a message about your account',
      fr: 'Un message concerne votre compte',
      ar: 'توجد رسالة بشأن حسابك',
    },
    channels: { app: true, mail: 'instant', push: true },
    isSafety: true,
  }),
  'account.role-changed': defineKind({
    reason: 'security',
    recipients: 'person',
    params: z.object({ role: z.enum(ROLES_OF_USERS) }),
    text: { en: 'Your role is now: {role}', fr: 'Votre rôle est désormais : {role}', ar: 'دورك الآن: {role}' },
    valueTexts: {
      role: {
        member: { en: 'member', fr: 'membre', ar: 'عضو' },
        admin: { en: 'administrator', fr: 'administrateur', ar: 'مشرف' },
      },
    },
    href: dashboardHash,
    summary: { en: 'Your role changed', fr: 'Votre rôle a changé', ar: 'تغيّر دورك' },
    channels: { app: true, mail: 'instant', push: true },
    isSafety: true,
  }),
  'account.new-device': defineKind({
    reason: 'security',
    recipients: 'person',
    params: z.object({ device: z.string().nullable() }),
    text: {
      en: 'New sign-in to your account from {device}',
      fr: 'Nouvelle connexion à votre compte. Appareil : {device}',
      ar: 'تسجيل دخول جديد إلى حسابك. الجهاز: {device}',
    },
    nullTexts: { device: { en: 'an unknown device', fr: 'inconnu', ar: 'غير معروف' } },
    href: () => '#account-devices',
    summary: {
      en: 'New sign-in to your account',
      fr: 'Nouvelle connexion à votre compte',
      ar: 'تسجيل دخول جديد إلى حسابك',
    },
    channels: { app: true, mail: 'instant', push: true },
    isSafety: true,
    hasOwnMail: true,
  }),
  'account.mail-paused': defineKind({
    reason: 'account',
    recipients: 'person',
    params: z.object({}),
    text: {
      en: 'Emails to you are paused. Your address rejected three in a row',
      fr: 'Vos e-mails sont suspendus. Votre adresse en a refusé trois de suite',
      ar: 'توقّف إرسال الرسائل إليك مؤقتًا. رفض عنوانك ثلاث رسائل متتالية',
    },
    href: () => '#account-notifications',
    summary: {
      en: 'Emails to you are paused',
      fr: 'Vos e-mails sont suspendus',
      ar: 'توقّف إرسال الرسائل إليك مؤقتًا',
    },
    channels: { app: true, mail: 'off', push: false },
    isSafety: false,
  }),
  announcement: defineKind({
    reason: 'announcement',
    recipients: 'audience',
    params: z.object({ announcementId: z.uuid(), title: z.string(), challengeId: z.uuid().nullable() }),
    text: { en: '{title}', fr: '{title}', ar: '{title}' },
    href: ({ challengeId }) => (challengeId === null ? '#notifications' : challengeHash({ challengeId })),
    summary: { en: 'There is a new announcement', fr: 'Une nouvelle annonce est disponible', ar: 'نُشر إعلان جديد' },
    channels: { app: true, mail: 'instant', push: true },
    isSafety: false,
  }),
}
