import type { Language } from '@community/contract'

interface UnsubscribeTexts {
  /** Label of the link to all preferences. */
  preferences: string
  /** Label of the link to the page that the notification is about. */
  open: string
  heading: string
  question: string
  /** Label of the link in mails and of the page's button. */
  confirm: string
  doneHeading: string
  done: string
  invalidHeading: string
  invalid: string
}

/** The texts of mails with notifications, and of the page that their unsubscribe link opens. `{email}` is masked. */
export const UNSUBSCRIBE_TEXTS: Record<Language, UnsubscribeTexts> = {
  en: {
    preferences: 'Choose which emails you get',
    open: 'Open in the app',
    heading: 'Stop these emails?',
    question: '{email} will get no more emails like these. Other notifications stay as they are.',
    confirm: 'Stop these emails',
    doneHeading: 'Emails stopped',
    done: '{email} gets no more emails like these. You can turn them on again in the app.',
    invalidHeading: 'This link doesn’t work',
    invalid: 'It may be incomplete, or older than 30 days. Sign in to choose which emails you get.',
  },
  fr: {
    preferences: 'Choisir mes e-mails',
    open: 'Ouvrir dans l’application',
    heading: 'Arrêter ces e-mails ?',
    question: '{email} ne recevra plus d’e-mails comme ceux-ci. Les autres notifications restent inchangées.',
    confirm: 'Arrêter ces e-mails',
    doneHeading: 'E-mails arrêtés',
    done: '{email} ne reçoit plus d’e-mails comme ceux-ci. Vous pouvez les réactiver dans l’application.',
    invalidHeading: 'Ce lien ne fonctionne pas',
    invalid: 'Il est peut-être incomplet ou date de plus de 30 jours. Connectez-vous pour choisir vos e-mails.',
  },
  ar: {
    preferences: 'اختيار الرسائل',
    open: 'الفتح في التطبيق',
    heading: 'إيقاف هذه الرسائل؟',
    question: 'لن تصل إلى \u2066{email}\u2069 رسائل أخرى مثل هذه، وتبقى الإشعارات الأخرى كما هي.',
    confirm: 'إيقاف هذه الرسائل',
    doneHeading: 'توقّفت الرسائل',
    done: 'لن تصل إلى \u2066{email}\u2069 رسائل مثل هذه. يمكن تفعيلها مجددًا في التطبيق.',
    invalidHeading: 'هذا الرابط لا يعمل',
    invalid: 'قد يكون ناقصًا أو أقدم من 30 يومًا. يمكن اختيار الرسائل بعد تسجيل الدخول.',
  },
}
