import type { Language } from '@community/contract'
import { SECURITY_TEMPLATES, SECURITY_TEXTS, type SecurityTemplate } from './security-texts.ts'

/** A paragraph, or a label and the name of its value. */
export type MailLine = string | readonly [label: string, value: string]

/** The text of a mail; `{code}` and other names in braces are replaced by values. */
export interface MailText {
  subject: string
  heading: string
  lines: readonly MailLine[]
}

export const MAIL_TEMPLATES = [
  'code-registration',
  'code-sign-in',
  'code-reset',
  'code-external',
  'already-registered',
  'new-device',
  'password-changed',
  ...SECURITY_TEMPLATES,
] as const
export type MailTemplate = (typeof MAIL_TEMPLATES)[number]
type AccountTemplate = Exclude<MailTemplate, SecurityTemplate>

const en: Record<AccountTemplate, MailText> = {
  'code-registration': {
    subject: '{code} is your code to join {app}',
    heading: 'Your code to join',
    lines: [
      'Enter it on the page where you signed up. It works once, for five minutes.',
      'Not you? Then ignore this mail: without the code nothing happens.',
    ],
  },
  'code-sign-in': {
    subject: '{code} is your sign-in code',
    heading: 'Your sign-in code',
    lines: [
      'Enter it on the page where you are signing in. It works once, for five minutes.',
      'Not you? Then somebody knows your password: please change it.',
    ],
  },
  'code-reset': {
    subject: '{code} is your code to set a new password',
    heading: 'Your code for a new password',
    lines: [
      'Enter it on the page where you asked for it. It works once, for five minutes.',
      'Not you? Then ignore this mail: your password stays as it is.',
    ],
  },
  'code-external': {
    subject: '{code} is your sign-in code',
    heading: 'Your sign-in code',
    lines: [
      'Enter it in the browser where you began. It works once, for five minutes.',
      'Not you? Then ignore this mail: without the code nobody gets in.',
    ],
  },
  'already-registered': {
    subject: 'You already have an account',
    heading: 'You already have an account',
    lines: [
      'Somebody, probably you, tried to sign up with this address. You can simply sign in.',
      'Not you? There is nothing you need to do.',
    ],
  },
  'new-device': {
    subject: 'New sign-in to your account',
    heading: 'New sign-in to your account',
    lines: [
      'Somebody signed in to your account on a device that was never used for it before.',
      ['Device', 'device'],
      ['Place', 'place'],
      ['Time', 'time'],
      'Was it you? Then there is nothing you need to do.',
      'Not you? Change your password now: that ends every session. You can also end single sessions in your account settings, under Devices.',
    ],
  },
  'password-changed': {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    lines: [
      'Your account has a new password, and every session has ended.',
      ['Device', 'device'],
      ['Place', 'place'],
      ['Time', 'time'],
      'Was it you? Then there is nothing you need to do.',
      'Not you? Set a new one now with “Forgot your password?” on the sign-in page, and make sure that nobody else reads your mail.',
    ],
  },
}

const fr: Record<AccountTemplate, MailText> = {
  'code-registration': {
    subject: '{code} : votre code pour rejoindre {app}',
    heading: 'Votre code pour nous rejoindre',
    lines: [
      'Saisissez-le sur la page d’inscription. Il sert une seule fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Ignorez cet e-mail : sans le code, rien ne se passe.',
    ],
  },
  'code-sign-in': {
    subject: '{code} : votre code de connexion',
    heading: 'Votre code de connexion',
    lines: [
      'Saisissez-le sur la page de connexion. Il sert une seule fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Quelqu’un connaît donc votre mot de passe : changez-le.',
    ],
  },
  'code-reset': {
    subject: '{code} : votre code pour un nouveau mot de passe',
    heading: 'Votre code pour un nouveau mot de passe',
    lines: [
      'Saisissez-le sur la page où vous l’avez demandé. Il sert une seule fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Ignorez cet e-mail : votre mot de passe ne change pas.',
    ],
  },
  'code-external': {
    subject: '{code} : votre code de connexion',
    heading: 'Votre code de connexion',
    lines: [
      'Saisissez-le dans le navigateur où vous avez commencé. Il sert une seule fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Ignorez cet e-mail : sans le code, personne ne peut se connecter.',
    ],
  },
  'already-registered': {
    subject: 'Vous avez déjà un compte',
    heading: 'Vous avez déjà un compte',
    lines: [
      'Quelqu’un, sans doute vous, a voulu s’inscrire avec cette adresse. Il vous suffit de vous connecter.',
      'Ce n’était pas vous ? Vous n’avez rien à faire.',
    ],
  },
  'new-device': {
    subject: 'Nouvelle connexion à votre compte',
    heading: 'Nouvelle connexion à votre compte',
    lines: [
      'Quelqu’un s’est connecté à votre compte depuis un appareil jamais utilisé jusqu’ici pour ce compte.',
      ['Appareil', 'device'],
      ['Lieu', 'place'],
      ['Date et heure', 'time'],
      'C’était vous ? Vous n’avez rien à faire.',
      'Ce n’était pas vous ? Changez votre mot de passe maintenant : toutes les sessions seront fermées. Vous pouvez aussi les fermer une par une dans les paramètres de votre compte, sous Appareils.',
    ],
  },
  'password-changed': {
    subject: 'Votre mot de passe a été modifié',
    heading: 'Votre mot de passe a été modifié',
    lines: [
      'Votre compte a un nouveau mot de passe, et toutes les sessions ont été fermées.',
      ['Appareil', 'device'],
      ['Lieu', 'place'],
      ['Date et heure', 'time'],
      'C’était vous ? Vous n’avez rien à faire.',
      'Ce n’était pas vous ? Définissez-en un nouveau maintenant avec « Mot de passe oublié ? » sur la page de connexion, et assurez-vous que personne d’autre n’a accès à votre messagerie.',
    ],
  },
}

