import type { Language } from '@community/contract'
import { DEVICE_LINES } from './device-lines.ts'
import type { MailText } from './texts.ts'

export const SECURITY_TEMPLATES = [
  'password-reset',
  'sign-in-code-off',
  'device-signed-out',
  'access-token-created',
  'account-banned',
] as const
export type SecurityTemplate = (typeof SECURITY_TEMPLATES)[number]

/** Notices to the owner of an account about its security. */
export const SECURITY_TEXTS: Record<Language, Record<SecurityTemplate, MailText>> = {
  en: {
    'password-reset': {
      subject: 'Your password was reset',
      heading: 'Your password was reset',
      lines: [
        'Your account has a new password. All devices have been signed out, your access tokens revoked and your external sign-in unlinked.',
        ...DEVICE_LINES.en,
        'If this was you, sign in again and create the access tokens that you still need.',
        'If this wasn’t you, set a new password now with “Forgot your password?” on the sign-in page, and make sure that nobody else can read your email.',
      ],
    },
    'sign-in-code-off': {
      subject: 'The sign-in code was turned off',
      heading: 'The sign-in code was turned off',
      lines: [
        'Your account no longer asks for a code sent by email at every sign-in. Unless this site requires one, your password alone is enough.',
        ...DEVICE_LINES.en,
        'If this was you, you don’t need to do anything.',
        'If this wasn’t you, change your password now, which signs out all devices, and turn the code back on in your account settings.',
      ],
    },
    'device-signed-out': {
      subject: 'We signed out one of your devices',
      heading: 'We signed out one of your devices',
      lines: [
        'A sign-in key from this device was used a second time. Someone may have copied it, so we signed the device out.',
        ['Device', 'device'],
        ['Location of the second use', 'place'],
        ['Time', 'time'],
        'If you recognise this location, sign in again on that device.',
        'If you don’t recognise it, change your password now, which signs out all devices, and check the device for software you didn’t install.',
      ],
    },
    'access-token-created': {
      subject: 'A new access token was created',
      heading: 'A new access token was created',
      lines: [
        'A personal access token was created for your account. Anyone who has it can use the account from scripts, without your password.',
        ['Name', 'name'],
        ['Scopes', 'scopes'],
        ...DEVICE_LINES.en,
        'If this was you, you don’t need to do anything.',
        'If this wasn’t you, revoke the token in your account settings, under Access tokens, and change your password now.',
      ],
    },
    'account-banned': {
      subject: 'Your account was banned',
      heading: 'Your account was banned',
      lines: [
        'An administrator banned your account. You can no longer sign in, and you are no longer a member of any team.',
        ['Reason', 'reason'],
        'If you have questions about this, write to {support}.',
      ],
    },
  },
  fr: {
    'password-reset': {
      subject: 'Votre mot de passe a été réinitialisé',
      heading: 'Votre mot de passe a été réinitialisé',
      lines: [
        'Votre compte a un nouveau mot de passe. Tous les appareils ont été déconnectés, vos jetons d’accès révoqués et votre connexion externe dissociée.',
        ...DEVICE_LINES.fr,
        'C’était vous ? Reconnectez-vous et recréez les jetons d’accès dont vous avez encore besoin.',
        'Ce n’était pas vous ? Définissez-en un nouveau maintenant avec « Mot de passe oublié ? » sur la page de connexion, et assurez-vous que personne d’autre n’a accès à votre messagerie.',
      ],
    },
    'sign-in-code-off': {
      subject: 'Le code à la connexion a été désactivé',
      heading: 'Le code à la connexion a été désactivé',
      lines: [
        'Votre compte ne demande plus de code envoyé par e-mail à chaque connexion. Sauf si ce site en exige un, votre mot de passe suffit.',
        ...DEVICE_LINES.fr,
        'C’était vous ? Vous n’avez rien à faire.',
        'Ce n’était pas vous ? Changez votre mot de passe maintenant, ce qui déconnecte tous les appareils, puis réactivez le code dans les paramètres de votre compte.',
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
        'Vous reconnaissez ce lieu ? Il vous suffit de vous reconnecter sur cet appareil.',
        'Vous ne le reconnaissez pas ? Changez votre mot de passe maintenant, ce qui déconnecte tous les appareils, et vérifiez qu’aucun logiciel inconnu n’est installé sur l’appareil.',
      ],
    },
    'access-token-created': {
      subject: 'Un nouveau jeton d’accès a été créé',
      heading: 'Un nouveau jeton d’accès a été créé',
      lines: [
        'Un jeton d’accès personnel a été créé pour votre compte. Toute personne qui le détient peut utiliser le compte depuis des scripts, sans votre mot de passe.',
        ['Nom', 'name'],
        ['Portées', 'scopes'],
        ...DEVICE_LINES.fr,
        'C’était vous ? Vous n’avez rien à faire.',
        'Ce n’était pas vous ? Révoquez le jeton dans les paramètres de votre compte, sous « Jetons d’accès », et changez votre mot de passe maintenant.',
      ],
    },
    'account-banned': {
      subject: 'Votre compte a été banni',
      heading: 'Votre compte a été banni',
      lines: [
        'L’administration a banni votre compte. Vous ne pouvez plus vous connecter et ne faites plus partie d’aucune équipe.',
        ['Motif', 'reason'],
        'Pour toute question à ce sujet, écrivez à {support}.',
      ],
    },
  },
  ar: {
    'password-reset': {
      subject: 'أُعيد تعيين كلمة مرورك',
      heading: 'أُعيد تعيين كلمة مرورك',
      lines: [
        'أصبحت لحسابك كلمة مرور جديدة. سُجّل خروج كل الأجهزة، وأُبطلت رموز الوصول، وفُكّ ربط تسجيل الدخول الخارجي.',
        ...DEVICE_LINES.ar,
        'إن كان ذلك منك، فيكفي تسجيل الدخول من جديد وإنشاء رموز الوصول التي ما زلت تحتاج إليها.',
        'إن لم يكن ذلك منك، فيجب تعيين كلمة مرور جديدة الآن عبر «نسيت كلمة المرور؟» في صفحة تسجيل الدخول، والتأكّد من أن لا أحد غيرك يقرأ بريدك.',
      ],
    },
    'sign-in-code-off': {
      subject: 'أُوقف رمز تسجيل الدخول',
      heading: 'أُوقف رمز تسجيل الدخول',
      lines: [
        'لم يعد حسابك يطلب رمزًا يُرسل إلى بريدك عند كل تسجيل دخول. كلمة مرورك وحدها تكفي، إلا إذا كان هذا الموقع يشترط الرمز.',
        ...DEVICE_LINES.ar,
        'إن كان ذلك منك، فلا داعي لفعل أي شيء.',
        'إن لم يكن ذلك منك، فيجب تغيير كلمة مرورك الآن، وبذلك يُسجَّل خروج كل الأجهزة، ثم إعادة تفعيل الرمز من إعدادات الحساب.',
      ],
    },
    'device-signed-out': {
      subject: 'سجّلنا خروج أحد أجهزتك',
      heading: 'سجّلنا خروج أحد أجهزتك',
      lines: [
        'استُخدم مفتاح دخول من هذا الجهاز مرة ثانية. ربما نسخه شخص آخر، لذلك سجّلنا خروج الجهاز.',
        ['الجهاز', 'device'],
        ['مكان الاستخدام الثاني', 'place'],
        ['التاريخ والوقت', 'time'],
        'إن كان هذا المكان معروفًا لديك، فيكفي تسجيل الدخول من جديد على ذلك الجهاز.',
        'إن لم يكن كذلك، فيجب تغيير كلمة مرورك الآن، وبذلك يُسجَّل خروج كل الأجهزة، والتأكّد من عدم وجود برامج غريبة على الجهاز.',
      ],
    },
    'access-token-created': {
      subject: 'أُنشئ رمز وصول جديد',
      heading: 'أُنشئ رمز وصول جديد',
      lines: [
        'أُنشئ لحسابك رمز وصول شخصي. من يملكه يستطيع استخدام الحساب من البرامج دون كلمة مرورك.',
        ['الاسم', 'name'],
        ['الصلاحيات', 'scopes'],
        ...DEVICE_LINES.ar,
        'إن كان ذلك منك، فلا داعي لفعل أي شيء.',
        'إن لم يكن ذلك منك، فيجب إبطال الرمز من إعدادات الحساب، ضمن «رموز الوصول»، وتغيير كلمة مرورك الآن.',
      ],
    },
    'account-banned': {
      subject: 'حُظر حسابك',
      heading: 'حُظر حسابك',
      lines: [
        'حظرت الإدارة حسابك. لم يعد بإمكانك تسجيل الدخول، وانتهت عضويتك في كل الفرق.',
        ['السبب', 'reason'],
        'للأسئلة عن ذلك: {support}',
      ],
    },
  },
}
