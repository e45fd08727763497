import type { PageValues } from './page-values.ts'

export const privacyFr = (values: PageValues): string => `# Confidentialité

Pour faire vivre les équipes et les défis, ${values.appName} n’enregistre que le nécessaire. Pas de publicité, pas de pistage, aucune vente de données.

## Ce qui est enregistré, et pour combien de temps

| Données | Jusqu’à |
| --- | --- |
| Votre nom, votre adresse e-mail, votre langue et votre rôle ; ce que vous ajoutez à votre profil : photo, téléphone, liens, expérience, présentation | leur modification ou la suppression de votre compte |
| Votre mot de passe, sous forme de condensat seulement ; le compte externe avec lequel vous vous connectez | la suppression de votre compte |
| Les coordonnées que vous donnez en rejoignant une équipe | votre départ de l’équipe |
| Le fait d’avoir été dans une équipe, y compris lors de sa participation à un défi, pour que personne n’évalue le travail de la sienne ni ne participe avec deux équipes | la suppression du compte, de l’équipe ou de la participation |
| Les travaux que vous envoyez, avec fichiers, remarques, note et retour | la suppression du travail ou de l’équipe |
| Le fait d’avoir envoyé ou évalué un travail, écrit un défi, une annonce ou un avertissement, ou ajouté une adresse à la liste noire | leur suppression ou celle de votre compte |
| Les fichiers que rien n’utilise | ${values.unusedFileHours} heures |
| Vos connexions, avec navigateur, adresse IP et heures | ${values.signInDays} jours après la connexion |
| Les navigateurs et systèmes utilisés, pour vous signaler les nouveaux | ${values.deviceDays} jours après la dernière connexion |
| Les codes envoyés par e-mail, sous forme de condensat seulement, avec l’adresse, même sans compte ; pour une connexion externe, aussi le fournisseur, votre identifiant et votre nom chez lui | ${values.codeDays} jour après leur expiration |
| Les jetons d’accès que vous créez, sous forme de condensat seulement | leur révocation, ou ${values.tokenDays} jours après leur expiration |
| Les e-mails qui vous sont adressés : adresse, type et état ; leur texte seulement jusqu’à l’envoi | ${values.mailDays} jours |
| Les refus de vos e-mails par votre serveur de messagerie : adresse, nombre d’affilée et début de la suspension | l’acceptation d’un e-mail, la reprise des envois ou la suppression de votre compte |
| Vos notifications ; les annonces que vous écrivez restent | ${values.notificationDays} jours |
| Vos choix de notifications, vos heures calmes et votre fuseau horaire | leur modification ou la suppression de votre compte |
| L’adresse d’envoi des messages push d’un appareil, si vous les activez | leur désactivation ou la déconnexion de l’appareil |
| Les rappels de dates limites aux membres de votre équipe que vous demandez, y compris en laissant une participation inachevée, et les webhooks que vous créez, avec votre nom | leur suppression, celle de l’équipe ou celle de votre compte |
| Des compteurs contre les abus, par compte ou adresse IP | un jour au plus |
| Les réponses à vos requêtes répétées, chiffrées | ${values.responseHours} heures |
| Les messages à votre sujet envoyés aux webhooks des équipes et de l’administration | ${values.webhookDays} jours |
| Les avertissements et les bannissements, avec leurs motifs | leur retrait ou la suppression de votre compte |
| Les adresses e-mail de la liste noire, avec le motif | leur retrait par l’administration |
| Le journal d’audit des actions de l’administration, avec le nom et l’adresse IP de leur auteur, et ce qu’elles concernent : comptes, équipes, motifs, adresses de la liste noire, erreurs d’envoi | aussi longtemps que la communauté existe |

Le serveur tient aussi un journal technique avec les adresses IP, mais sans adresse e-mail, mot de passe ni code. Son exploitant décide de la durée de conservation de ce journal et des sauvegardes.

## Qui les voit

- Tout le monde : les équipes sans les coordonnées de leurs membres, le classement, et les travaux approuvés avec leur note, leur retour et le nom du membre qui les a envoyés.
- Les membres connectés : les membres des équipes et les coordonnées qu’ils ont données.
- L’administration : votre compte, vos travaux, vos avertissements et le journal d’audit. Elle peut tout télécharger, sans les mots de passe ; chaque téléchargement est journalisé.
- Le service push de votre navigateur, si vous activez les messages push : des messages chiffrés qui ne nomment personne, et l’heure de leur envoi.
- Les serveurs qui reçoivent les webhooks d’un chef d’équipe ou de l’administration : des événements, comme l’arrivée d’un membre.

## Dans votre navigateur

Votre navigateur garde votre connexion, la langue, le thème et vos brouillons. Un cookie reconnaît un appareil déjà connecté. D’autres relient une inscription, un code de connexion, une réinitialisation du mot de passe ou une connexion externe à votre navigateur, un jour au plus. Aucun ne sert à la publicité ni aux statistiques.

## Vos droits

Dans les paramètres du compte, vous pouvez corriger votre profil, télécharger ce qui est enregistré sur vous et supprimer votre compte. La suppression efface votre profil, vos adhésions, connexions, jetons, avertissements, notifications et e-mails. Les travaux envoyés restent à leur équipe ; les défis, évaluations et annonces que vous avez écrits restent aussi, le tout sans votre nom. Votre photo et les fichiers inutilisés sont effacés. Le journal d’audit et la liste noire restent ; ils peuvent vous nommer. L’effacement des sauvegardes et archives antérieures revient à l’exploitant.

Pour toute autre question ou demande, écrivez à [${values.supportEmail}](mailto:${values.supportEmail}). Vous pouvez aussi saisir l’autorité de protection des données de votre pays ; au Maroc, la CNDP (loi 09-08).
`