const ar: Record<AccountTemplate, MailText> = {
  'code-registration': {
    subject: '{code} رمزك للانضمام إلى {app}',
    heading: 'رمزك للانضمام',
    lines: [
      'أدخله في صفحة التسجيل. صالح لمرة واحدة ولمدة خمس دقائق.',
      'لم تكن أنت؟ تجاهل هذه الرسالة، فلا شيء يحدث دون الرمز.',
    ],
  },
  'code-sign-in': {
    subject: '{code} رمز تسجيل الدخول',
    heading: 'رمز تسجيل الدخول',
    lines: [
      'أدخله في صفحة تسجيل الدخول. صالح لمرة واحدة ولمدة خمس دقائق.',
      'لم تكن أنت؟ هناك إذًا من يعرف كلمة مرورك، فغيّرها من فضلك.',
    ],
  },
  'code-reset': {
    subject: '{code} رمزك لتعيين كلمة مرور جديدة',
    heading: 'رمزك لكلمة مرور جديدة',
    lines: [
      'أدخله في الصفحة التي طلبته منها. صالح لمرة واحدة ولمدة خمس دقائق.',
      'لم تكن أنت؟ تجاهل هذه الرسالة، فكلمة مرورك تبقى كما هي.',
    ],
  },
  'code-external': {
    subject: '{code} رمز تسجيل الدخول',
    heading: 'رمز تسجيل الدخول',
    lines: [
      'أدخله في المتصفح الذي بدأت منه. صالح لمرة واحدة ولمدة خمس دقائق.',
      'لم تكن أنت؟ تجاهل هذه الرسالة، فلا أحد يستطيع الدخول دون الرمز.',
    ],
  },
  'already-registered': {
    subject: 'لديك حساب بالفعل',
    heading: 'لديك حساب بالفعل',
    lines: ['حاول أحدهم، ولعلّه أنت، التسجيل بهذا العنوان. يكفي أن تسجّل الدخول.', 'لم تكن أنت؟ لا داعي لفعل أي شيء.'],
  },
  'new-device': {
    subject: 'تسجيل دخول جديد إلى حسابك',
    heading: 'تسجيل دخول جديد إلى حسابك',
    lines: [
      'سجّل أحدهم الدخول إلى حسابك من جهاز لم يُستعمل له من قبل.',
      ['الجهاز', 'device'],
      ['المكان', 'place'],
      ['التاريخ والوقت', 'time'],
      'هل كنت أنت؟ لا داعي لفعل أي شيء.',
      'لم تكن أنت؟ غيّر كلمة مرورك الآن، فتُغلق كل الجلسات. ويمكنك أيضًا إغلاق كل جلسة على حدة من إعدادات الحساب، ضمن «الأجهزة».',
    ],
  },
  'password-changed': {
    subject: 'تغيّرت كلمة مرورك',
    heading: 'تغيّرت كلمة مرورك',
    lines: [
      'أصبحت لحسابك كلمة مرور جديدة، وأُغلقت كل الجلسات.',
      ['الجهاز', 'device'],
      ['المكان', 'place'],
      ['التاريخ والوقت', 'time'],
      'هل كنت أنت؟ لا داعي لفعل أي شيء.',
      'لم تكن أنت؟ عيّن كلمة مرور جديدة الآن عبر «نسيت كلمة المرور؟» في صفحة تسجيل الدخول، وتأكد من أن لا أحد غيرك يقرأ بريدك.',
    ],
  },
}

export const MAIL_TEXTS: Record<Language, Record<MailTemplate, MailText>> = {
  en: { ...en, ...SECURITY_TEXTS.en },
  fr: { ...fr, ...SECURITY_TEXTS.fr },
  ar: { ...ar, ...SECURITY_TEXTS.ar },
}
