import type { PageValues } from './page-values.ts'

export const privacyEn = (values: PageValues): string => `# Privacy

To run teams and challenges, ${values.appName} stores only what that needs. It shows no advertising, does not track you and sells no data.

## What is stored, and for how long

| Data | Until |
| --- | --- |
| Your name, email address, language and role; what you add to your profile: picture, phone number, links, experience, a text about you | you change it or delete your account |
| Your password, only as a hash; the account of an external provider that you sign in with | you delete your account |
| The contact details you give when you join a team | you leave the team |
| The teams you were in, and those you were in when they applied to a challenge, so that nobody evaluates their own team’s work or applies with two teams | you, the team or its application are deleted |
| Work you submit, with files, notes, score and feedback | the work or the team is deleted |
| That you submitted or evaluated work, wrote a challenge, an announcement or a warning, or blocked an address | it or your account is deleted |
| Files that nothing uses | ${values.unusedFileHours} hours |
| Your sign-ins, with browser, IP address and times | ${values.signInDays} days after the sign-in |
| Browsers and systems you signed in from, to warn you about new ones | ${values.deviceDays} days after the last sign-in |
| Codes that we email you, only as a hash, with the address, even without an account; for an external sign-in also the provider, your account there and your name | ${values.codeDays} day after they expire |
| Access tokens you create, only as a hash | you revoke them, or ${values.tokenDays} days after they expire |
| Emails to you: address, kind and state; their text only until they are sent | ${values.mailDays} days |
| Rejections of emails to you by your mail server: address, how many in a row, and since when emails are paused | an email is accepted, you resume emails or delete your account |
| Notifications to you; announcements you write stay | ${values.notificationDays} days |
| Which notifications you get and how, your quiet hours and time zone | you change them or delete your account |
| Where push messages for a device are sent, if you turn them on | you turn them off or sign out there |
| Reminders of deadlines to your team’s members that you ask for, also by leaving an application unfinished; webhooks that you set up; both with your name | they or the team are deleted, or you delete your account |
| Counters against abuse, by account or IP address | a day at most |
| Responses to your repeated requests, encrypted | ${values.responseHours} hours |
| Messages to the webhooks of teams and administrators about you | ${values.webhookDays} days |
| Warnings and bans, with their reasons | they are removed, or your account is deleted |
| Blocked email addresses, with the reason | an administrator removes them |
| The log of administrators’ actions, with their name and IP address, and what they concern: accounts, teams, reasons, blocked addresses, errors of emails | as long as the community exists |

The server also writes a technical log with IP addresses, but without email addresses, passwords or codes. Its operator decides how long that log and backups are kept.

## Who sees it

- Everybody: teams without their members’ contact details, the leaderboard, and approved work with its score, its feedback and the name of the member who submitted it.
- Members who are signed in: the members of teams and the contact details they gave.
- Administrators: your account, your work, your warnings and their own log. They can download all of it, without passwords; each download is logged.
- The push service of your browser, if you turn push messages on: encrypted messages that name nobody, and when they are sent.
- Servers that receive webhooks from a team chef or an administrator: events, such as a member joining a team.

## In your browser

Your browser stores your sign-in, language, theme and drafts. One cookie recognises a device that you signed in from. Others link a sign-up, a sign-in code, a password reset or an external sign-in to your browser, for a day at most. None is for advertising or statistics.

## Your rights

You can correct your profile, download what is stored about you and delete your account in the account settings. Deleting removes your profile, memberships, sign-ins, tokens, warnings, notifications and emails. Submitted work stays with its team; challenges, evaluations and announcements that you wrote stay too, all without your name. Your pictures and unused files are deleted. The log of administrators’ actions and the list of blocked addresses stay; they may name you. Backups and archives made before are the operator’s to delete.

For any other question or request, write to [${values.supportEmail}](mailto:${values.supportEmail}). You may also complain to the data protection authority of your country; in Morocco that is the CNDP (law 09-08).
`
