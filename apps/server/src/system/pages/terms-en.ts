import type { PageValues } from './page-values.ts'

export const termsEn = (values: PageValues): string => `# Terms

By joining ${values.appName} you accept these terms. Taking part is free.

## Your account

- Give your real name and an email address you can read. One account per person.
- Keep your password to yourself. What is done with your account counts as done by you.
- You can delete your account at any time in the account settings.

## How we treat each other

- Be respectful. No insults, harassment, spam or illegal content.
- Use the contact details of other members only to work together.
- Do not attack the service or look for other people’s data. Report what you find to [${values.supportEmail}](mailto:${values.supportEmail}).

## Teams and work

- Submit work that you made, or may use, and name what comes from others.
- Your work remains yours. By submitting it you allow us to store it, to evaluate it and to show it on this site once it is approved.
- People evaluate submissions. The team chef can ask for an evaluation to be explained; the administrators decide.
- Points may be corrected when an evaluation was wrong or work is removed.

## Moderation

Administrators may warn members, remove work or teams, and ban accounts that break these terms. They give a reason for warnings and bans. Their actions are logged.

## The service

We run ${values.appName} with care but without a guarantee: it may change, be interrupted or end. Keep a copy of your work. If these terms change, the new version is published here.

[${values.supportEmail}](mailto:${values.supportEmail}) answers questions about these terms.
`
