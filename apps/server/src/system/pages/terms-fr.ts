import type { PageValues } from './page-values.ts'

export const termsFr = (values: PageValues): string => `# Conditions d’utilisation

En rejoignant ${values.appName}, vous acceptez ces conditions. La participation est gratuite.

## Votre compte

- Indiquez votre vrai nom et une adresse e-mail que vous consultez. Un seul compte par personne.
- Gardez votre mot de passe pour vous. Ce qui est fait avec votre compte vous est attribué.
- Vous pouvez supprimer votre compte à tout moment dans ses paramètres.

## Entre nous

- Le respect est de mise. Ni insultes, ni harcèlement, ni spam, ni contenu illégal.
- N’utilisez les coordonnées des autres membres que pour travailler ensemble.
- N’attaquez pas le service et ne cherchez pas les données des autres. Signalez ce que vous trouvez à [${values.supportEmail}](mailto:${values.supportEmail}).

## Équipes et travaux

- Envoyez des travaux que vous avez faits ou que vous avez le droit d’utiliser, et citez ce qui vient d’ailleurs.
- Vos travaux restent à vous. En les envoyant, vous nous autorisez à les conserver, à les évaluer et à les montrer sur ce site une fois approuvés.
- Ce sont des personnes qui évaluent. Le chef d’équipe peut demander une explication ; l’administration décide.
- Les points peuvent être corrigés si une évaluation était erronée ou si un travail est retiré.

## Modération

L’administration peut avertir des membres, retirer des travaux ou des équipes et bannir les comptes qui ne respectent pas ces conditions. Elle donne le motif des avertissements et des bannissements, et ses actions sont journalisées.

## Le service

Nous gérons ${values.appName} avec soin mais sans garantie : le service peut changer, être interrompu ou s’arrêter. Gardez une copie de vos travaux. Si ces conditions changent, la nouvelle version est publiée ici.

Des questions sur ces conditions ? Écrivez à [${values.supportEmail}](mailto:${values.supportEmail}).
`
