import { DEVICE_LINES } from './device-lines.ts'
import type { AccountTemplate, MailText } from './texts.ts'

export const fr: Record<AccountTemplate, MailText> = {
  'code-registration': {
    subject: '{code} : votre code pour rejoindre {app}',
    heading: 'Votre code pour nous rejoindre',
    lines: [
      'Saisissez-le sur la page d’inscription. Il est valable une seule fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Ignorez cet e-mail : sans le code, rien ne se passe.',
    ],
  },
  'code-sign-in': {
    subject: '{code} : votre code de connexion',
    heading: 'Votre code de connexion',
    lines: [
      'Saisissez-le sur la page de connexion. Il est valable une seule fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Quelqu’un connaît votre mot de passe : changez-le maintenant.',
    ],
  },
  'code-reset': {
    subject: '{code} : votre code pour un nouveau mot de passe',
    heading: 'Votre code pour un nouveau mot de passe',
    lines: [
      'Saisissez-le sur la page où vous l’avez demandé. Il est valable une seule fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Ignorez cet e-mail : votre mot de passe ne change pas.',
    ],
  },
  'code-external': {
    subject: '{code} : votre code de connexion',
    heading: 'Votre code de connexion',
    lines: [
      'Saisissez-le dans le navigateur où vous avez commencé à vous connecter. Il est valable une seule fois, pendant cinq minutes.',
      'Ce n’était pas vous ? Ignorez cet e-mail : sans le code, personne ne peut se connecter.',
    ],
  },
  'already-registered': {
    subject: 'Vous avez déjà un compte',
    heading: 'Vous avez déjà un compte',
    lines: [
      'Quelqu’un, sans doute vous, a voulu s’inscrire avec cette adresse e-mail. Il vous suffit de vous connecter.',
      'Ce n’était pas vous ? Vous n’avez rien à faire.',
    ],
  },
  'new-device': {
    subject: 'Nouvelle connexion à votre compte',
    heading: 'Nouvelle connexion à votre compte',
    lines: [
      'Quelqu’un s’est connecté à votre compte depuis un nouvel appareil.',
      ...DEVICE_LINES.fr,
      'C’était vous ? Vous n’avez rien à faire.',
      'Ce n’était pas vous ? Changez votre mot de passe maintenant : tous les appareils seront déconnectés. Vous pouvez aussi les déconnecter un par un dans les paramètres de votre compte, sous « Appareils ».',
    ],
  },
  'password-changed': {
    subject: 'Votre mot de passe a été modifié',
    heading: 'Votre mot de passe a été modifié',
    lines: [
      'Votre compte a un nouveau mot de passe, et tous les appareils ont été déconnectés.',
      ...DEVICE_LINES.fr,
      'C’était vous ? Vous n’avez rien à faire.',
      'Ce n’était pas vous ? Définissez-en un nouveau maintenant avec « Mot de passe oublié ? » sur la page de connexion, et assurez-vous que personne d’autre n’a accès à votre messagerie.',
    ],
  },
  'webhook-disabled': {
    subject: 'Votre webhook vers {host} a été mis en pause',
    heading: 'Votre webhook a été mis en pause',
    lines: [
      '{host} n’a accepté aucun message depuis trois jours, ou a répondu qu’il n’existe plus. Nous n’y envoyons plus d’événements.',
      'Vérifiez le destinataire, puis reprenez les envois avec « Reprendre ». La liste des envois indique la cause de chaque échec.',
    ],
  },
}
