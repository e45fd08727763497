import type { Language } from '@community/contract'

/** The words of one mail; `{code}` stands for the code. */
export interface MailText {
  subject: string
  heading: string
  lines: readonly string[]
}

export const MAIL_TEMPLATES = [
  'code-registration',
  'code-sign-in',
  'code-reset',
  'code-external',
  'already-registered',
] as const
export type MailTemplate = (typeof MAIL_TEMPLATES)[number]

const en: Record<MailTemplate, MailText> = {
  'code-registration': {
    subject: '{code} is your code to join the community',
    heading: 'Your code to join',
    lines: [
      'Enter it on the page where you signed up. It works once, for five minutes.',
      'You did not sign up? Then ignore this mail: without the code nothing happens.',
    ],
  },
  'code-sign-in': {
    subject: '{code} is your sign-in code',
    heading: 'Your sign-in code',
    lines: [
      'Enter it on the page where you are signing in. It works once, for five minutes.',
      'It was not you? Somebody knows your password: please change it.',
    ],
  },
  'code-reset': {
    subject: '{code} is your code to set a new password',
    heading: 'Your code for a new password',
    lines: [
      'Enter it on the page where you asked for it. It works once, for five minutes.',
      'You did not ask? Then ignore this mail: your password stays as it is.',
    ],
  },
  'code-external': {
    subject: '{code} is your sign-in code',
    heading: 'Your sign-in code',
    lines: [
      'Enter it in the browser where you began. It works once, for five minutes.',
      'It was not you? Then ignore this mail: without the code nobody gets in.',
    ],
  },
  'already-registered': {
    subject: 'You already have an account',
    heading: 'You already have an account',
    lines: [
      'Somebody, probably you, tried to sign up with this address. You can simply sign in.',
      'It was not you? Then there is nothing to do.',
    ],
  },
}

const fr: Record<MailTemplate, MailText> = {
  'code-registration': {
    subject: '{code} : votre code pour rejoindre la communauté',
    heading: 'Votre code pour nous rejoindre',
    lines: [
      'Saisissez-le sur la page de votre inscription. Il sert une fois, pendant cinq minutes.',
      'Vous ne vous êtes pas inscrit ? Ignorez ce message : sans le code, rien ne se passe.',
    ],
  },
  'code-sign-in': {
    subject: '{code} : votre code de connexion',
    heading: 'Votre code de connexion',
    lines: [
      'Saisissez-le sur la page de connexion. Il sert une fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Quelqu’un connaît votre mot de passe : changez-le.',
    ],
  },
  'code-reset': {
    subject: '{code} : votre code pour un nouveau mot de passe',
    heading: 'Votre code pour un nouveau mot de passe',
    lines: [
      'Saisissez-le sur la page où vous l’avez demandé. Il sert une fois, pendant cinq minutes.',
      'Vous n’avez rien demandé ? Ignorez ce message : votre mot de passe ne change pas.',
    ],
  },
  'code-external': {
    subject: '{code} : votre code de connexion',
    heading: 'Votre code de connexion',
    lines: [
      'Saisissez-le dans le navigateur où vous avez commencé. Il sert une fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Ignorez ce message : sans le code, personne n’entre.',
    ],
  },
  'already-registered': {
    subject: 'Vous avez déjà un compte',
    heading: 'Vous avez déjà un compte',
    lines: [
      'Quelqu’un, sans doute vous, a voulu s’inscrire avec cette adresse. Il suffit de vous connecter.',
      'Ce n’était pas vous ? Il n’y a rien à faire.',
    ],
  },
}

const ar: Record<MailTemplate, MailText> = {
  'code-registration': {
    subject: '{code} رمزك للانضمام إلى المجتمع',
    heading: 'رمزك للانضمام',
    lines: [
      'أدخله في صفحة التسجيل. يصلح مرة واحدة لمدة خمس دقائق.',
      'لم تسجّل؟ تجاهل هذه الرسالة، فلا شيء يحدث دون الرمز.',
    ],
  },
  'code-sign-in': {
    subject: '{code} رمز تسجيل الدخول',
    heading: 'رمز تسجيل الدخول',
    lines: [
      'أدخله في صفحة تسجيل الدخول. يصلح مرة واحدة لمدة خمس دقائق.',
      'لست أنت؟ هناك من يعرف كلمة مرورك، فغيّرها من فضلك.',
    ],
  },
  'code-reset': {
    subject: '{code} رمزك لتعيين كلمة مرور جديدة',
    heading: 'رمزك لكلمة مرور جديدة',
    lines: [
      'أدخله في الصفحة التي طلبته منها. يصلح مرة واحدة لمدة خمس دقائق.',
      'لم تطلبه؟ تجاهل هذه الرسالة، فكلمة مرورك باقية كما هي.',
    ],
  },
  'code-external': {
    subject: '{code} رمز تسجيل الدخول',
    heading: 'رمز تسجيل الدخول',
    lines: [
      'أدخله في المتصفح الذي بدأت منه. يصلح مرة واحدة لمدة خمس دقائق.',
      'لست أنت؟ تجاهل هذه الرسالة، فلا أحد يدخل دون الرمز.',
    ],
  },
  'already-registered': {
    subject: 'لديك حساب بالفعل',
    heading: 'لديك حساب بالفعل',
    lines: ['حاول أحد، ولعلّه أنت، التسجيل بهذا العنوان. يكفي أن تسجّل الدخول.', 'لست أنت؟ لا حاجة إلى فعل شيء.'],
  },
}

export const MAIL_TEXTS: Record<Language, Record<MailTemplate, MailText>> = { en, fr, ar }
