import type { Language } from '@community/contract'
import type { MailText } from './texts.ts'

export const SECURITY_TEMPLATES = ['sign-in-code-off', 'device-signed-out'] as const
export type SecurityTemplate = (typeof SECURITY_TEMPLATES)[number]

/** Notices to the owner of an account about its security. */
export const SECURITY_TEXTS: Record<Language, Record<SecurityTemplate, MailText>> = {
  en: {
    'sign-in-code-off': {
      subject: 'The code at sign-in was turned off',
      heading: 'The code at sign-in was turned off',
      lines: [
        'Signing in to your account no longer asks for a code from your mailbox. The password alone is enough.',
        ['Device', 'device'],
        ['Place', 'place'],
        ['Time', 'time'],
        'Was it you? Then there is nothing you need to do.',
        'Not you? Change your password now, which ends every session, and turn the code on again in your account settings.',
      ],
    },
    'device-signed-out': {
      subject: 'We signed out one of your devices',
      heading: 'We signed out one of your devices',
      lines: [
        'A sign-in key of this device was used a second time. Somebody may have copied it, so we signed the device out.',
        ['Device', 'device'],
        ['Place where the key was used again', 'place'],
        ['Time', 'time'],
        'Do you know the place? Then just sign in again on that device.',
        'Not you? Change your password now, which ends every session, and check the device for software you did not install.',
      ],
    },
  },
  fr: {
    'sign-in-code-off': {
      subject: 'Le code à la connexion a été désactivé',
      heading: 'Le code à la connexion a été désactivé',
      lines: [
        'La connexion à votre compte ne demande plus de code envoyé par e-mail. Le mot de passe suffit.',
        ['Appareil', 'device'],
        ['Lieu', 'place'],
        ['Date et heure', 'time'],
        'C’était vous ? Vous n’avez rien à faire.',
        'Ce n’était pas vous ? Changez votre mot de passe maintenant, ce qui ferme toutes les sessions, puis réactivez le code dans les paramètres de votre compte.',
      ],
    },
    'device-signed-out': {
      subject: 'Nous avons déconnecté l’un de vos appareils',
      heading: 'Nous avons déconnecté l’un de vos appareils',
      lines: [
        'Une clé de connexion de cet appareil a été utilisée une seconde fois. Quelqu’un l’a peut-être copiée : nous avons donc déconnecté l’appareil.',
        ['Appareil', 'device'],
        ['Lieu où la clé a été réutilisée', 'place'],
        ['Date et heure', 'time'],
        'Vous connaissez ce lieu ? Il vous suffit de vous reconnecter sur cet appareil.',
        'Ce n’était pas vous ? Changez votre mot de passe maintenant, ce qui ferme toutes les sessions, et vérifiez qu’aucun logiciel inconnu n’est installé sur l’appareil.',
      ],
    },
  },
  ar: {
    'sign-in-code-off': {
      subject: 'أُوقف رمز تسجيل الدخول',
      heading: 'أُوقف رمز تسجيل الدخول',
      lines: [
        'لم يعد تسجيل الدخول إلى حسابك يطلب رمزًا من بريدك، وأصبحت كلمة المرور وحدها كافية.',
        ['الجهاز', 'device'],
        ['المكان', 'place'],
        ['التاريخ والوقت', 'time'],
        'هل كنت أنت؟ لا داعي لفعل أي شيء.',
        'لم تكن أنت؟ غيّر كلمة مرورك الآن، فتُغلق كل الجلسات، ثم أعد تفعيل الرمز من إعدادات الحساب.',
      ],
    },
    'device-signed-out': {
      subject: 'سجّلنا خروج أحد أجهزتك',
      heading: 'سجّلنا خروج أحد أجهزتك',
      lines: [
        'استُعمل مفتاح دخول هذا الجهاز مرة ثانية. ربما نسخه أحدهم، لذلك سجّلنا خروج الجهاز.',
        ['الجهاز', 'device'],
        ['المكان الذي استُعمل منه المفتاح من جديد', 'place'],
        ['التاريخ والوقت', 'time'],
        'هل تعرف هذا المكان؟ يكفي أن تسجّل الدخول من جديد على ذلك الجهاز.',
        'لم تكن أنت؟ غيّر كلمة مرورك الآن، فتُغلق كل الجلسات، وتأكد من عدم وجود برامج غريبة على الجهاز.',
      ],
    },
  },
}
